// Runs the dynamic loader as `ldd -r` does: it loads the libraries of a program, looks for every symbol, and prints
// what it does not find. Asked a second time for what the start needs only, it tells whether main() was reached.
// Tests: tests/cli/loader_report_test.cc and run_command_test.cc.
#include "grader/cli/loader_report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <sstream>

#include "grader/cli/source_lines.h"
#include "grader/demangle/demangle.h"
#include "grader/sandbox/process.h"

namespace warpgrade::cli {
namespace {

constexpr size_t kLongestSymbol = 200;

std::string Shown(std::string_view name) { return Printable(Demangle(std::string(name)), kLongestSymbol); }

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// "the CUDA runtime", "libcudart.so.13" and its functions are ours.
bool IsOfCudart(std::string_view symbol) {
  return symbol.starts_with("cuda") || symbol.starts_with("__cuda") ||
         symbol.find("version libcudart.so.") != std::string_view::npos;
}

std::string MissingSymbol(std::string_view symbol) {
  const std::string name = Shown(symbol.substr(0, symbol.find(',')));
  if (IsOfCudart(symbol)) {
    return fmt::format(
        "it calls {}, a function of the CUDA runtime that the emulator does not have; leave the call out, or run the "
        "program on a GPU with --device gpu",
        name);
  }
  return fmt::format(
      "none of its libraries has {}; a library that was found is older or newer than the one that the program was "
      "linked with, so build both again, or name the right folder in LD_LIBRARY_PATH",
      name);
}

// What the loader printed; nullopt when it could not be run. `now`: for every function, also those that are looked for
// only at their first call.
std::optional<std::string> Printed(const ProgramFile& program, bool now) {
  sandbox::ProcessOptions loader;
  // Named first, so that the loader runs even for a program that would take no notice of the variable.
  loader.argv = {program.loader, program.path};
  loader.environment.emplace_back("LD_TRACE_LOADED_OBJECTS=1");
  for (char** variable = environ; *variable != nullptr; ++variable) loader.environment.emplace_back(*variable);
  loader.environment.emplace_back("LD_WARN=yes");
  if (now) loader.environment.emplace_back("LD_BIND_NOW=yes");
  loader.limits.wall_ms = 60'000;
  loader.limits.limit_address_space = false;
  const Result<sandbox::ProcessResult> ran = sandbox::RunProcess(loader);
  if (!ran || ran->limit_exceeded() || ran->signal != 0) return std::nullopt;
  return ran->output;
}

}  // namespace

std::string MissingIn(std::string_view printed) {
  constexpr std::string_view kNoLibrary = " => not found", kNoSymbol = "undefined symbol: ";
  std::string symbol;
  std::istringstream lines{std::string(printed)};
  for (std::string line; std::getline(lines, line);) {
    if (const size_t at = line.find(kNoLibrary); at != std::string::npos) {
      const std::string library = Shown(Trimmed(std::string_view(line).substr(0, at)));
      return fmt::format(
          "it needs the library {}, which is in none of the folders where the loader looks; put the library's folder "
          "into LD_LIBRARY_PATH",
          library);
    }
    if (line.find("version `") != std::string::npos && line.find("' not found") != std::string::npos) {
      return fmt::format("a library has another version than the one that it was linked with ({}); link it again here",
                         Printable(std::string(Trimmed(line)), kLongestSymbol));
    }
    if (const size_t at = line.find(kNoSymbol); at != std::string::npos && symbol.empty()) {
      const std::string_view rest = std::string_view(line).substr(at + kNoSymbol.size());
      symbol = MissingSymbol(Trimmed(rest.substr(0, rest.find_first_of("\t("))));
    }
  }
  return symbol;
}

std::optional<LoaderReport> AskLoader(const ProgramFile& program) {
  // Only the loader of the GNU C library is known to list without running the program.
  if (program.loader.find("/ld-linux") == std::string::npos) return std::nullopt;
  const std::optional<std::string> all = Printed(program, true);
  std::string why = all ? MissingIn(*all) : "";
  if (why.empty()) return std::nullopt;
  const std::optional<std::string> at_start = Printed(program, false);
  return LoaderReport{at_start && MissingIn(*at_start).empty(), std::move(why)};
}

}  // namespace warpgrade::cli
