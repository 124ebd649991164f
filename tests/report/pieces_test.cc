// Long texts that several threads write: nothing is lost, doubled or out of order.
#include "grader/report/pieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "grader/report/json.h"
#include "grader/report/junit.h"
#include "grader/report/sarif.h"
#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(PiecesTest, HoldEachItemOnceAndInOrder) {
  std::string expected;
  for (size_t i = 0; i < 1000; ++i) expected += std::to_string(i) + ",";
  const std::vector<std::string> pieces = InPieces(1000, [](size_t begin, size_t end) {
    std::string piece;
    for (size_t i = begin; i < end; ++i) piece += std::to_string(i) + ",";
    return piece;
  });
  EXPECT_EQ(Joined("", pieces, "", ""), expected);
}

TEST(PiecesTest, OfNothingThereAreNone) {
  EXPECT_THAT(InPieces(0, [](size_t, size_t) { return std::string("?"); }), IsEmpty());
  EXPECT_EQ(Joined("[", {}, ",", "]"), "[]");
}

TEST(PiecesTest, AreTakenInOrderHoweverTheyCome) {
  std::vector<std::string> taken;
  const Sink take = [&taken](std::string piece) { taken.push_back(std::move(piece)); };
  InOrder in_order(7, take);
  in_order.Add(5, 7, "c");
  in_order.Add(2, 5, "b");
  EXPECT_THAT(taken, IsEmpty());
  in_order.Add(0, 2, "a");
  EXPECT_THAT(taken, ElementsAre("a", "b", "c"));
}

TEST(PiecesTest, AreTakenWhileLaterOnesAreMade) {
  constexpr size_t kCount = 400;
  std::atomic<size_t> taken{0};
  size_t taken_before_the_end = 0;
  const auto make = [&](size_t begin, size_t end) {
    if (end == kCount && begin > 0) {  // with one core there is only one piece
      const auto end_of_patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
      while (taken == 0 && std::chrono::steady_clock::now() < end_of_patience) std::this_thread::yield();
      taken_before_the_end = taken;
    }
    return std::to_string(begin);
  };
  ForPieces(kCount, make, [&taken](const std::string&) { ++taken; });
  if (taken == 1) GTEST_SKIP() << "skipped: one core";
  EXPECT_GT(taken_before_the_end, 0u);
}

TEST(PiecesTest, EmptyOnesAreLeftOutAndSeparatedFromNothing) {
  const auto make = [](size_t begin, size_t) { return begin == 0 ? "" : std::to_string(begin); };
  const std::string text = Collected([&](const Sink& sink) { TakeAll("[", 1, make, ",", "]", sink); });
  EXPECT_EQ(text, "[]");
}

TEST(PiecesTest, AreSeparatedOnlyFromEachOther) { EXPECT_EQ(Joined("[", {"a", "b", "c"}, ",", "]"), "[a,b,c]"); }

// Submissions that differ, so that each can be told from the others.
score::GradingReport AClass(int size) {
  std::vector<score::SubmissionScore> submissions;
  for (int i = 0; i < size; ++i) {
    score::SubmissionScore submission = Submission("s" + std::to_string(i), {EmulatorLab()});
    submission.messages = {"message " + std::to_string(i)};
    if (i % 3 == 0) submission.labs.clear();
    submissions.push_back(std::move(submission));
  }
  return EmulatorReport(std::move(submissions));
}

score::GradingReport Alone(const score::GradingReport& of, size_t i) {
  score::GradingReport report = of;
  report.submissions = {of.submissions[i]};
  return report;
}

TEST(PiecesTest, TheJsonOfAClassHasTheSubmissionsAsTheJsonOfEachHasIt) {
  const score::GradingReport all = AClass(50);
  const json document = json::parse(JsonText(all));
  ASSERT_EQ(document["submissions"].size(), 50u);
  for (size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(document["submissions"][i], json::parse(JsonText(Alone(all, i)))["submissions"][0]) << i;
  }
  EXPECT_EQ(json::parse(JsonText(AClass(0)))["submissions"], json::array());
}

TEST(PiecesTest, TheJsonOfAClassHasALineForEachSubmissionAndThatOfAFewIsIndented) {
  const std::string all = JsonText(AClass(21)), few = JsonText(AClass(20));
  std::istringstream lines(all);
  std::vector<std::string> ids;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("{\"id\":")) continue;
    if (line.ends_with(",")) line.pop_back();
    ids.push_back(json::parse(line)["id"]);
  }
  ASSERT_EQ(ids.size(), 21u);
  for (size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(ids[i], "s" + std::to_string(i));
  EXPECT_THAT(all, HasSubstr("\n  \"submissions\": [\n{\"id\":\"s0\","));
  EXPECT_THAT(few, HasSubstr("\n  \"submissions\": [\n    {\n      \"id\": \"s0\","));
  json first_twenty = json::parse(all);
  first_twenty["submissions"].erase(20);
  EXPECT_EQ(first_twenty, json::parse(few));
}

TEST(PiecesTest, InLinesADocumentSaysTheSameWhateverItsSize) {
  for (const int size : {0, 1, 3, 50}) {
    score::GradingReport report = AClass(size);
    for (score::SubmissionScore& submission : report.submissions) submission.messages.push_back("not UTF-8: \xff \"");
    EXPECT_EQ(json::parse(JsonInLines(report)), json::parse(JsonText(report))) << size;
  }
  EXPECT_THAT(JsonInLines(AClass(1)), HasSubstr("[\n{\"id\":\"s0\","));
}

TEST(PiecesTest, TheSarifOfAClassHasARunForEachSubmissionInOrder) {
  const json log = json::parse(SarifText(AClass(50)));
  ASSERT_EQ(log["runs"].size(), 50u);
  for (size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(log["runs"][i]["automationDetails"]["id"], "warpgrade/s" + std::to_string(i) + "/");
    EXPECT_EQ(log["runs"][i]["results"].empty(), i % 3 == 0) << i;
  }
  EXPECT_EQ(json::parse(SarifText(AClass(0)))["runs"], json::array());
}

TEST(PiecesTest, TheJunitOfAClassAddsUpAllSubmissions) {
  const std::string xml = JunitText(AClass(50));
  size_t last = 0;
  for (int i = 0; i < 50; ++i) {
    const std::string name = "<testsuite name=\"s" + std::to_string(i) + (i % 3 == 0 ? "\"" : ".lab2\"");
    const size_t found = xml.find(name);
    ASSERT_NE(found, std::string::npos) << name;
    EXPECT_EQ(xml.find(name, found + 1), std::string::npos) << name;
    EXPECT_GT(found, last);
    last = found;
  }
  size_t cases = 0;
  for (size_t at = xml.find("<testcase "); at != std::string::npos; at = xml.find("<testcase ", at + 1)) ++cases;
  EXPECT_THAT(xml, HasSubstr("<testsuites name=\"GPU Programming\" tests=\"" + std::to_string(cases) + "\""));
}

}  // namespace
}  // namespace warpgrade::report
