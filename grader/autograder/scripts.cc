// Tests: tests/autograder/autograder_command_test.cc.
#include "grader/autograder/scripts.h"

#include <string_view>
#include <utility>

// C++20 has no #embed, but the assembler can include a file.
#define EMBED(symbol, file)                                                                                          \
  asm(".section .rodata\n"                                                                                           \
      "warpgrade_" #symbol                                                                                           \
      "_begin:\n"                                                                                                    \
      ".incbin \"" WARPGRADE_SCRIPTS "/" file                                                                        \
      "\"\n"                                                                                                         \
      "warpgrade_" #symbol                                                                                           \
      "_end:\n"                                                                                                      \
      ".previous\n");                                                                                                \
  extern "C" {                                                                                                       \
  extern const char warpgrade_##symbol##_begin[] __attribute__((visibility("hidden")));                              \
  extern const char warpgrade_##symbol##_end[] __attribute__((visibility("hidden")));                                \
  }                                                                                                                  \
  namespace {                                                                                                        \
  std::string_view symbol() {                                                                                        \
    return {warpgrade_##symbol##_begin, static_cast<size_t>(warpgrade_##symbol##_end - warpgrade_##symbol##_begin)}; \
  }                                                                                                                  \
  }

EMBED(setup_sh, "setup.sh")
EMBED(run_autograder, "run_autograder")
EMBED(grade_push, "grade_push")
EMBED(classroom_yml, "classroom.yml")

namespace warpgrade::autograder {
namespace {

// Beyond the time for one submission, a workflow installs compilers.
constexpr int kMinutesToInstall = 15;

std::string Filled(std::string_view script, const ScriptFacts& facts) {
  std::string text(script);
  const std::pair<std::string_view, std::string> values[] = {
      {"@LAB@", facts.lab},
      {"@MINUTES@", std::to_string(facts.minutes)},
      {"@LIMIT@", std::to_string(facts.minutes + kMinutesToInstall)}};
  for (const auto& [name, value] : values) {
    for (size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += value.size()) {
      text.replace(at, name.size(), value);
    }
  }
  return text;
}

}  // namespace

std::string SetupScript(const ScriptFacts& facts) { return Filled(setup_sh(), facts); }
std::string RunAutograderScript(const ScriptFacts& facts) { return Filled(run_autograder(), facts); }
std::string GradePushScript(const ScriptFacts& facts) { return Filled(grade_push(), facts); }
std::string ClassroomWorkflow(const ScriptFacts& facts) { return Filled(classroom_yml(), facts); }

}  // namespace warpgrade::autograder
