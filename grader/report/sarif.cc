// Makes a SARIF log. SarifRun collects the results of one submission and the rules that they name. Text from students
// is printable, and does not contain what SARIF would read as a link or a placeholder. Tests:
// tests/report/sarif_test.cc, with the part of the SARIF schema that the log uses.
#include "grader/report/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <vector>

#include "grader/report/annotations.h"
#include "grader/report/json_writer.h"
#include "grader/report/pieces.h"
#include "grader/report/rung_text.h"
#include "grader/report/text.h"
#include "grader/report/words.h"

namespace warpgrade::report {
namespace {

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

void WriteMessage(const std::string& printable, JsonWriter* json) {
  json->Begin("message");
  json->Text("text", SarifMessage(printable));
  json->End();
}

// A stable name for a result, so that a code host knows it again. 64-bit FNV-1a.
std::string Fingerprint(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

// The list `key` with one location.
void WriteLocation(const char* key, const std::string& uri, int line, JsonWriter* json) {
  json->BeginArray(key);
  json->Begin();
  json->Begin("physicalLocation");
  json->Begin("artifactLocation");
  json->Text("uri", uri);
  json->Text("uriBaseId", "%SRCROOT%");
  json->End();
  if (line > 0) {
    json->Begin("region");
    json->Whole("startLine", line);
    json->End();
  }
  json->End();
  json->End();
  json->EndArray();
}

// Begins a log, whose list of runs it does not end.
void BeginLog(JsonWriter* json) {
  json->Begin();
  json->Text("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  json->Text("version", "2.1.0");
  json->BeginArray("runs");
}

// The results of one submission, and the rules that they name.
class SarifRun {
 public:
  explicit SarifRun(JsonWriter::Layout layout) : layout_(layout), results_(layout) {
    BeginLog(&results_);
    results_.Begin();
    results_.BeginArray("results");
    before_results_ = results_.Written().size();
  }

  void Add(const Annotation& annotation, const std::string& uri, const std::string& rung) {
    const auto [rule, is_new] = places_.emplace(annotation.rule, rules_.size());
    if (is_new) rules_.push_back({annotation.rule, annotation.level});
    const std::string what = rung + "|" + annotation.rule;
    const int occurrence = ++occurrences_[what];
    results_.Begin();
    results_.Text("ruleId", annotation.rule);
    results_.Whole("ruleIndex", static_cast<int64_t>(rule->second));
    results_.Text("level", annotation.level);
    WriteMessage(annotation.text, &results_);
    WriteLocation("locations", uri, annotation.line, &results_);
    if (annotation.other_line > 0) WriteLocation("relatedLocations", uri, annotation.other_line, &results_);
    results_.Begin("partialFingerprints");
    results_.Text("warpgrade/v1", Fingerprint(fmt::format("{}|{}", what, occurrence)));
    results_.End();
    results_.End();
  }

  // The run as it stands in the list of a log, without a comma before or behind it.
  std::string Finish(const score::SubmissionScore& submission, const score::GradingReport& report) const {
    JsonWriter run(layout_);
    BeginLog(&run);
    const size_t before = run.Written().size();
    run.Begin();
    WriteTool(report, &run);
    run.Begin("automationDetails");
    run.Text("id", "warpgrade/" + PrintableLine(submission.id) + "/");
    run.End();
    WriteInvocation(submission, &run);
    run.Text("columnKind", "utf16CodeUnits");
    run.BeginArray("results");
    const std::string results = results_.Written(before_results_);
    if (layout_ == JsonWriter::Layout::kOneLine) return run.Written(before) + results + "]}";
    return run.Written(before) + results + (results.empty() ? "]" : "\n      ]") + "\n    }";
  }

 private:
  void WriteTool(const score::GradingReport& report, JsonWriter* json) const {
    json->Begin("tool");
    json->Begin("driver");
    json->Text("name", "warpgrade");
    json->Text("version", PrintableLine(report.kit_version));
    json->Objects("rules", rules_, [](const Rule& rule, JsonWriter* to) {
      std::string words = rule.id;
      std::replace(words.begin(), words.end(), '-', ' ');
      to->Text("id", rule.id);
      to->Begin("shortDescription");
      to->Text("text", SarifMessage(words));
      to->End();
      to->Begin("defaultConfiguration");
      to->Text("level", rule.level);
      to->End();
    });
    json->End();
    json->End();
  }

  static void WriteInvocation(const score::SubmissionScore& submission, JsonWriter* json) {
    json->BeginArray("invocations");
    json->Begin();
    json->Flag("executionSuccessful", submission.unfinished.empty());
    const std::vector<std::string> unfinished = UnfinishedWords(submission);
    if (!unfinished.empty() || !submission.messages.empty()) {
      json->BeginArray("toolExecutionNotifications");
      for (const std::string& words : unfinished) WriteNotification("error", words, json);
      for (const std::string& message : submission.messages) WriteNotification("note", Printable(message), json);
      json->EndArray();
    }
    json->End();
    json->EndArray();
  }

  static void WriteNotification(const char* level, const std::string& printable, JsonWriter* json) {
    json->Begin();
    json->Text("level", level);
    WriteMessage(printable, json);
    json->End();
  }

  struct Rule {
    std::string id, level;
  };

  std::map<std::string, size_t> places_;  // of rules in rules_
  std::vector<Rule> rules_;
  std::map<std::string, int> occurrences_;
  const JsonWriter::Layout layout_;
  JsonWriter results_;
  size_t before_results_ = 0;
};

std::string RunOf(const score::SubmissionScore& submission, const score::GradingReport& report,
                  JsonWriter::Layout layout) {
  const std::string folder = report.submissions.size() == 1 ? "" : RelativeUri(submission.id) + "/";
  SarifRun run(layout);
  for (const score::LabScore& lab : submission.labs) {
    for (const score::RungScore& rung : lab.rungs) {
      const std::string uri = folder + RelativeUri(lab.lab + "/" + rung.rung + ".cu");
      for (const Annotation& annotation : AnnotationsOf(rung, lab, report)) {
        run.Add(annotation, uri, RungName(lab, rung));
      }
    }
  }
  return run.Finish(submission, report);
}

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

void WriteSarif(const score::GradingReport& report, const Sink& sink) {
  const bool in_lines = report.submissions.size() > kMostIndented;
  const auto layout = in_lines ? JsonWriter::Layout::kOneLine : JsonWriter::Layout::kIndented;
  const std::string_view between = in_lines ? kBetweenLines : ",";
  const auto write_some = [&](size_t begin, size_t end) {
    std::vector<std::string> texts;
    for (size_t i = begin; i < end; ++i) texts.push_back(RunOf(report.submissions[i], report, layout));
    return Joined("", texts, between, "");
  };
  JsonWriter head;
  BeginLog(&head);
  TakeAll(head.Written() + (in_lines ? "\n" : ""), report.submissions.size(), write_some, between,
          report.submissions.empty() ? "]\n}\n" : "\n  ]\n}\n", sink);
}

std::string SarifText(const score::GradingReport& report) {
  return Collected([&report](const Sink& sink) { WriteSarif(report, sink); });
}

}  // namespace warpgrade::report
