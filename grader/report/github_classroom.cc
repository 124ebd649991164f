// Makes the result for GitHub Classroom: tests of equal worth, as JSON, in base64. If the line is longer than an
// environment variable may be, it is made again with shorter messages. Tests: tests/report/github_classroom_test.cc,
// which computes the mark in both ways of Classroom's reporter.
#include "grader/report/github_classroom.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "grader/report/one_submission.h"
#include "grader/report/rung_text.h"
#include "grader/report/text.h"
#include "grader/report/words.h"

namespace warpgrade::report {
namespace {

using Json = nlohmann::ordered_json;
using config::Points;

// What one test is worth, so that every rung's points and its maximum are whole tests. nullopt: too many tests.
std::optional<Points> WorthOfATest(const score::SubmissionScore& submission) {
  int64_t worth = 0;
  for (const score::LabScore& lab : submission.labs) {
    for (const score::RungScore& rung : lab.rungs) {
      worth = std::gcd(worth, std::gcd(rung.points.hundredths(), rung.max_points.hundredths()));
    }
  }
  if (worth == 0) return std::nullopt;
  if (submission.max_points.hundredths() / worth > kMostClassroomTests) return std::nullopt;
  return Points::FromHundredths(worth);
}

Json ClassroomNumber(Points points) {
  return points.hundredths() % 100 == 0 ? Json(points.hundredths() / 100) : Json(points.ToDouble());
}

int ClassroomLine(const score::RungScore& rung) {
  for (const score::Finding& finding : rung.measurement.findings) {
    if (finding.line > 0 && finding.file == rung.rung + ".cu") return finding.line;
  }
  return 0;
}

Json ClassroomTest(const std::string& name, const char* status, const std::string& message, int line, Points score) {
  return {{"name", name},    {"status", status},        {"message", message},
          {"line_no", line}, {"execution_time", "0ms"}, {"score", ClassroomNumber(score)}};
}

// The tests of one rung, those that pass first.
void AddClassroomTests(const score::RungScore& rung, const std::string& name, const std::string& message,
                       std::optional<Points> worth, Json* tests) {
  const bool is_wrong =
      rung.measurement.status == score::RungStatus::kFailed || rung.measurement.status == score::RungStatus::kPassed;
  const char* const lost = is_wrong ? "fail" : "error";
  if (!worth) {
    const bool passes = rung.points >= rung.max_points;
    tests->push_back(
        ClassroomTest(name, passes ? "pass" : lost, passes ? "" : message, ClassroomLine(rung), rung.points));
    return;
  }
  const int64_t passing = rung.points.hundredths() / worth->hundredths();
  // A bonus has points beyond its maximum, and tests that nobody has to pass.
  const int64_t count = std::max(passing, rung.max_points.hundredths() / worth->hundredths());
  for (int64_t i = 0; i < count; ++i) {
    const std::string part = count == 1 ? name : fmt::format("{} ({} of {})", name, i + 1, count);
    if (i < passing) {
      tests->push_back(ClassroomTest(part, "pass", "", 0, *worth));
    } else {
      tests->push_back(ClassroomTest(part, lost, i == passing ? message : "see above", ClassroomLine(rung), Points()));
    }
  }
}

std::string ClassroomJson(const score::SubmissionScore& submission, const score::GradingReport& report,
                          size_t most_text) {
  Json tests = Json::array();
  if (!submission.unfinished.empty() || submission.labs.empty()) {
    const std::string why = CutText(SubmissionText(submission), most_text);
    tests.push_back(ClassroomTest(CutText(PrintableLine(submission.id), most_text), "error", why, 0, Points()));
    const Json json = {{"version", 1}, {"status", "error"}, {"max_score", 0}, {"tests", tests}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  const std::optional<Points> worth = WorthOfATest(submission);
  for (const score::LabScore& lab : submission.labs) {
    for (const score::RungScore& rung : lab.rungs) {
      std::string message = CorrectnessCell(rung.measurement);
      if (const std::string text = RungText(rung, lab, report); !text.empty()) message += "\n" + text;
      const std::string name = fmt::format("{} {}", CutText(PrintableLine(submission.id), 100), RungName(lab, rung));
      AddClassroomTests(rung, name, CutText(message, most_text), worth, &tests);
    }
  }
  // All rungs are left out, because the student may not see them now.
  if (tests.empty()) {
    const std::string why = CutText(SubmissionText(submission), most_text);
    tests.push_back(ClassroomTest(CutText(PrintableLine(submission.id), most_text), "pass", why, 0, Points()));
  }
  const bool all = submission.points >= submission.measurable_points;
  const Json json = {{"version", 1},
                     {"status", all ? "pass" : "fail"},
                     {"max_score", ClassroomNumber(submission.max_points)},
                     {"tests", tests}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string Base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j) {
      group = group << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    }
    for (size_t j = 0; j < 4; ++j) text += j <= count ? kDigits[group >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

Result<std::string> ClassroomText(const score::GradingReport& report) {
  const Result<const score::SubmissionScore*> only = OnlySubmission(report, kClassroomFlag);
  if (!only) return only.error();
  constexpr size_t kMostText = 16 << 10, kLeastText = 64;
  for (size_t most_text = kMostText; most_text >= kLeastText; most_text /= 2) {
    const std::string line = Base64(ClassroomJson(**only, report, most_text));
    if (line.size() <= kClassroomBytes) return line + "\n";
  }
  return Error{ErrorKind::kUsage,
               fmt::format("{} holds at most {} bytes, and these results have more; grade one lab: --lab LAB",
                           kClassroomFlag, kClassroomBytes)};
}

}  // namespace warpgrade::report
