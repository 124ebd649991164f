// Files of the kit, gathered one by one by their names for somebody who gets a copy: so nothing gets there by chance.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/config/kit.h"
#include "grader/result/result.h"

namespace warpgrade::config {

struct KitFile {
  std::string name;  // relative, with '/'
  std::string content;
  bool executable = false;
};

// A file that is added again replaces the first one. The first error is kept.
class KitFiles {
 public:
  void Add(const std::string& name, std::string content, bool executable = false);
  void AddFile(const std::string& name, const std::filesystem::path& path, bool executable = false);
  void AddText(const std::string& name, Result<std::string> text);  // or its error

  // A header, and those of the kit that it includes, from the first of `folders` that has it; below `prefix`.
  void AddHeader(const std::string& header, const std::vector<std::string>& folders, const std::string& prefix = "");

  // kit/bin/ and kit/lib/: `executable`, and what grades `labs` with it.
  void AddProgram(const Kit& kit, const std::string& executable, const std::vector<std::string>& labs);

  void Fail(Error error);
  bool Has(const std::string& name) const { return files_.contains(name); }

  // Sorted by name. Errors (kMachine): a file cannot be read; others: those of AddText and Fail.
  Result<std::vector<KitFile>> Take();

 private:
  std::optional<std::string> Read(const std::filesystem::path& path);

  std::map<std::string, KitFile> files_;
  std::optional<Error> error_;
};

}  // namespace warpgrade::config
