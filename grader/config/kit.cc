// Finds kit.yaml, from WARPGRADE_KIT or from the place of the executable, and reads the paths in it.
// Tests: tests/config/kit_test.cc.
#include "grader/config/kit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "grader/config/course.h"
#include "grader/config/yaml_reader.h"

namespace warpgrade::config {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKitFile = "share/warpgrade/kit.yaml";
constexpr const char* kLabPlace = "{lab}";
const std::vector<std::string> kKitKeys = {"labs",   "course",     "solutions", "starter", "emulator_library",
                                           "worker", "calibrator", "adapter",   "include", "students_edition"};

// CMake writes kit.yaml.
constexpr const char* kWriteAgain =
    "run cmake again in the build folder, or install the kit again: both write this file";

// `text` seen from `root`, without "." and "..".
std::string Absolute(const fs::path& root, const std::string& text) {
  return (root / text).lexically_normal().string();
}

std::string ReadPath(const MapReader& map, const char* key, const fs::path& root, Problems* problems) {
  const YamlNode* node = map.Require(key, kWriteAgain);
  if (!node) return "";
  const auto text = ReadText(*node, key, problems);
  return text ? Absolute(root, *text) : "";
}

std::vector<std::string> ReadPaths(const MapReader& map, const char* key, const fs::path& root, Problems* problems) {
  std::vector<std::string> paths;
  const YamlNode* node = map.Require(key, kWriteAgain);
  if (!node) return paths;
  if (node->kind != YamlNode::Kind::kSequence) {
    problems->Add(node->place, fmt::format("{} is not a list; write [PATH, PATH]", key));
    return paths;
  }
  for (const YamlNode& item : node->items) {
    if (const auto text = ReadText(item, key, problems)) paths.push_back(Absolute(root, *text));
  }
  return paths;
}

// The first of `candidates` that is there; the error lists them all.
Result<std::string> FirstPresent(const std::vector<std::string>& candidates, ErrorKind kind, const std::string& what,
                                 const std::string& to_do) {
  std::string looked;
  for (const std::string& candidate : candidates) {
    std::error_code ignored;
    if (fs::is_regular_file(candidate, ignored)) return candidate;
    looked += (looked.empty() ? "" : " and ") + candidate;
  }
  return Error{kind, fmt::format("{}: looked for {}; {}", what, looked, to_do)};
}

}  // namespace

std::string Kit::LabFolder(const std::string& lab) const {
  const auto from = outside.find(lab);
  return from == outside.end() ? labs_dir + "/" + lab : from->second.folder;
}

std::string Kit::SolutionsOf(const std::string& lab) const {
  const auto from = outside.find(lab);
  return (from == outside.end() ? solutions_dir : from->second.folder + "/solutions") + "/" + lab;
}

// The folder of a release has the starter files of all labs in one place.
std::string Kit::StarterOf(const std::string& lab) const {
  const auto from = outside.find(lab);
  std::error_code ignored;
  const std::string own = from == outside.end() ? "" : from->second.folder + "/starter/" + lab;
  return !own.empty() && fs::is_directory(own, ignored) ? own : starter_dir + "/" + lab;
}

std::vector<std::string> Kit::HeaderFolders() const {
  std::vector<std::string> folders;
  for (const auto& [name, lab] : outside) {
    if (!lab.built.empty()) folders.push_back(lab.built);
  }
  folders.insert(folders.end(), include_dirs.begin(), include_dirs.end());
  return folders;
}

std::string Kit::adapter_archive(const std::string& lab) const {
  if (const auto from = outside.find(lab); from != outside.end()) return from->second.built + "/adapter.a";
  std::string path = adapter_pattern;
  const size_t place = path.find(kLabPlace);
  if (place != std::string::npos) path.replace(place, std::string(kLabPlace).size(), lab);
  return path;
}

Status Kit::CheckBuilt(const std::vector<std::string>& labs) const {
  std::vector<std::string> needed = {worker_archive, calibrator, emulator_library_dir + "/libcudart.so.13"};
  for (const std::string& lab : labs) {
    const auto from = outside.find(lab);
    if (from != outside.end() && !from->second.why_not.empty()) {
      return Error{ErrorKind::kMachine, from->second.why_not};
    }
    if (from == outside.end()) needed.push_back(adapter_archive(lab));
  }
  std::string missing;
  for (const std::string& path : needed) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) missing += (missing.empty() ? "" : ", ") + path;
  }
  if (missing.empty()) return Status();
  return Error{
      ErrorKind::kMachine,
      fmt::format("these files are not built: {}; run `cmake --build .` in the build folder, or install the kit again",
                  missing)};
}

KitRungs Kit::Rungs() const {
  KitRungs labs;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(labs_dir, ignored)) {
    const std::string lab = entry.path().filename().string();
    if (!fs::exists(entry.path() / (lab + ".h"), ignored)) continue;  // what labs share
    if (fs::exists(entry.path() / kLabFileName, ignored)) continue;   // of a release: a lab from outside of the kit
    std::set<std::string> rungs;
    for (const std::string& folder : {starter_dir, solutions_dir}) {
      for (const fs::directory_entry& file : fs::directory_iterator(fs::path(folder) / lab, ignored)) {
        if (file.path().extension() == ".cu") rungs.insert(file.path().stem().string());
      }
    }
    labs[lab].assign(rungs.begin(), rungs.end());
  }
  return labs;
}

Result<Kit> ReadKit(const std::string& kit_yaml) {
  Problems problems(kit_yaml);
  const std::optional<YamlNode> tree = ReadYamlFile(kit_yaml, &problems);
  Kit kit;
  if (tree) {
    const fs::path root = fs::absolute(kit_yaml).lexically_normal().parent_path().parent_path().parent_path();
    const MapReader map(*tree, "", kKitKeys, &problems);
    kit.root = root.string();
    kit.labs_dir = ReadPath(map, "labs", root, &problems);
    kit.course_yaml = ReadPath(map, "course", root, &problems);
    kit.solutions_dir = ReadPath(map, "solutions", root, &problems);
    kit.starter_dir = ReadPath(map, "starter", root, &problems);
    kit.emulator_library_dir = ReadPath(map, "emulator_library", root, &problems);
    kit.worker_archive = ReadPath(map, "worker", root, &problems);
    kit.calibrator = ReadPath(map, "calibrator", root, &problems);
    kit.adapter_pattern = ReadPath(map, "adapter", root, &problems);
    if (map.Find("students_edition") != nullptr) {
      kit.students_edition = ReadPath(map, "students_edition", root, &problems);
    }
    kit.include_dirs = ReadPaths(map, "include", root, &problems);
  }
  if (!problems.empty()) return problems.ToError(ErrorKind::kMachine);
  for (const std::string& path : {kit.labs_dir, kit.course_yaml}) {
    std::error_code ignored;
    if (fs::exists(path, ignored)) continue;
    return Error{ErrorKind::kMachine,
                 fmt::format("{}: names {}, which does not exist; if the source tree or the installed kit was moved, "
                             "configure or install it again",
                             kit_yaml, path)};
  }
  return kit;
}

Result<Kit> FindKit(const std::string& executable) {
  if (const char* from_environment = std::getenv("WARPGRADE_KIT"); from_environment && *from_environment) {
    const fs::path root = fs::absolute(from_environment).lexically_normal();
    const auto found = FirstPresent({(root / kKitFile).string(), (root / "build" / kKitFile).string()},
                                    ErrorKind::kUsage, fmt::format("WARPGRADE_KIT={} is not a kit", from_environment),
                                    "set it to an installed prefix or a build folder, or unset it");
    return found ? ReadKit(*found) : found.error();
  }
  std::error_code error;
  fs::path real = fs::canonical(executable, error);
  if (error) real = fs::absolute(executable);
  const fs::path prefix = real.parent_path().parent_path();
  const auto found = FirstPresent(
      {(prefix / kKitFile).string()}, ErrorKind::kMachine, fmt::format("{} does not find its files", real.string()),
      "run it in its build folder or installed prefix, or set WARPGRADE_KIT to one of them");
  return found ? ReadKit(*found) : found.error();
}

}  // namespace warpgrade::config
