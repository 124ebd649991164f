// The command line. Every command is a file of its own (commands.h); this one puts them together.
// Tests: tests/cli/command_line_test.cc.
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "grader/cli/commands.h"
#include "grader/cli/exit_code.h"

namespace warpgrade::cli {

int Fail(const Error& error) {
  fmt::print(stderr, "warpgrade: {}\n", error.message);
  return ExitCodeOf(error);
}

namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  warpgrade check lab1                    what your lab1 would get, on the public cases\n"
    "  warpgrade grade submissions/ --csv marks.csv\n"
    "                                          grade a folder of submissions\n"
    "  warpgrade grade alice.zip --lab lab2 --details\n"
    "  warpgrade COMMAND --help                options and examples of one command\n"
    "\n"
    "Exit status: 0 done, whatever the marks; 2 the command line or course.yaml is wrong; 3 the machine failed;\n"
    "130 interrupted.";

int Main(int argc, char** argv) {
  CLI::App app("Grades CUDA labs, on a GPU or on its own emulator.", "warpgrade");
  app.set_version_flag("--version", std::string("warpgrade " WARPGRADE_VERSION));
  app.footer(kExamples);
  app.require_subcommand(1);
  int exit_code = kDone;
  AddGradeCommand(app, &exit_code);
  AddAcceptCommand(app, &exit_code);
  AddCheckCommand(app, &exit_code);
  AddQuizCommand(app, &exit_code);
  AddMakeStarterCommand(app, &exit_code);
  AddRunCommand(app, &exit_code);
  AddTestCommand(app, &exit_code);
  AddCtestReportCommand(app, &exit_code);
  AddJudgeRungCommand(app, &exit_code);
  AddBuildRungCommand(app, &exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kUsage;  // prints the message, or the help that was asked for
  } catch (const std::exception& error) {
    fmt::print(stderr, "warpgrade: {}; this is a bug or a machine out of resources\n", error.what());
    return kMachineFailed;
  }
  return exit_code;
}

}  // namespace
}  // namespace warpgrade::cli

int main(int argc, char** argv) { return warpgrade::cli::Main(argc, argv); }
