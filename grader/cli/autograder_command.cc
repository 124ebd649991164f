// `warpgrade autograder`: writes what a learning platform needs to grade a lab by itself: a zip for Gradescope, or the
// zip and a workflow for GitHub Classroom. Tests: tests/autograder/autograder_command_test.cc.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "grader/autograder/contents.h"
#include "grader/autograder/scripts.h"
#include "grader/autograder/zip.h"
#include "grader/cli/commands.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/kit_build.h"
#include "grader/cli/metric_names.h"
#include "grader/cli/outside_labs.h"
#include "grader/cli/report_output.h"
#include "grader/cli/selection.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/report/file.h"
#include "grader/roster/roster.h"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

struct AutograderOptions {
  std::string lab, output, classroom, roster, course_yaml;
  int minutes = 10;
  bool for_this_machine = false;
};

Result<autograder::Autograder> Prepare(const AutograderOptions& options) {
  Result<config::Kit> kit = config::FindKit(ExecutablePath());
  if (!kit) return kit.error();
  autograder::Autograder autograder{.kit = *kit};
  autograder.course_yaml = options.course_yaml.empty() ? kit->course_yaml : options.course_yaml;
  const auto course = config::LoadCourse(autograder.course_yaml, MetricNames(), kit->Rungs());
  if (!course) return course.error();
  const auto labs = SelectRungs(*course, {options.lab}, {});
  if (!labs) return labs.error();
  OpenOutsideLabs(*course, &*kit);
  PrepareOutsideLabs(*labs, *course, &*kit, true, nullptr);
  autograder.kit = *kit;
  autograder.facts = {options.lab, options.minutes};
  if (const Status built = kit->CheckBuilt({options.lab}); !built.ok()) return built.error();
  const bool students = !options.classroom.empty();
  if (options.for_this_machine) {
    if (const Status there = students ? CheckStudentsEdition(*kit) : Status(); !there.ok()) return there.error();
    return autograder;
  }
  if (const Status compiled = CompileForEveryProcessor(*kit); !compiled.ok()) return compiled.error();
  if (const Status built = students ? BuildStudentsEdition(*kit) : Status(); !built.ok()) return built.error();
  return autograder;
}

std::string QuotedField(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// A roster with nothing but the ids and the names by which a platform knows the students.
std::string RosterFor(const std::vector<roster::Student>& students, const char* column,
                      std::string roster::Student::*name) {
  if (students.empty()) return "";
  std::string csv = fmt::format("id,{}\n", column);
  for (const roster::Student& student : students) {
    csv += QuotedField(student.id) + "," + QuotedField(student.*name) + "\n";
  }
  return csv;
}

Status MakeFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) return Status();
  return Error{ErrorKind::kUsage, fmt::format("{}: the folder cannot be made: {}", folder.string(), error.message())};
}

std::string MegabytesOf(const std::string& path) {
  std::error_code error;
  return fmt::format("{:.1f} MB", static_cast<double>(fs::file_size(path, error)) / 1e6);
}

Status WriteZipOf(const autograder::Autograder& autograder, const std::string& executable, const std::string& path) {
  const auto contents = autograder::ContentsOf(autograder, executable);
  if (!contents) return contents.error();
  const auto zip = autograder::ZipText(*contents);
  if (!zip) return Error{zip.error().kind, fmt::format("{}: {}", path, zip.error().message)};
  return report::WriteFile(path, *zip);
}

Status WriteAutograder(const AutograderOptions& options) {
  if (!options.output.empty()) {
    if (Status can = CheckFile(options.output, "--output"); !can.ok()) return can;
  }
  std::vector<roster::Student> students;
  if (!options.roster.empty()) {
    auto read = roster::ReadRoster(options.roster);
    if (!read) return read.error();
    students = std::move(*read);
  }
  Result<autograder::Autograder> autograder = Prepare(options);
  if (!autograder) return autograder.error();
  if (!options.output.empty()) {
    autograder->roster = RosterFor(students, "e-mail", &roster::Student::email);
    if (Status written = WriteZipOf(*autograder, ExecutablePath(), options.output); !written.ok()) return written;
    fmt::print("{}: {}, the autograder of {} for Gradescope\n", options.output, MegabytesOf(options.output),
               options.lab);
  }
  if (options.classroom.empty()) return Status();
  const std::string workflow = (fs::path(options.classroom) / ".github/workflows/classroom.yml").string();
  const std::string zip = (fs::path(options.classroom) / ".github/warpgrade.zip").string();
  if (Status made = MakeFolder(fs::path(workflow).parent_path()); !made.ok()) return made;
  autograder->roster = RosterFor(students, "github", &roster::Student::github);
  autograder->students_read_it = true;
  if (Status made = WriteZipOf(*autograder, autograder->kit.students_edition, zip); !made.ok()) return made;
  Status written = report::WriteFile(workflow, autograder::ClassroomWorkflow(autograder->facts));
  if (!written.ok()) return written;
  fmt::print("{}: {}, the grader of {} on the public cases\n{}: the workflow that uses it\n", zip, MegabytesOf(zip),
             options.lab, workflow);
  return Status();
}

int MakeAutograder(const AutograderOptions& options) {
  if (options.output.empty() && options.classroom.empty()) {
    return Fail(
        {ErrorKind::kUsage, "say where to write: --output lab.zip for Gradescope, or --github-classroom FOLDER"});
  }
  const Status written = WriteAutograder(options);
  return written.ok() ? kDone : Fail(written.error());
}

}  // namespace

void AddAutograderCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("autograder", "Write an autograder for Gradescope or GitHub Classroom");
  command->footer(
      "Examples:\n"
      "  warpgrade autograder --lab lab3 --output lab3.zip\n"
      "                                         for Gradescope: upload the zip as the assignment's autograder\n"
      "  warpgrade autograder --lab lab3 --output lab3.zip --roster roster.csv --minutes 20\n"
      "                                         find the students by e-mail, and take 20 minutes at most\n"
      "  warpgrade autograder --lab lab3 --github-classroom template/\n"
      "                                         for GitHub Classroom: write into the template repository\n"
      "\n"
      "It grades on the emulator, so throughput is not measured. It holds no solutions. Students can read the one for\n"
      "GitHub Classroom, so it grades on the public cases only: grade the repositories once more with `batch`.\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto options = std::make_shared<AutograderOptions>();
  command->add_option("--lab", options->lab, "The lab that it grades")->required()->type_name("LAB");
  command->add_option("--output,-o", options->output, "For Gradescope: the zip file to write")->type_name("FILE");
  command
      ->add_option("--github-classroom", options->classroom,
                   "For GitHub Classroom: write .github/workflows/classroom.yml and .github/warpgrade.zip into this "
                   "folder")
      ->type_name("FOLDER");
  command
      ->add_option("--roster", options->roster,
                   "Find the ids of students, for the quiz, by their e-mail addresses or their names on GitHub "
                   "(default: what stands before the @, or the name on GitHub)")
      ->type_name("FILE");
  command
      ->add_option("--minutes", options->minutes,
                   "The platform's time limit for one submission (default: 10, as on Gradescope)")
      ->check(CLI::Range(1, 360).description(""))
      ->type_name("N");
  command->add_option("--course", options->course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  // For tests, which grade on this machine and must not change the build that they test.
  command->add_flag("--for-this-machine", options->for_this_machine)
      ->envname("WARPGRADE_AUTOGRADER_FOR_THIS_MACHINE")
      ->group("");
  command->callback([options, exit_code] { *exit_code = MakeAutograder(*options); });
}

}  // namespace warpgrade::cli
