// Makes JUnit XML in the dialect of GoogleTest's --gtest_output=xml: a suite for each lab of a submission, a case for
// each rung, and the totals of each. Tests: tests/report/junit_test.cc.
#include "grader/report/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/report/pieces.h"
#include "grader/report/rung_text.h"
#include "grader/report/text.h"
#include "grader/report/words.h"

namespace warpgrade::report {
namespace {

using score::RungStatus;

enum class Outcome { kPassed, kFailure, kError, kSkipped };

Outcome OutcomeOf(RungStatus status) {
  switch (status) {
    case RungStatus::kPassed:
      return Outcome::kPassed;
    case RungStatus::kFailed:
      return Outcome::kFailure;
    case RungStatus::kNotWritten:
      return Outcome::kSkipped;
    default:
      return Outcome::kError;
  }
}

// XML 1.0 cannot contain control characters, not even as a reference. Printable writes them as escapes.
std::string Escaped(const std::string& text) { return MarkupEscaped(Printable(text)); }

struct Counts {
  int tests = 0, failures = 0, errors = 0, skipped = 0;

  void Add(Outcome outcome) {
    ++tests;
    failures += outcome == Outcome::kFailure ? 1 : 0;
    errors += outcome == Outcome::kError ? 1 : 0;
    skipped += outcome == Outcome::kSkipped ? 1 : 0;
  }
  void Add(const Counts& others) {
    tests += others.tests;
    failures += others.failures;
    errors += others.errors;
    skipped += others.skipped;
  }
  std::string Attributes() const {
    return fmt::format(R"(tests="{}" failures="{}" disabled="0" errors="{}" skipped="{}")", tests, failures, errors,
                       skipped);
  }
};

std::string InLines(const std::vector<std::string>& lines) { return fmt::format("{}", fmt::join(lines, "\n")); }

std::string TestCase(const score::RungScore& rung, const score::LabScore& lab, const std::string& suite,
                     const score::GradingReport& report) {
  const Outcome outcome = OutcomeOf(rung.measurement.status);
  std::string xml = fmt::format(R"(    <testcase name="{}" classname="{}" status="{}" result="{}" time="0">)",
                                Escaped(rung.rung), Escaped(suite), outcome == Outcome::kSkipped ? "notrun" : "run",
                                outcome == Outcome::kSkipped ? "skipped" : "completed");
  xml += fmt::format(
      "\n      <properties>\n"
      "        <property name=\"status\" value=\"{}\"/>\n"
      "        <property name=\"points\" value=\"{}\"/>\n"
      "        <property name=\"max_points\" value=\"{}\"/>\n"
      "        <property name=\"measurable_points\" value=\"{}\"/>\n"
      "      </properties>\n",
      score::Name(rung.measurement.status), rung.points.ToString(), rung.max_points.ToString(),
      rung.measurable_points.ToString());
  const std::string body = Escaped(RungText(rung, lab, report));
  const std::string summary = Escaped(CorrectnessCell(rung.measurement));
  switch (outcome) {
    case Outcome::kPassed:
      if (!body.empty()) xml += fmt::format("      <system-out>{}</system-out>\n", body);
      break;
    case Outcome::kSkipped:
      xml += fmt::format("      <skipped message=\"{}\"/>\n", summary);
      break;
    case Outcome::kFailure:
    case Outcome::kError: {
      const char* element = outcome == Outcome::kFailure ? "failure" : "error";
      xml += fmt::format("      <{0} message=\"{1}\" type=\"{2}\">{3}</{0}>\n", element, summary,
                         score::Name(rung.measurement.status), body);
    }
  }
  return xml + "    </testcase>\n";
}

std::string UnfinishedCase(const score::UnfinishedRung& rung, const std::string& suite) {
  return fmt::format(
      "    <testcase name=\"{0}\" classname=\"{1}\" status=\"notrun\" result=\"suppressed\" time=\"0\">\n"
      "      <error message=\"not finished\" type=\"not_finished\">{2}</error>\n"
      "    </testcase>\n",
      Escaped(rung.rung), Escaped(suite), Escaped(rung.reason));
}

// `lab` has no rungs if none of them is finished.
std::string TestSuite(const score::SubmissionScore& submission, const score::LabScore& lab,
                      const score::GradingReport& report, Counts* all) {
  const std::string suite = PrintableLine(submission.id) + "." + lab.lab;
  Counts counts;
  std::string cases;
  for (const score::RungScore& rung : lab.rungs) {
    counts.Add(OutcomeOf(rung.measurement.status));
    all->Add(OutcomeOf(rung.measurement.status));
    cases += TestCase(rung, lab, suite, report);
  }
  for (const score::UnfinishedRung& rung : submission.unfinished) {
    if (rung.lab != lab.lab) continue;
    counts.Add(Outcome::kError);
    all->Add(Outcome::kError);
    cases += UnfinishedCase(rung, suite);
  }
  std::string xml = fmt::format("  <testsuite name=\"{}\" {} time=\"0\">\n", Escaped(suite), counts.Attributes());
  xml += cases;
  if (!submission.messages.empty()) {
    xml += fmt::format("    <system-err>{}</system-err>\n", Escaped(InLines(submission.messages)));
  }
  return xml + "  </testsuite>\n";
}

// The labs of which no rung is finished.
std::vector<score::LabScore> LabsNotBegun(const score::SubmissionScore& submission) {
  std::vector<score::LabScore> labs;
  const auto has = [](const std::vector<score::LabScore>& among, const std::string& name) {
    return std::any_of(among.begin(), among.end(), [&name](const score::LabScore& lab) { return lab.lab == name; });
  };
  for (const score::UnfinishedRung& rung : submission.unfinished) {
    if (!has(submission.labs, rung.lab) && !has(labs, rung.lab)) labs.emplace_back().lab = rung.lab;
  }
  return labs;
}

// A submission without labs, such as an unreadable archive, gets a suite with one error.
std::string EmptySubmission(const score::SubmissionScore& submission, Counts* all) {
  Counts counts;
  counts.Add(Outcome::kError);
  all->Add(Outcome::kError);
  const std::string name = Escaped(submission.id);
  return fmt::format(
      "  <testsuite name=\"{0}\" {1} time=\"0\">\n"
      "    <testcase name=\"submission\" classname=\"{0}\" status=\"run\" result=\"completed\" time=\"0\">\n"
      "      <error message=\"not graded\" type=\"submission\">{2}</error>\n"
      "    </testcase>\n"
      "  </testsuite>\n",
      name, counts.Attributes(), Escaped(InLines(submission.messages)));
}

std::string SubmissionSuites(const score::SubmissionScore& submission, const score::GradingReport& report,
                             Counts* counts) {
  std::string suites;
  if (submission.labs.empty() && submission.unfinished.empty()) suites += EmptySubmission(submission, counts);
  for (const score::LabScore& lab : submission.labs) suites += TestSuite(submission, lab, report, counts);
  for (const score::LabScore& lab : LabsNotBegun(submission)) suites += TestSuite(submission, lab, report, counts);
  return suites;
}

}  // namespace

void WriteJunit(const score::GradingReport& report, const Sink& sink) {
  std::vector<Counts> counts(report.submissions.size());
  std::vector<std::string> suites = InPieces(report.submissions.size(), [&](size_t begin, size_t end) {
    std::string piece;
    for (size_t i = begin; i < end; ++i) piece += SubmissionSuites(report.submissions[i], report, &counts[i]);
    return piece;
  });
  Counts all;
  for (const Counts& one : counts) all.Add(one);
  sink(
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<testsuites name=\"{}\" {} time=\"0\">\n",
                  Escaped(report.course), all.Attributes()));
  for (std::string& suite : suites) sink(std::move(suite));
  sink("</testsuites>\n");
}

std::string JunitText(const score::GradingReport& report) {
  return Collected([&report](const Sink& sink) { WriteJunit(report, sink); });
}

}  // namespace warpgrade::report
