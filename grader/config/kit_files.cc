// Headers are followed from the one that is named. Tests: tests/autograder/autograder_command_test.cc and
// tests/release/release_command_test.cc, which look at what students get.
#include "grader/config/kit_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <utility>

namespace warpgrade::config {

namespace fs = std::filesystem;

void KitFiles::Add(const std::string& name, std::string content, bool executable) {
  files_.insert_or_assign(name, KitFile{name, std::move(content), executable});
}

void KitFiles::AddFile(const std::string& name, const fs::path& path, bool executable) {
  if (std::optional<std::string> content = Read(path)) Add(name, std::move(*content), executable);
}

void KitFiles::AddText(const std::string& name, Result<std::string> text) {
  if (text) {
    Add(name, std::move(*text));
  } else {
    Fail(text.error());
  }
}

void KitFiles::AddHeader(const std::string& header, const std::vector<std::string>& folders,
                         const std::string& prefix) {
  if (Has(prefix + header)) return;
  const auto has_it = [&header](const std::string& folder) {
    std::error_code ignored;
    return fs::exists(fs::path(folder) / header, ignored);
  };
  const auto there = std::find_if(folders.begin(), folders.end(), has_it);
  const std::optional<std::string> content =
      Read(there == folders.end() ? fs::path(header) : fs::path(*there) / header);
  if (!content) return;
  Add(prefix + header, *content);
  static const std::regex kInclude(R"re(#include "((?:labs|grader)/[^"]+)")re");
  for (std::sregex_iterator it(content->begin(), content->end(), kInclude), end; it != end; ++it) {
    AddHeader((*it)[1].str(), folders, prefix);
  }
}

void KitFiles::AddProgram(const Kit& kit, const std::string& executable, const std::vector<std::string>& labs) {
  const std::string libraries = "kit/lib/warpgrade/";
  AddFile("kit/bin/warpgrade", executable, true);
  AddFile(libraries + "libwarpgrade_worker.a", kit.worker_archive);
  AddFile(libraries + "calibrator", kit.calibrator, true);
  for (const std::string& lab : labs) {
    if (kit.outside.contains(lab)) continue;  // the kit compiles it where it is used
    AddFile(fmt::format("{}lib{}_adapter.a", libraries, lab), kit.adapter_archive(lab));
  }
  AddFile(libraries + "emulator/libcudart.so.13", kit.emulator_library_dir + "/libcudart.so.13", true);
}

void KitFiles::Fail(Error error) {
  if (!error_) error_ = std::move(error);
}

Result<std::vector<KitFile>> KitFiles::Take() {
  if (error_) return *error_;
  std::vector<KitFile> files;
  for (auto& [name, file] : files_) files.push_back(std::move(file));
  files_.clear();
  return files;
}

std::optional<std::string> KitFiles::Read(const fs::path& path) {
  std::error_code error;
  std::ifstream in(path, std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(in), {}};
  if (fs::is_regular_file(path, error) && !in.bad()) return content;
  Fail({ErrorKind::kMachine, fmt::format("{}: it cannot be read; build the kit, or install it again", path.string())});
  return std::nullopt;
}

}  // namespace warpgrade::config
