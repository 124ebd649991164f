// `warpgrade release DIR`: writes the folder that students work in, or with --staff the one for teaching assistants.
// Tests: tests/release/.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "grader/cli/commands.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/kit_build.h"
#include "grader/cli/metric_names.h"
#include "grader/cli/outside_labs.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/release/bundle.h"
#include "grader/release/folder.h"

namespace warpgrade::cli {
namespace {

struct ReleaseOptions {
  std::string folder, course_yaml;
  bool staff = false;
  bool for_this_machine = false;
};

// Builds what the release needs beyond the kit.
Status Build(const ReleaseOptions& options, const config::Kit& kit) {
  if (!options.for_this_machine) {
    if (Status compiled = CompileForEveryProcessor(kit); !compiled.ok()) return compiled;
    return options.staff ? Status() : BuildStudentsEdition(kit);
  }
  return options.staff ? Status() : CheckStudentsEdition(kit);
}

Result<release::Bundle> Prepare(const ReleaseOptions& options) {
  Result<config::Kit> kit = config::FindKit(ExecutablePath());
  if (!kit) return kit.error();
  release::Bundle bundle;
  bundle.readers = options.staff ? release::Readers::kStaff : release::Readers::kStudents;
  bundle.executable = options.staff ? ExecutablePath() : kit->students_edition;
  bundle.course_yaml = options.course_yaml.empty() ? kit->course_yaml : options.course_yaml;
  const auto course = config::LoadCourse(bundle.course_yaml, MetricNames(), kit->Rungs());
  if (!course) return course.error();
  OpenOutsideLabs(*course, &*kit);
  PrepareOutsideLabs(course->labs, *course, &*kit, true, nullptr);
  bundle.kit = *kit;
  bundle.course_name = fmt::format("{}, {}", course->name, course->term);
  std::vector<std::string> labs;
  for (const config::Lab& lab : course->labs) {
    labs.push_back(lab.name);
    for (const config::Rung& rung : lab.rungs) bundle.labs[lab.name].push_back(rung.name);
  }
  if (Status built = kit->CheckBuilt(labs); !built.ok()) return built.error();
  std::error_code ignored;
  if (options.staff && !std::filesystem::is_directory(kit->solutions_dir, ignored)) {
    return Error{ErrorKind::kUsage, fmt::format("{}: this kit was installed without the solutions, which --staff "
                                                "releases; run the command in the course's source tree",
                                                kit->root)};
  }
  if (Status built = Build(options, *kit); !built.ok()) return built.error();
  return bundle;
}

Status Release(const ReleaseOptions& options) {
  if (Status free = release::CheckIsFree(options.folder); !free.ok()) return free;
  const Result<release::Bundle> bundle = Prepare(options);
  if (!bundle) return bundle.error();
  const auto files = release::ContentsOf(*bundle);
  if (!files) return files.error();
  if (Status written = release::WriteFolder(options.folder, *files, WARPGRADE_DATE "T00:00:00Z"); !written.ok()) {
    return written;
  }
  size_t bytes = 0;
  for (const release::BundleFile& file : *files) bytes += file.content.size();
  fmt::print("{}: {} files, {:.1f} MB, {}\n", options.folder, files->size(), static_cast<double>(bytes) / 1e6,
             options.staff ? "for the staff, with solutions and hidden cases: do not give it to students"
                           : "for students, without solutions and hidden cases");
  return Status();
}

}  // namespace

void AddReleaseCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("release", "Write the folder that students work in, or the one for the staff");
  command->footer(
      "Examples:\n"
      "  warpgrade release ../students      for students, as a git repository: starter files, handouts, the grader\n"
      "                                     with the public cases, a workflow for GitHub, a development container\n"
      "  warpgrade release ../staff --staff for teaching assistants: also solutions, hidden cases and all documents\n"
      "\n"
      "The folder must be new or empty. It is written as a whole or not at all. Equal kits give equal folders.\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto options = std::make_shared<ReleaseOptions>();
  command->add_option("folder", options->folder, "The folder to write")->required()->type_name("DIR");
  command->add_flag("--staff", options->staff, "For teaching assistants, with what students must not see");
  command->add_option("--course", options->course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  // For tests, which must not change the build that they test.
  command->add_flag("--for-this-machine", options->for_this_machine)->group("");
  command->callback([options, exit_code] {
    const Status done = Release(*options);
    *exit_code = done.ok() ? kDone : Fail(done.error());
  });
}

}  // namespace warpgrade::cli
