// Adds the state to the data of the submission's page, and ui.js to its scripts. Tests: tests/ui/browser_test.py.
#include "grader/report/html_ui.h"

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "grader/report/html.h"
#include "grader/report/html_json.h"
#include "grader/report/html_parts.h"
#include "grader/report/text.h"

namespace warpgrade::report {
namespace {

nlohmann::ordered_json StateJson(const UiState& state) {
  return {
      {"serial", state.serial}, {"page", state.page}, {"busy", state.busy}, {"status", PrintableLine(state.status)}};
}

// The page's policy stands in its first element "meta" of that kind (page.html).
UiPageText WithPolicy(std::string page) {
  constexpr std::string_view kBefore = "Content-Security-Policy\" content=\"";
  const size_t begin = page.find(kBefore) + kBefore.size();
  std::string policy = page.substr(begin, page.find('"', begin) - begin);
  return {std::move(page), std::move(policy)};
}

}  // namespace

std::string UiStateText(const UiState& state) { return ScriptSafe(StateJson(state)); }

UiPageText UiPage(const std::optional<score::GradingReport>& report, const UiState& state, const std::string& title,
                  const std::string& kit_version) {
  constexpr const char* kMayAsk = "connect-src 'self'; ";
  nlohmann::ordered_json ui = StateJson(state);
  ui["title"] = PrintableLine(title);
  if (!report)
    return WithPolicy(PageOf(kUiJs, ScriptSafe({{"kit", kit_version}, {"course", ""}, {"ui", ui}}), kMayAsk));
  std::string data = SubmissionData(*report);
  data.pop_back();  // the closing brace
  data += ",\"ui\":" + ScriptSafe(ui) + "}";
  return WithPolicy(PageOf(SubmissionScripts() + std::string(kUiJs), data, kMayAsk));
}

}  // namespace warpgrade::report
