#include "grader/report/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

using score::RungMeasurement;
using score::RungStatus;
using testing::ElementsAre;

TEST(WordsTest, WritesNumbersAsAPersonWould) {
  EXPECT_EQ(NumberWords(0), "0");
  EXPECT_EQ(NumberWords(31), "31");
  EXPECT_EQ(NumberWords(0.87421), "0.8742");
  EXPECT_EQ(NumberWords(45.25), "45.25");
  EXPECT_EQ(NumberWords(4130.4), "4130");
  EXPECT_EQ(NumberWords(82'812'345), "82812345");
  EXPECT_EQ(NumberWords(1e18), "1.000e+18");
  EXPECT_EQ(NumberWords(std::nan("")), "nan");
  EXPECT_EQ(NumberWords(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(WordsTest, TellsAFaultFromAWrongValue) {
  RungMeasurement measurement;
  measurement.status = RungStatus::kFailed;
  measurement.cases = 12;
  measurement.cases_passed = 9;
  EXPECT_EQ(CorrectnessCell(measurement), "WRONG 9/12");
  measurement.cases_passed = 12;
  EXPECT_EQ(CorrectnessCell(measurement), "FAULT 12/12");
  measurement.cases_passed = 0;
  measurement.cases_faulty = 12;
  EXPECT_EQ(CorrectnessCell(measurement), "FAULT 12/12") << "all values are right";
  measurement.cases_faulty = 11;
  EXPECT_EQ(CorrectnessCell(measurement), "WRONG 0/12");
  measurement.cases = measurement.cases_passed = 0;
  EXPECT_EQ(CorrectnessCell(measurement), "WRONG");
}

TEST(WordsTest, AddsToAFailuresMessageOnlyWhatItLacks) {
  EXPECT_EQ(FailureWords({"n = 33", 32, "0", "7", "n = 33: out[32] is 0, not 7"}), "n = 33: out[32] is 0, not 7");
  EXPECT_EQ(FailureWords({"n = 33", 32, "0", "7.5", "the tail is lost"}),
            "n = 33: the tail is lost [element 32] (got 0, want 7.5)");
  EXPECT_EQ(FailureWords({"empty", 2, "nan", "1.5", ""}), "empty [element 2] (got nan, want 1.5)");
  EXPECT_EQ(FailureWords({"empty", std::nullopt, "", "", "it hung"}), "empty: it hung");
}

TEST(WordsTest, RoundsLargeCountsForPeople) {
  EXPECT_EQ(CountWords(1), "1");
  EXPECT_EQ(CountWords(999), "999");
  EXPECT_EQ(CountWords(1000), "about 1,000");
  EXPECT_EQ(CountWords(4096), "about 4,100");
  EXPECT_EQ(CountWords(65'537), "about 66,000");
  EXPECT_EQ(CountWords(412'345), "about 410,000");
  EXPECT_EQ(CountWords(999'499), "about 1 million");
  EXPECT_EQ(CountWords(1'720'779), "about 1.7 million");
  EXPECT_EQ(CountWords(63'000'000), "about 63 million");
  EXPECT_EQ(CountWords(3'210'000'000), "about 3.2 billion");
}

score::Finding OutOfBounds() {
  score::Finding finding;
  finding.kind = "out-of-bounds";
  finding.message = "wrote 4 bytes past the end of out";
  finding.file = "v1.cu";
  finding.line = 12;
  finding.kernel = "void k<int, Sum<int> >(int*)";
  finding.block = "(1,0,0)";
  finding.thread = "(2,0,0)";
  finding.count = 1'720'779;
  finding.advice = "compare the index with the size";
  finding.cases = 48;
  finding.case_name = "n = 33, int, sum";
  finding.case_number = 7;
  return finding;
}

// With another seed the work may come out right.
TEST(WordsTest, WhatWasDelayedIsSeenAgainWithItsSeed) {
  score::RungScore rung;
  rung.rung = "v1";
  rung.measurement.status = score::RungStatus::kFailed;
  rung.measurement.cases = rung.measurement.cases_run = 50;
  rung.measurement.delay_seed = 17;
  EXPECT_THAT(Notes(rung, {"emulator", "", "", ""}, "warpgrade check lab1 v1"),
              testing::ElementsAre("the emulator delayed work or changed its order, as CUDA allows; to repeat this: "
                                   "warpgrade check lab1 v1 --seed 17"));
  rung.measurement.findings = {OutOfBounds()};
  EXPECT_THAT(Notes(rung, {"emulator", "", "", ""}, "warpgrade check lab1 v1"),
              testing::ElementsAre(testing::HasSubstr("again  warpgrade check lab1 v1 --seed 17 --case 7")));
}

TEST(WordsTest, PlacesAFindingAndSaysWhatToDoAndHowToSeeItAgain) {
  score::Finding finding;
  finding.kind = "out-of-bounds";
  finding.message = "wrote 4 bytes past the end of out";
  EXPECT_EQ(FindingWords(finding, 1, ""), "out-of-bounds: wrote 4 bytes past the end of out");
  EXPECT_EQ(FindingWords(OutOfBounds(), 50, "warpgrade check lab1 v1"),
            "v1.cu:12  out-of-bounds: wrote 4 bytes past the end of out\n"
            "  seen   kernel k, block (1,0,0), thread (2,0,0), about 1.7 million times in 48 of 50 cases\n"
            "  to do  compare the index with the size\n"
            "  again  warpgrade check lab1 v1 --case 7  (n = 33, int, sum)");
}

TEST(WordsTest, ACaseThatOnlyGradingHasCannotBeCheckedAgain) {
  score::Finding finding = OutOfBounds();
  finding.case_number = 0;
  EXPECT_THAT(FindingWords(finding, 50, "warpgrade check lab1 v1"), testing::EndsWith("\n  in     n = 33, int, sum"));
}

TEST(WordsTest, NamesTheCommandThatChecksARungAgain) {
  score::GradingReport report;
  EXPECT_EQ(CheckCommand(report, "lab1", "v5_last_warp"), "warpgrade check lab1 v5");
  report.check_program = "./warpgrade";
  report.check_options = " --submission my-work";
  EXPECT_EQ(CheckCommand(report, "lab1", "v5_last_warp"), "./warpgrade check lab1 v5 --submission my-work");
}

score::RungScore FaultyRung() {
  score::RungScore rung;
  rung.measurement.status = RungStatus::kFailed;
  rung.measurement.cases = rung.measurement.cases_run = 50;
  rung.measurement.findings.resize(1);
  rung.measurement.findings[0].kind = "race";
  rung.measurement.findings[0].message = "m";
  rung.measurement.findings[0].cases = 50;
  rung.measurement.hint = "hint";
  return rung;
}

TEST(WordsTest, TheFaultComesBeforeItsConsequencesAndTheHintRightBehindIt) {
  score::RungScore rung = FaultyRung();
  rung.measurement.failures = {{"a", std::nullopt, "", "", "wrong"}};
  rung.measurement.messages = {"it printed"};
  const std::string race = "race: m\n  seen   in 50 of 50 cases";
  EXPECT_THAT(Notes(rung, {}, ""), ElementsAre(race, "hint", "a: wrong", "it printed"));
  rung.measurement.status = RungStatus::kCrashed;
  EXPECT_THAT(Notes(rung, {}, ""), ElementsAre(race, "it printed", "hint", "a: wrong"));
}

TEST(WordsTest, FailedCasesAreCountedIfSomeAreNeitherShownNorInAFinding) {
  score::RungScore rung = FaultyRung();
  rung.measurement.failures = {{"a", std::nullopt, "", "", "wrong"}};
  rung.measurement.findings.push_back(rung.measurement.findings[0]);
  rung.measurement.findings[0].cases = 20;
  rung.measurement.findings[1].cases = 48;
  EXPECT_THAT(Notes(rung, {}, ""), testing::Contains("... and 49 more failed cases"));
  rung.measurement.findings[1].cases = 49;
  EXPECT_THAT(Notes(rung, {}, ""), testing::Not(testing::Contains(testing::HasSubstr("more failed"))));
}

TEST(WordsTest, TheSameAdviceStandsInFullOnlyOnce) {
  score::RungScore rung = FaultyRung();
  rung.measurement.findings = {OutOfBounds(), OutOfBounds(), OutOfBounds()};
  rung.measurement.findings[1].line = 52;
  rung.measurement.findings[2].advice = "something else";
  const auto has = [](const std::string& text) { return testing::HasSubstr(text); };
  EXPECT_THAT(Notes(rung, {}, ""), ElementsAre(has("to do  compare the index with the size\n"),
                                               testing::AllOf(has("v1.cu:52  "), has("to do  as for line 12\n")),
                                               has("to do  something else\n"), "hint"));
  rung.measurement.findings[0].line = 0;
  EXPECT_THAT(Notes(rung, {}, "")[1], has("to do  as above\n"));
  rung.measurement.findings[1].file = "lab1.h";
  EXPECT_THAT(Notes(rung, {}, "")[1], has("to do  compare the index with the size\n")) << "line 12 of which file?";
  for (score::Finding& finding : rung.measurement.findings) finding.advice.clear();
  EXPECT_THAT(Notes(rung, {}, ""), testing::Each(testing::Not(has("to do"))));
}

TEST(WordsTest, WhatAFindingExplainsIsNotToldAgain) {
  score::RungScore rung = FaultyRung();
  rung.measurement.failures = {
      {"n = 1", std::nullopt, "", "", "your host function threw an exception: an illegal memory access", true},
      {"n = 2", std::nullopt, "", "", "your host function threw an exception: an illegal memory access", true}};
  EXPECT_THAT(Notes(rung, {}, ""), ElementsAre("race: m\n  seen   in 50 of 50 cases", "hint"));
}

TEST(WordsTest, OneWrongValueIsShownBesideAFaultBecauseItMayHaveAnotherCause) {
  score::RungScore rung = FaultyRung();
  rung.measurement.cases_faulty = 49;
  rung.measurement.failures = {{"n = 33", 0, "5", "7", "out is 5, want 7", true}};
  EXPECT_THAT(Notes(rung, {}, ""),
              ElementsAre("race: m\n  seen   in 50 of 50 cases", "hint", "n = 33: out is 5, want 7 [element 0]"));
}

TEST(WordsTest, AFailureThatIsTheSameInEachCaseIsToldOnceAndAllAreCounted) {
  score::RungScore rung;
  rung.measurement.status = RungStatus::kFailed;
  rung.measurement.cases = rung.measurement.cases_run = 50;
  rung.measurement.cases_passed = 2;
  for (int i = 0; i < 5; ++i) rung.measurement.failures.push_back({std::to_string(i), {}, "", "", "out of memory"});
  rung.measurement.failures[2].alike = 43;
  rung.measurement.hint = "hint";
  EXPECT_THAT(Notes(rung, {}, ""), ElementsAre("0: out of memory\n  and 47 more cases like it", "hint"));
}

TEST(WordsTest, TwoKindsOfFailuresAreBothTold) {
  score::RungScore rung;
  rung.measurement.status = RungStatus::kFailed;
  rung.measurement.cases = rung.measurement.cases_run = 50;
  rung.measurement.failures = {
      {"n = 0, int, sum", {}, "", "", "n = 0, int, sum: d_out[0] was never written (should be 0)", false, 1, 0},
      {"n = 0, int, max", {}, "", "", "n = 0, int, max: d_out[0] was never written (should be -5)", false, 2, 0},
      {"n = 7, int, sum", {}, "", "", "n = 7, int, sum: d_out[0] was never written (should be 3)", false, 3, 7},
      {"n = 9, int, max", {}, "", "", "n = 9, int, max: d_out[0] is 7, want 8", false, 9, 9, 20}};
  EXPECT_THAT(Notes(rung, {}, ""),
              ElementsAre("n = 7, int, sum: d_out[0] was never written (should be 3)\n  and 2 more cases like it",
                          "n = 9, int, max: d_out[0] is 7, want 8\n  and 20 more cases like it",
                          "... and 26 more failed cases"));
}

TEST(WordsTest, SaysWhereARungWasStopped) {
  score::RungScore rung;
  rung.measurement.status = RungStatus::kCrashed;
  rung.measurement.cases = 50;
  rung.measurement.cases_run = 3;
  rung.measurement.cases_passed = 2;
  rung.measurement.failures = {{"n = 31, int, sum", {}, "", "", "the program ended during this case"}};
  EXPECT_THAT(Notes(rung, {}, ""),
              ElementsAre("n = 31, int, sum: the program ended during this case",
                          "it was stopped in case 3 of 50 (n = 31, int, sum); no case after it was run"));
}

TEST(WordsTest, ShowsTheFirstFewOfMany) {
  score::RungScore rung;
  rung.measurement.status = RungStatus::kFailed;
  for (int i = 0; i < 5; ++i) rung.measurement.failures.push_back({std::to_string(i), std::nullopt, "", "", ""});
  EXPECT_THAT(Notes(rung, {}, ""), ElementsAre("0", "1", "2", "... and 2 more failed cases"));
  rung.measurement.failures.pop_back();
  EXPECT_THAT(Notes(rung, {}, ""), ElementsAre("0", "1", "2", "... and 1 more failed case"));
}

TEST(WordsTest, AKernelThatHangsAtABarrierHasNotTimedOut) {
  score::RungMeasurement hangs;
  hangs.status = RungStatus::kTimeout;
  EXPECT_EQ(CorrectnessCell(hangs), "TIMED OUT");
  hangs.findings.resize(1);
  hangs.findings[0].kind = "barrier-divergence";
  EXPECT_EQ(CorrectnessCell(hangs), "HUNG AT A BARRIER");
  hangs.findings.resize(2);
  hangs.findings[1].kind = "endless-loop";
  EXPECT_EQ(CorrectnessCell(hangs), "TIMED OUT");
  hangs.findings.pop_back();
  hangs.out_of_time = true;
  EXPECT_EQ(CorrectnessCell(hangs), "TIMED OUT") << "its host code waited";
}

TEST(WordsTest, DescribesSpeeds) {
  score::RungScore rung = RightRung("v1");
  EXPECT_EQ(ThroughputCell(rung), "not measured here");
  rung.measurement.throughput.status = score::ThroughputMeasurement::Status::kMeasured;
  rung.measurement.throughput.value = 4130.4;
  rung.measurement.throughput.spread_percent = 0.12;
  EXPECT_EQ(ThroughputCell(rung), "4130 GB/s ±0.1%");
  rung.measurement.throughput.ceiling = 4254;
  EXPECT_EQ(ThroughputCell(rung), "4130 GB/s ±0.1%, 97% of copy");
  rung.measurement.throughput.ceiling_of = score::ThroughputMeasurement::Ceiling::kSolution;
  EXPECT_EQ(ThroughputCell(rung), "4130 GB/s ±0.1%, 97.1% of the solution");
  rung.measurement.throughput.ceiling = 0;
  EXPECT_EQ(ThroughputCell(rung), "4130 GB/s ±0.1%");
  rung.measurement.throughput.accepted = score::Acceptance{"ada", "2026-11-22T10:15:00Z", "by hand"};
  EXPECT_EQ(ThroughputCell(rung), "4130 GB/s ±0.1%, accepted");
  rung.measurement.throughput.status = score::ThroughputMeasurement::Status::kFlagged;
  EXPECT_EQ(ThroughputCell(rung), "FLAGGED 4130 GB/s");
  rung.measurement.throughput = {};
  rung.throughput_max = config::Points();
  EXPECT_EQ(ThroughputCell(rung), "-");
}

TEST(WordsTest, NamesTheLimit) {
  score::TechniqueResult result;
  result.metric = "shared_bank_conflicts";
  result.limit = "<= 0";
  EXPECT_EQ(TechniqueWords(result), "shared bank conflicts not measured (limit 0)");
  result.value = 31;
  EXPECT_EQ(TechniqueWords(result), "31 shared bank conflicts (limit 0)");
  result.limit = ">= 0.9";
  EXPECT_EQ(TechniqueWords(result), "31 shared bank conflicts (at least 0.9)");
  result.limit = ">= 1 and <= 2";
  EXPECT_EQ(TechniqueWords(result), "31 shared bank conflicts (1 to 2)");
  result.limit = ">= 2 and <= 2";
  EXPECT_EQ(TechniqueWords(result), "31 shared bank conflicts (exactly 2)");
}

TEST(WordsTest, NamesWhatALimitIsProvidedWithWhereItDoesNotHold) {
  score::TechniqueResult result;
  result.metric = "divergent_branches_per_warp";
  result.limit = "<= 1.5";
  result.value = 0.75;
  result.provided.push_back({"threads", "threads", "<= 200000", 131840, true});
  EXPECT_EQ(TechniqueWords(result), "0.75 divergent branches per warp (limit 1.5)");
  result.provided.push_back({"blocks", "blocks", "<= 600", 30000, false});
  EXPECT_EQ(TechniqueWords(result), "0.75 divergent branches per warp (limit 1.5), with 30000 blocks (limit 600)");
}

TEST(WordsTest, SaysWhyASpeedIsMissingOnlyWhereItIsExpected) {
  score::RungScore rung = RightRung("v1");
  rung.measurement.throughput.reason = "another process holds the GPU";
  EXPECT_THAT(Notes(rung, {"emulator", "", "", ""}, ""), testing::IsEmpty());
  EXPECT_THAT(Notes(rung, {"gpu", "", "", ""}, ""), ElementsAre("throughput: another process holds the GPU"));
}

TEST(WordsTest, EscapesWhatAStudentWrote) {
  EXPECT_EQ(FailureWords({"\x1b[2J", std::nullopt, "\x07", "1", "x"}), "\\x1b[2J: x (got \\x07, want 1)");
  score::RungScore rung;
  rung.measurement.messages = {"\x1b]0;gotcha\x07"};
  EXPECT_THAT(Notes(rung, {}, ""), ElementsAre("\\x1b]0;gotcha\\x07"));
}

}  // namespace
}  // namespace warpgrade::report
