// Tests: tests/autograder/autograder_command_test.cc.
#include "grader/autograder/scripts.h"

#include <string_view>
#include <utility>

#include "grader/autograder/script_files.h"

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

std::string SetupScript(const ScriptFacts& facts) { return Filled(kSetupSh, facts); }
std::string RunAutograderScript(const ScriptFacts& facts) { return Filled(kRunAutograder, facts); }
std::string GradePushScript(const ScriptFacts& facts) { return Filled(kGradePush, facts); }
std::string ClassroomWorkflow(const ScriptFacts& facts) { return Filled(kClassroomYml, facts); }

}  // namespace warpgrade::autograder
