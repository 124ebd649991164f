// `warpgrade make-starter`: starter/ from solutions/.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "grader/cli/commands.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/config/kit.h"
#include "grader/starter/starter.h"

namespace warpgrade::cli {
namespace {

struct MakeStarterOptions {
  std::string solutions, starter;  // "": the kit's
  bool check = false;
};

int MakeStarter(MakeStarterOptions options) {
  if (options.solutions.empty() || options.starter.empty()) {
    const auto kit = config::FindKit(ExecutablePath());
    if (!kit) return Fail(kit.error());
    if (options.solutions.empty()) options.solutions = kit->solutions_dir;
    if (options.starter.empty()) options.starter = kit->starter_dir;
  }
  const Status made = starter::MakeStarterTree(options.solutions, options.starter, options.check);
  if (!made.ok()) return Fail(made.error());
  fmt::print("{} {}\n", options.starter, options.check ? "is up to date" : "is what the solutions give");
  return kDone;
}

}  // namespace

void AddMakeStarterCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("make-starter", "Make the students' starter files from the solutions");
  command->footer(
      "Examples:\n"
      "  warpgrade make-starter             after editing a file below solutions/\n"
      "  warpgrade make-starter --check     in a test: fails when a starter file is stale");
  auto options = std::make_shared<MakeStarterOptions>();
  command->add_flag("--check", options->check, "Write nothing; fail when a file is stale");
  command->add_option("--solutions", options->solutions, "Folder to read (default: the kit's)")->type_name("DIR");
  command->add_option("--starter", options->starter, "Folder to write (default: the kit's)")->type_name("DIR");
  command->callback([options, exit_code] { *exit_code = MakeStarter(*options); });
}

}  // namespace warpgrade::cli
