#include "tests/config/course_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace warpgrade::config {
namespace {

// A folder for one test process, removed at its end.
struct Folder {
  Folder() : path(testing::TempDir() + "warpgrade_course_" + std::to_string(getpid()) + "/") {
    std::filesystem::create_directories(path);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string path;
};

const std::string& FolderPath() {
  static const Folder folder;
  return folder.path;
}

}  // namespace

Result<Course> LoadText(const std::string& text, const KitRungs& kit) {
  const std::string path = FolderPath() + "course.yaml";
  std::ofstream(path, std::ios::binary) << text;
  return LoadCourse(path, {"shared_bank_conflicts", "global_load_efficiency"}, kit);
}

std::string Mistakes(const std::string& text, const KitRungs& kit) {
  const Result<Course> course = LoadText(text, kit);
  if (course) return "";
  EXPECT_EQ(course.error().kind, ErrorKind::kUsage);
  std::string message = course.error().message;
  for (size_t at; (at = message.find(FolderPath())) != std::string::npos;) message.erase(at, FolderPath().size());
  return message;
}

std::string CourseWithRung(const std::string& rung) {
  std::string text =
      "course: {name: C}\n"
      "targets: {h200: {match: NVIDIA H200}}\n"
      "labs:\n"
      "  lab1:\n"
      "    title: L\n"
      "    rungs:\n"
      "      v1:\n"
      "        title: T\n";
  std::istringstream lines(rung);
  for (std::string line; std::getline(lines, line);) text += "        " + line + "\n";
  return text;
}

std::vector<std::string> MetricNames() {
  return {
#define WARPGRADE_METRIC(name, unit, better, description) #name,
#include "grader/emulator/counters/metrics.def"
#undef WARPGRADE_METRIC
  };
}

}  // namespace warpgrade::config
