// The command line. Every command is a file of its own (commands.h); this one puts them together.
// Tests: tests/cli/command_line_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/cli/commands.h"
#include "grader/cli/edition.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/selection.h"

namespace warpgrade::cli {

int Fail(const Error& error) {
  fmt::print(stderr, "warpgrade: {}\n", error.message);
  return ExitCodeOf(error);
}

namespace {

// CLI11 would only say that a subcommand is required. nullopt if `typed` begins with a command of `app`, and of that
// command, or with an option.
std::optional<Error> UnknownCommand(const CLI::App& app, const std::string& where, std::span<char*> typed) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name().empty()) continue;  // a group of options
    if (!typed.empty() && command->get_name() == typed[0]) {
      return UnknownCommand(*command, where + " " + command->get_name(), typed.subspan(1));
    }
    if (!command->get_group().empty()) names.push_back(command->get_name());  // hidden commands have no group
  }
  if (names.empty() || (!typed.empty() && typed[0][0] == '-')) return std::nullopt;
  if (typed.empty()) {
    if (app.get_require_subcommand_min() == 0) return std::nullopt;  // it does something without one
    return Error{ErrorKind::kUsage, fmt::format("`{}` needs a command: {}; `{} --help` explains them", where,
                                                fmt::join(names, ", "), where)};
  }
  return Unknown("command", typed[0], names, where);
}

// The command that was typed, such as "warpgrade book list".
std::string NameOf(const CLI::App& app) {
  std::string name = app.get_name();
  for (const CLI::App* command : app.get_subcommands()) name += " " + NameOf(*command);
  return name;
}

std::string FailureText(const CLI::App* app, const CLI::Error& error) {
  return fmt::format("warpgrade: {}; `{} --help` shows all options\n", error.what(), NameOf(*app));
}

// `typed`, with kEndOfOptions before the `--` of `run`. Without it CLI11 takes a `--` after an option that has perhaps
// no value (--profile) for the end of the values of that option, and the options of the program for ours.
std::vector<char*> WithAnEnd(std::span<char*> typed) {
  static std::string end = kEndOfOptions;
  std::vector<char*> words(typed.begin(), typed.end());
  if (words.size() < 2 || words[1] != std::string_view("run")) return words;
  const auto at = std::find(words.begin(), words.end(), std::string_view("--"));
  if (at != words.end()) words.insert(at, end.data());
  return words;
}

int Main(int argc, char** argv) {
  CLI::App app("Grades the CUDA labs of a course, on a GPU or on an emulator.", "warpgrade");
  app.set_version_flag("--version", std::string("warpgrade " WARPGRADE_VERSION) + ThisEdition().version_suffix);
  app.footer(std::string(ThisEdition().examples) + kExitStatusHelp);
  app.require_subcommand(1);
  int exit_code = kDone;
  ThisEdition().add_commands(app, &exit_code);
  AddDoctorCommand(app, &exit_code);
  AddCheckCommand(app, &exit_code);
  AddExplainCommand(app, &exit_code);
  AddHandoutCommand(app, &exit_code);
  AddQuizCommand(app, &exit_code);
  AddPollCommand(app, &exit_code);
  AddCourseCommand(app, &exit_code);
  AddOccupancyCommand(app, &exit_code);
  AddPlotCommand(app, &exit_code);
  AddStudyCommand(app, &exit_code);
  AddRunCommand(app, &exit_code);
  AddUiCommand(app, &exit_code);
  AddTestCommand(app, &exit_code);
  AddCtestReportCommand(app, &exit_code);
  AddJudgeRungCommand(app, &exit_code);
  AddBuildRungCommand(app, &exit_code);
  app.failure_message(FailureText);
  const std::span<char*> typed = std::span(argv, static_cast<size_t>(argc)).subspan(argc > 0 ? 1 : 0);
  if (const std::optional<Error> unknown = UnknownCommand(app, "warpgrade", typed)) return Fail(*unknown);
  try {
    const std::vector<char*> words = WithAnEnd(std::span(argv, static_cast<size_t>(argc)));
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kUsage;  // prints the message, or the help
  } catch (const std::exception& error) {
    fmt::print(stderr, "warpgrade: {}; this is a bug, or the machine has run out of memory or files\n", error.what());
    return kMachineFailed;
  }
  return exit_code;
}

}  // namespace
}  // namespace warpgrade::cli

int main(int argc, char** argv) { return warpgrade::cli::Main(argc, argv); }
