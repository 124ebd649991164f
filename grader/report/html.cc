// Puts a page together: the skeleton with its policy, style, data and scripts. The policy names each script and the
// style by the hash of its text, so the browser executes nothing else that may be in the file. Tests:
// tests/report/html_test.cc, and tests/report/html/ opens pages in a browser.
#include "grader/report/html.h"

#include <fmt/format.h>

#include <string_view>

#include "grader/digest/digest.h"
#include "grader/report/html_json.h"
#include "grader/report/html_parts.h"

namespace warpgrade::report {
namespace {

// `text` with `value` in the place of the only `mark`. REQUIRES: the mark is there.
std::string Filled(std::string text, std::string_view mark, std::string_view value) {
  const size_t at = text.find(mark);
  return text.replace(at, mark.size(), value);
}

std::string HashSource(std::string_view text) { return fmt::format("'sha256-{}'", Sha256Base64(text)); }

}  // namespace

std::string ScriptSafe(const nlohmann::ordered_json& json) {
  std::string safe;
  for (const char c : json.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace)) {
    if (c == '<' || c == '>' || c == '&') {
      safe += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string PageOf(std::string_view own_script, const std::string& data, const std::string& may_also,
                   const PageContent& content) {
  const std::string script = std::string(kSharedJs) + std::string(own_script);
  const std::string_view chart = content.charts ? kChartJs : std::string_view();
  const std::string policy = fmt::format(
      "default-src 'none'; {}script-src {} {}; style-src {}; base-uri 'none'; form-action 'none'; "
      "require-trusted-types-for 'script'; trusted-types 'none'",
      may_also, HashSource(chart), HashSource(script), HashSource(kPageCss));
  // The data and the content come last, so that no mark is looked for in them. The mark of the content stands before
  // the data.
  std::string page = Filled(std::string(kPageHtml), "@policy@", policy);
  page = Filled(std::move(page), "@style@", kPageCss);
  page = Filled(std::move(page), "@script@", script);
  page = Filled(std::move(page), "@chart@", chart);
  page = Filled(std::move(page), "@without-scripts@", content.without_scripts);
  page = Filled(std::move(page), "@data@", data);
  return Filled(std::move(page), "@content@", content.html);
}

std::string SubmissionScripts() {
  std::string scripts;
  for (const std::string_view part : {kPicturesJs, kStepperJs, kSourceJs, kChartsJs, kSubmissionJs}) scripts += part;
  return scripts;
}

std::string HtmlText(const score::GradingReport& report) {
  return report.submissions.size() == 1 ? PageOf(SubmissionScripts(), SubmissionData(report)) : ClassPage(report);
}

std::string ClassPage(const score::GradingReport& report) { return PageOf(kClassJs, ClassData(report)); }

}  // namespace warpgrade::report
