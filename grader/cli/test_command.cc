// `warpgrade test` belongs to the launcher, which has the source tree that it builds.
#include <fmt/format.h>

#include <cstdio>

#include "grader/cli/commands.h"
#include "grader/cli/exit_code.h"

namespace warpgrade::cli {

void AddTestCommand(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("test", "Build and run the kit's own tests (from a source tree: ./warpgrade test)");
  command->footer(
      "Examples:\n"
      "  ./warpgrade test                 everything\n"
      "  ./warpgrade test -R Emulator     what ctest -R selects");
  command->prefix_command();
  command->callback([exit_code] {
    fmt::print(stderr, "warpgrade: the tests are built from a source tree; run ./warpgrade test there\n");
    *exit_code = kUsage;
  });
}

}  // namespace warpgrade::cli
