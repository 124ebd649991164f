// `warpgrade judge-rung`: the process in which one rung is judged (grader/judge/child.cc starts it), so that a fault in
// the emulator costs that rung and not the batch. Not for people: it reads its request from a descriptor.
#include <memory>
#include <stdexcept>
#include <utility>

#include "grader/cli/commands.h"
#include "grader/described/described_lab.h"
#include "grader/judge/judge.h"
#include "labs/labs.h"

namespace warpgrade::cli {
namespace {

// The caller turns an exception into the error of the rung.
const Lab* OpenLab(const std::string& name, const std::string& source) {
  if (source.empty()) return FindLab(name);
  Result<std::unique_ptr<const Lab>> lab = described::OpenBuilt(source);
  if (!lab) throw std::runtime_error(lab.error().message);
  return AddLab(std::move(*lab));
}

}  // namespace

void AddJudgeRungCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(judge::kJudgeRungCommand, "Judge one rung (internal)");
  command->group("");
  command->callback([exit_code] { *exit_code = judge::JudgeRungMain(OpenLab); });
}

}  // namespace warpgrade::cli
