// The edition for the staff of a course: every command. Tests: tests/cli/command_line_test.cc.
#include "grader/cli/commands.h"
#include "grader/cli/edition.h"
#include "grader/quiz/explain.h"

namespace warpgrade::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  warpgrade check lab1                          grade your own lab1 on the public cases\n"
    "  warpgrade grade submissions/ --csv marks.csv  grade a folder of submissions\n"
    "  warpgrade grade alice.zip --lab lab2          grade one submission, one lab\n"
    "  warpgrade run -- ./program                    run a CUDA program, on the emulator if there is no GPU\n"
    "  warpgrade COMMAND --help                      show the options and examples of one command\n"
    "\n";

void AddStaffCommands(CLI::App& app, int* exit_code) {
  AddGradeCommand(app, exit_code);
  AddBatchCommand(app, exit_code);
  AddInboxCommand(app, exit_code);
  AddBookCommand(app, exit_code);
  AddExportCommand(app, exit_code);
  AddLeaderboardCommand(app, exit_code);
  AddAutograderCommand(app, exit_code);
  AddAcceptCommand(app, exit_code);
  AddValidateCommand(app, exit_code);
  AddWhatIfCommand(app, exit_code);
  AddCalibrateCommand(app, exit_code);
  AddSimilarCommand(app, exit_code);
  AddReleaseCommand(app, exit_code);
  AddNewCommand(app, exit_code);
  AddProveCommand(app, exit_code);
  AddMakeStarterCommand(app, exit_code);
  AddAutogradeCommand(app, exit_code);
  AddSlurmTaskCommand(app, exit_code);
}

}  // namespace

const Edition& ThisEdition() {
  static const Edition kEdition = {
      .examples = kExamples, .add_commands = AddStaffCommands, .explain_answer = quiz::Explain};
  return kEdition;
}

}  // namespace warpgrade::cli
