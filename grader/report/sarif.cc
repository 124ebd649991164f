// Makes a SARIF log. SarifRun collects the results of one submission and the rules that they name. Text from students
// is printable, and does not contain what SARIF would read as a link or a placeholder. Tests:
// tests/report/sarif_test.cc, with the part of the SARIF schema that the log uses.
#include "grader/report/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "grader/report/annotations.h"
#include "grader/report/rung_text.h"
#include "grader/report/text.h"
#include "grader/report/words.h"

namespace warpgrade::report {
namespace {

using Json = nlohmann::ordered_json;

// In SARIF "[text](url)" is a link and "{0}" a placeholder. A space in between makes both ordinary text.
std::string SarifMessage(const std::string& printable) {
  std::string text;
  for (const char c : printable) {
    const bool link = c == '(' && text.ends_with(']');
    const bool placeholder = std::isdigit(static_cast<unsigned char>(c)) != 0 && text.ends_with('{');
    if (link || placeholder) text += ' ';
    text += c;
  }
  return text.empty() ? "(no message)" : text;
}

Json MessageJson(const std::string& printable) { return {{"text", SarifMessage(printable)}}; }

// A stable name for a result, so that a code host knows it again. 64-bit FNV-1a.
std::string Fingerprint(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

Json LocationJson(const std::string& uri, int line) {
  Json physical = {{"artifactLocation", {{"uri", uri}, {"uriBaseId", "%SRCROOT%"}}}};
  if (line > 0) physical["region"] = {{"startLine", line}};
  return {{"physicalLocation", physical}};
}

// The results of one submission, and the rules that they name.
class SarifRun {
 public:
  void Add(const Annotation& annotation, const std::string& uri, const std::string& rung) {
    const auto [rule, is_new] = rules_.emplace(annotation.rule, rule_list_.size());
    if (is_new) {
      std::string words = annotation.rule;
      std::replace(words.begin(), words.end(), '-', ' ');
      rule_list_.push_back({{"id", annotation.rule},
                            {"shortDescription", MessageJson(words)},
                            {"defaultConfiguration", {{"level", annotation.level}}}});
    }
    const std::string what = rung + "|" + annotation.rule;
    const int occurrence = ++occurrences_[what];
    Json result = {{"ruleId", annotation.rule},
                   {"ruleIndex", rule->second},
                   {"level", annotation.level},
                   {"message", MessageJson(annotation.text)},
                   {"locations", Json::array({LocationJson(uri, annotation.line)})}};
    if (annotation.other_line > 0) {
      result["relatedLocations"] = Json::array({LocationJson(uri, annotation.other_line)});
    }
    result["partialFingerprints"] = {{"warpgrade/v1", Fingerprint(fmt::format("{}|{}", what, occurrence))}};
    results_.push_back(std::move(result));
  }

  Json Finish(const score::SubmissionScore& submission, const score::GradingReport& report) const {
    Json invocation = {{"executionSuccessful", submission.unfinished.empty()}};
    Json notifications = Json::array();
    for (const std::string& words : UnfinishedWords(submission)) {
      notifications.push_back({{"level", "error"}, {"message", MessageJson(words)}});
    }
    for (const std::string& message : submission.messages) {
      notifications.push_back({{"level", "note"}, {"message", MessageJson(Printable(message))}});
    }
    if (!notifications.empty()) invocation["toolExecutionNotifications"] = notifications;
    return {
        {"tool",
         {{"driver", {{"name", "warpgrade"}, {"version", PrintableLine(report.kit_version)}, {"rules", rule_list_}}}}},
        {"automationDetails", {{"id", "warpgrade/" + PrintableLine(submission.id) + "/"}}},
        {"invocations", Json::array({invocation})},
        {"columnKind", "utf16CodeUnits"},
        {"results", results_}};
  }

 private:
  std::map<std::string, size_t> rules_;  // their places in rule_list_
  std::map<std::string, int> occurrences_;
  Json rule_list_ = Json::array(), results_ = Json::array();
};

}  // namespace

std::string RelativeUri(const std::string& path) {
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        byte < 0x80 && (std::isalnum(byte) != 0 || std::string_view("-._~/").find(c) != std::string::npos);
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return uri;
}

std::string SarifText(const score::GradingReport& report) {
  Json runs = Json::array();
  for (const score::SubmissionScore& submission : report.submissions) {
    const std::string folder = report.submissions.size() == 1 ? "" : RelativeUri(submission.id) + "/";
    SarifRun run;
    for (const score::LabScore& lab : submission.labs) {
      for (const score::RungScore& rung : lab.rungs) {
        const std::string uri = folder + RelativeUri(lab.lab + "/" + rung.rung + ".cu");
        for (const Annotation& annotation : AnnotationsOf(rung, lab, report)) {
          run.Add(annotation, uri, RungName(lab, rung));
        }
      }
    }
    runs.push_back(run.Finish(submission, report));
  }
  const Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", runs}};
  return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpgrade::report
