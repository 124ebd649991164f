// make_class FOLDER [--size N] [--seed N] [--lab LAB]: writes a class of submissions, and FOLDER.manifest.json beside
// it. class_maker.h says what it makes.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>

#include "tests/class/class_maker.h"

int main(int argc, char** argv) {
  warpgrade::classes::ClassOptions options;
  std::string folder;
  CLI::App app("Makes the folder of a class, for tests and for trying things out.");
  app.add_option("folder", folder, "Where to write the submissions")->required();
  app.add_option("--size", options.size, "How many submissions")->check(CLI::Range(1, 10'000));
  app.add_option("--seed", options.seed, "The same seed makes the same class");
  app.add_option("--lab", options.lab, "The lab");
  CLI11_PARSE(app, argc, argv);
  try {
    const auto made = warpgrade::classes::MakeClass(options, folder);
    std::ofstream manifest(folder + ".manifest.json", std::ios::binary);
    manifest << warpgrade::classes::ManifestOf(options, made).dump(2) << "\n";
    manifest.close();
    if (!manifest) throw std::runtime_error(folder + ".manifest.json: cannot be written");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_class: %s\n", error.what());
    return 1;
  }
  return 0;
}
