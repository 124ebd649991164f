// `warpgrade test` is a command of the launcher, which builds the tests from the source tree. Here it only says so.
#include <fmt/format.h>

#include <cstdio>

#include "grader/cli/commands.h"
#include "grader/cli/exit_code.h"

namespace warpgrade::cli {

void AddTestCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "test", "Build and run the tests of warpgrade itself (only in a source tree: ./warpgrade test)");
  command->footer(
      "Examples:\n"
      "  ./warpgrade test              run all tests\n"
      "  ./warpgrade test -R Emulator  run the tests with Emulator in their names; all options of ctest work\n"
      "  ./warpgrade test lab1         run the tests that prove lab1\n"
      "\n"
      "Exit status: that of ctest, which is 0 if all tests pass.");
  command->prefix_command();
  command->callback([exit_code] {
    fmt::print(stderr, "warpgrade: an installed kit has no tests; run `./warpgrade test` in a source tree\n");
    *exit_code = kUsage;
  });
}

}  // namespace warpgrade::cli
