// Makes all starter files from a folder of solutions, compares them with the files that are there, and writes those
// that differ, or only lists them. Tests: tests/starter/starter_tree_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <system_error>
#include <vector>

#include "grader/starter/starter.h"

namespace warpgrade::starter {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf() || in.peek() == std::ifstream::traits_type::eof())) return std::nullopt;
  return text.str();
}

// The paths "LAB/RUNG.cu" below a folder, sorted.
Result<std::vector<std::string>> RungFiles(const fs::path& root) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".cu") files.push_back(fs::relative(it->path(), root).generic_string());
  }
  if (error)
    return Error{ErrorKind::kMachine, fmt::format("{}: {}; name a folder of labs", root.string(), error.message())};
  std::sort(files.begin(), files.end());
  return files;
}

// Every starter file with its content; or all mistakes in the solutions, one per line.
Result<std::map<std::string, std::string>> MakeAll(const fs::path& solutions) {
  const auto files = RungFiles(solutions);
  if (!files) return files.error();
  std::map<std::string, std::string> starters;
  std::string mistakes;
  for (const std::string& file : *files) {
    const std::string name = fmt::format("{}/{}", solutions.filename().string(), file);
    const std::optional<std::string> solution = ReadFile(solutions / file);
    const auto starter =
        solution ? MakeStarter(name, *solution)
                 : Error{ErrorKind::kMachine, fmt::format("{}: cannot be read; check its permissions", name)};
    if (starter) {
      starters[file] = *starter;
    } else {
      mistakes += (mistakes.empty() ? "" : "\n") + starter.error().message;
    }
  }
  if (!mistakes.empty()) return Error{ErrorKind::kUsage, mistakes};
  if (starters.empty())
    return Error{ErrorKind::kUsage,
                 fmt::format("{}: this folder has no .cu files; name a folder of labs", solutions.string())};
  return starters;
}

// Writes a temporary file beside it and renames that, so that a full disk never leaves half a file.
Status WriteFile(const fs::path& path, const std::string& content) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  const fs::path neighbour = path.string() + ".new";
  std::ofstream out(neighbour, std::ios::binary);
  out << content;
  out.close();
  if (out) fs::rename(neighbour, path, error);
  if (!out || error) {
    fs::remove(neighbour, error);
    return Error{ErrorKind::kMachine, fmt::format("{}: cannot be written; check the permissions of the folder and "
                                                  "the space on the disk",
                                                  path.string())};
  }
  return {};
}

void Differ(const fs::path& path, const std::string& what, std::string* differences) {
  *differences += fmt::format("{}{}: {}", differences->empty() ? "" : "\n", path.string(), what);
}

// Writes the files that are missing or different; with `check_only`, lists them in `differences`.
Status MakeEach(const fs::path& folder, const std::map<std::string, std::string>& wanted, bool check_only,
                std::string* differences) {
  for (const auto& [file, content] : wanted) {
    const std::optional<std::string> present = ReadFile(folder / file);
    if (present == content) continue;
    if (check_only) {
      Differ(folder / file,
             present ? "is not up to date; run `warpgrade make-starter`" : "is missing; run `warpgrade make-starter`",
             differences);
    } else if (Status written = WriteFile(folder / file, content); !written) {
      return written;
    }
  }
  return {};
}

}  // namespace

Status MakeFiles(const std::string& folder, const std::map<std::string, std::string>& files, bool check_only) {
  std::string differences;
  if (Status made = MakeEach(folder, files, check_only, &differences); !made) return made;
  if (!differences.empty()) return Error{ErrorKind::kUsage, differences};
  return {};
}

Status MakeStarterTree(const std::string& solutions_dir, const std::string& starter_dir, bool check_only) {
  // lexically_normal leaves "a/" with an empty file name, which is not wanted as a name.
  fs::path solutions = fs::path(solutions_dir).lexically_normal();
  if (!solutions.has_filename()) solutions = solutions.parent_path();
  const fs::path starter(starter_dir);
  const auto wanted = MakeAll(solutions);
  if (!wanted) return wanted.error();

  std::string differences;
  if (Status made = MakeEach(starter, *wanted, check_only, &differences); !made) return made;
  if (fs::exists(starter)) {
    const auto present = RungFiles(starter);
    if (!present) return present.error();
    for (const std::string& file : *present) {
      if (wanted->count(file)) continue;
      Differ(starter / file, "has no solution; remove this file, or add the solution", &differences);
    }
  }
  if (!differences.empty()) return Error{ErrorKind::kUsage, differences};
  return {};
}

}  // namespace warpgrade::starter
