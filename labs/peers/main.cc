// Compares the best solution of each lab with NVIDIA's libraries and a device copy, on the GPU, in one run: the table
// of BENCHMARKS.md, which says how to build and run it.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "labs/peers/comparison.h"

namespace {

constexpr const char* kHelp =
    "usage: peers [LAB ...]\n"
    "\n"
    "Times the best solution of each lab in turn with the library that a practitioner would take, and prints a table:\n"
    "medians, the median ratio of the pairs, and half of what lies between that ratio's quartiles. Each answer is\n"
    "compared first. Needs a GPU to itself, 6 GiB of its memory, cuBLAS and cuSPARSE.\n"
    "\n"
    "  peers               all labs, about a minute\n"
    "  peers lab4 lab5     two of them\n"
    "\n"
    "Exit status: 0; 1 when an answer was wrong or CUDA failed; 2 for a lab that has no peer.\n";

struct Part {
  const char* lab;
  void (*compare)(peers::Comparison&);
};
constexpr Part kParts[] = {
    {"lab1", peers::CompareReductions},   {"lab2", peers::CompareTransposes}, {"lab3", peers::CompareProducts},
    {"lab4", peers::CompareConvolutions}, {"lab5", peers::CompareScans},      {"lab6", peers::CompareStencils},
    {"lab7", peers::CompareHistograms},   {"lab9", peers::CompareSparse},     {"lab10", peers::CompareSorts}};

bool IsKnown(const std::string& lab) {
  for (const Part& part : kParts) {
    if (lab == part.lab) return true;
  }
  return false;
}

int Run(const std::vector<std::string>& wanted) {
  const std::string device = lab::DeviceName();
  if (device.empty() || lab::IsEmulator(device)) {
    std::printf("skipped: no GPU\n");
    return 0;
  }
  std::printf("%s\n\n", device.c_str());
  peers::Comparison table(wanted);
  for (const Part& part : kParts) {
    if (table.Wants(part.lab)) part.compare(table);
  }
  std::printf("\n%d of %d goals reached\n", table.lines() - table.missed(), table.lines());
  if (table.wrong() > 0) std::printf("%d answers are WRONG: their times mean nothing\n", table.wrong());
  return table.wrong() > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  for (const std::string& word : wanted) {
    if (word == "--help" || word == "-h") {
      std::fputs(kHelp, stdout);
      return 0;
    }
    if (!IsKnown(word)) {
      std::fprintf(stderr, "peers: '%s' is no lab with a peer; those are lab1 to lab7, lab9 and lab10\n", word.c_str());
      return 2;
    }
  }
  try {
    return Run(wanted);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peers: %s\n", error.what());
    return 1;
  }
}
