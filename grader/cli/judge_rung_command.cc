// `warpgrade judge-rung`: the process in which one rung is judged (grader/judge/child.cc starts it), so that a fault in
// the emulator costs that rung and not the batch. Not for people: it reads its request from a descriptor.
#include "grader/cli/commands.h"
#include "grader/judge/judge.h"
#include "labs/labs.h"

namespace warpgrade::cli {

void AddJudgeRungCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(judge::kJudgeRungCommand, "Judge one rung (internal)");
  command->group("");
  command->callback([exit_code] { *exit_code = judge::JudgeRungMain(FindLab); });
}

}  // namespace warpgrade::cli
