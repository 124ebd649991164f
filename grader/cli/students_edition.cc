// The edition for students: no command of the staff, no hidden cases, no explanations of quiz answers. A command of the
// staff is refused with the reason, so that nobody takes a grade on the public cases for the course's. Only `autograde`
// is here too, for GitHub Classroom's workflow, which students can read; it says that it used the public cases.
// Tests: tests/release/students_edition_test.cc.
#include <fmt/format.h>

#include "grader/cli/commands.h"
#include "grader/cli/edition.h"
#include "grader/cli/exit_code.h"

namespace warpgrade::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  warpgrade check lab1        grade your own lab1 on the public cases\n"
    "  warpgrade check lab1 v3     grade one of its rungs\n"
    "  warpgrade run -- ./program  run a CUDA program, on the emulator if there is no GPU\n"
    "  warpgrade COMMAND --help    show the options and examples of one command\n"
    "\n";

constexpr const char* kStaffCommands[] = {
    "grade",   "batch",       "inbox",      "book",         "export",     "accept",    "validate", "what-if", "similar",
    "release", "leaderboard", "autograder", "make-starter", "slurm-task", "calibrate", "new",      "prove"};

void AddTheirCommands(CLI::App& app, int* exit_code) {
  AddAutogradeCommand(app, exit_code);
  for (const char* name : kStaffCommands) {
    CLI::App* command = app.add_subcommand(name, "Not in the students' edition");
    command->group("");
    command->prefix_command();
    command->callback([name, exit_code] {
      *exit_code = Fail(
          Error{ErrorKind::kUsage,
                fmt::format("`{}` is not in the students' edition: hidden cases are drawn only by the course's grader. "
                            "`warpgrade check LAB` grades your files on the public cases",
                            name)});
    });
  }
}

}  // namespace

const Edition& ThisEdition() {
  static const Edition kEdition = {.for_students = true,
                                   .version_suffix = ", students' edition",
                                   .examples = kExamples,
                                   .add_commands = AddTheirCommands};
  return kEdition;
}

}  // namespace warpgrade::cli
