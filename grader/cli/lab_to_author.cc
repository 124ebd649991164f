// Tests: tests/cli/author_test.cc.
#include "grader/cli/lab_to_author.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "grader/cli/executable_path.h"
#include "grader/cli/metric_names.h"
#include "grader/cli/outside_labs.h"
#include "grader/cli/selection.h"
#include "grader/config/students_text.h"
#include "grader/described/description.h"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

// The course.yaml in the lab's folder, if it brings this lab, or else a course of this lab alone.
Status CourseOf(const std::string& folder, LabToAuthor* to) {
  const Result<described::Description> description = described::ReadDescription(folder);
  if (!description) return description.error();
  to->lab = description->name;
  std::error_code ignored;
  to->course_yaml = folder + "/course.yaml";
  if (fs::exists(to->course_yaml, ignored)) {
    const auto course = config::LoadCourse(to->course_yaml, MetricNames(), {}, {}, config::BrokenLabs::kKeep);
    if (!course) return course.error();
    const config::Lab* const lab = course->FindLab(to->lab);
    if (lab != nullptr && lab->from == folder) return Status();
  }
  Result<build::WorkDirectory> work = build::WorkDirectory::Create();
  if (!work) return work.error();
  to->course_yaml = (work->path() / "course.yaml").string();
  to->own_course.emplace(std::move(*work));
  return build::WriteWholeFile(to->course_yaml,
                               fmt::format("course: {{name: Proof, term: none}}\nlabs:\n  {}: {{from: {}}}\n", to->lab,
                                           config::YamlScalar(folder)));
}

}  // namespace

Result<LabToAuthor> FindLabToAuthor(const std::string& typed, const std::string& course_yaml) {
  Result<config::Kit> kit = config::FindKit(ExecutablePath());
  if (!kit) return kit.error();
  LabToAuthor found;
  found.kit = std::move(*kit);
  std::error_code ignored;
  const fs::path folder = fs::absolute(typed).lexically_normal();
  if (course_yaml.empty() && fs::exists(folder / config::kLabFileName, ignored)) {
    const std::string text = folder.has_filename() ? folder.string() : folder.parent_path().string();
    if (Status made = CourseOf(text, &found); !made.ok()) return made.error();
  } else {
    found.lab = typed;
    found.course_yaml = course_yaml.empty() ? found.kit.course_yaml : course_yaml;
  }
  Result<config::Course> course =
      config::LoadCourse(found.course_yaml, MetricNames(), found.kit.Rungs(), {}, config::BrokenLabs::kKeep);
  if (!course) return course.error();
  if (const auto known = SelectRungs(*course, {found.lab}, {}); !known) {
    const bool is_path = typed.find('/') != std::string::npos || fs::exists(folder, ignored);
    if (!is_path || fs::exists(folder / config::kLabFileName, ignored)) return known.error();
    return Error{ErrorKind::kUsage,
                 fmt::format("{}: there is no {} in it; name the folder of a lab, or the name of one in course.yaml",
                             typed, config::kLabFileName)};
  }
  found.course = std::move(*course);
  OpenOutsideLabs(found.course, &found.kit);
  const auto outside = found.kit.outside.find(found.lab);
  if (outside != found.kit.outside.end() && !outside->second.why_not.empty()) {
    return Error{ErrorKind::kUsage, outside->second.why_not};
  }
  return found;
}

}  // namespace warpgrade::cli
