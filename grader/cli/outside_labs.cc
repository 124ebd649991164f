// Tests: tests/cli/author_test.cc.
#include "grader/cli/outside_labs.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "grader/cli/grade_stages.h"
#include "grader/cli/metric_names.h"
#include "grader/described/prepare.h"
#include "labs/labs.h"

namespace warpgrade::cli {
namespace {

Result<described::Description> Read(const config::Lab& lab) {
  if (IsLabOfTheKit(lab.name)) {
    return Error{
        ErrorKind::kUsage,
        fmt::format("{}/{}: the kit has a lab '{}' of its own; give this one another name, here and in course.yaml",
                    lab.from, config::kLabFileName, lab.name)};
  }
  Result<described::Description> description = described::ReadDescription(lab.from);
  if (!description || description->name == lab.name) return description;
  return Error{ErrorKind::kUsage,
               fmt::format("{}/{}: its name is '{}', but course.yaml calls it '{}'; write the same name in both",
                           lab.from, config::kLabFileName, description->name, lab.name)};
}

// True if every user of this machine can read the file at `path`.
bool EverybodyCanRead(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if ((fs::status(path, error).permissions() & fs::perms::others_read) == fs::perms::none || error) return false;
  for (fs::path folder = fs::absolute(path, error).parent_path(); !error; folder = folder.parent_path()) {
    if ((fs::status(folder, error).permissions() & fs::perms::others_exec) == fs::perms::none) return false;
    if (folder == folder.root_path()) return true;
  }
  return true;  // nobody knows
}

// Why a lab cannot be graded where programs see the files of this machine, as another user; "" if it can be.
std::string WhyNotAsAnotherUser(const config::Lab& lab) {
  const std::string hidden = (std::filesystem::path(lab.from) / described::kHiddenFile).string();
  if (!EverybodyCanRead(hidden)) return "";
  return fmt::format(
      "{}: the programs of students run as another user here, and could read the hidden cases in this "
      "file; run `chmod 600 {}` first",
      hidden, hidden);
}

}  // namespace

void OpenOutsideLabs(const config::Course& course, config::Kit* kit) {
  config::AddOutsideLabs(course, kit);
  for (const config::Lab& lab : course.labs) {
    if (lab.from.empty()) continue;
    Result<described::Description> description = Read(lab);
    if (description) {
      AddLab(described::MakeLab(std::move(*description), {}));
    } else {
      kit->outside[lab.name].why_not = description.error().message;
    }
  }
}

void PrepareOutsideLabs(const std::vector<config::Lab>& labs, const config::Course& course, config::Kit* kit,
                        bool use_cache, const std::atomic<bool>* cancel, bool as_another_user) {
  for (const config::Lab& lab : labs) {
    if (lab.from.empty() || !kit->outside[lab.name].why_not.empty()) continue;
    config::OutsideLab& to = kit->outside[lab.name];
    if (as_another_user && !(to.why_not = WhyNotAsAnotherUser(lab)).empty()) continue;
    Result<described::Description> description = Read(lab);
    const auto options = BuildOptionsFor(*kit, course, false, use_cache);
    if (!description || !options) {
      to.why_not = description ? options.error().message : description.error().message;
      continue;
    }
    Result<described::Built> built =
        described::Prepare(*description, *options, use_cache ? described::DefaultCacheDir() : "", cancel);
    if (!built) {
      to.why_not = built.error().message;
      continue;
    }
    to.built = built->folder;
    AddLab(described::MakeLab(std::move(*description), std::move(*built)));
  }
}

std::string StarterFolder(const config::Kit& kit, const std::string& course_yaml, const std::string& lab) {
  const auto course = config::LoadCourse(course_yaml.empty() ? kit.course_yaml : course_yaml, MetricNames(), {}, {},
                                         config::BrokenLabs::kKeep);
  if (!course) return kit.starter_dir;  // the mistake is told when the course is used
  config::Kit with_labs = kit;
  config::AddOutsideLabs(*course, &with_labs);
  return std::filesystem::path(with_labs.StarterOf(lab)).parent_path().string();
}

}  // namespace warpgrade::cli
