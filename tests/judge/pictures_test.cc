#include "grader/judge/pictures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/judge/findings.h"
#include "grader/judge/judge.h"
#include "tests/judge/toy_request.h"

namespace warpgrade::judge {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

emulator::RequestSample Sample(uint32_t cost, uint32_t fewest, uint64_t count, uint64_t at) {
  emulator::RequestSample sample;
  sample.request.bytes = 4;
  sample.request.lanes = 0x80000001;
  sample.request.at[0] = at;
  sample.request.at[31] = at + 4;
  sample.cost = {cost, fewest};
  sample.count = count;
  sample.kernel = "k";
  return sample;
}

emulator::LineRequests Line(const std::string& file, int line, std::vector<emulator::RequestSample> samples) {
  emulator::LineRequests requests;
  requests.file = file;
  requests.line = line;
  for (const emulator::RequestSample& sample : samples) {
    requests.requests += sample.count;
    requests.cost += sample.count * sample.cost.cost;
    requests.fewest += sample.count * sample.cost.fewest;
  }
  requests.samples = std::move(samples);
  return requests;
}

TEST(PicturesTest, TheRequestThatCostsMostAboveTheFewestIsShown) {
  const auto lines =
      ToScore({Line("/tmp/x/v1.cu", 7, {Sample(4, 4, 90, 256), Sample(5, 1, 2, 512), Sample(9, 8, 3, 768)})}, "v1");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].line, 7);
  EXPECT_EQ(lines[0].requests, 95u);
  EXPECT_EQ(lines[0].Above(), 2u * 4 + 3);
  EXPECT_EQ(lines[0].shown.cost, 5u);
  EXPECT_THAT(lines[0].shown.at, ElementsAre(512, 516));
  ASSERT_EQ(lines[0].costs.size(), 3u);
  EXPECT_EQ(lines[0].costs[0].count, 90u) << "the most frequent first";
}

TEST(PicturesTest, TheMostFrequentRequestIsShownIfNoneCostsTooMuch) {
  const auto lines = ToScore({Line("v1.cu", 7, {Sample(1, 1, 3, 256), Sample(4, 4, 90, 512)})}, "v1");
  EXPECT_EQ(lines.at(0).shown.cost, 4u);
}

TEST(PicturesTest, AddressesAreOffsetsInTheirArrayIfLinesStayWhole) {
  emulator::RequestSample sample = Sample(1, 1, 1, 0x1000);
  sample.array = "d_in";
  sample.array_base = 0xF00;
  EXPECT_THAT(ToScore({Line("v1.cu", 7, {sample})}, "v1").at(0).shown.at, ElementsAre(0x100, 0x104));
  EXPECT_EQ(ToScore({Line("v1.cu", 7, {sample})}, "v1").at(0).shown.array, "d_in");
  for (const uint64_t base : {uint64_t{0xF20}, uint64_t{0x1080}}) {  // not at a line's start; behind a lane
    sample.array_base = base;
    EXPECT_THAT(ToScore({Line("v1.cu", 7, {sample})}, "v1").at(0).shown.at, ElementsAre(0x1000, 0x1004));
    EXPECT_EQ(ToScore({Line("v1.cu", 7, {sample})}, "v1").at(0).shown.array, "");
  }
}

TEST(PicturesTest, OnlyTheRungsOwnFileIsDrawn) {
  EXPECT_THAT(ToScore({Line("/usr/include/cuda/barrier.h", 7, {Sample(1, 1, 1, 0)}), Line("v1.cu", 8, {})}, "v1"),
              IsEmpty());
}

TEST(PicturesTest, ManyLinesAreBoundedAndTheWorstStay) {
  std::vector<emulator::LineRequests> recorded;
  constexpr int kLines = static_cast<int>(kMostPicturedLines) + 50;
  for (int line = 1; line <= kLines; ++line) {
    recorded.push_back(Line("v1.cu", line, {Sample(line > 50 ? 2 : 1, 1, 1, 0)}));
  }
  const auto lines = ToScore(recorded, "v1");
  ASSERT_EQ(lines.size(), kMostPicturedLines);
  EXPECT_EQ(lines.front().line, 51);
  EXPECT_EQ(lines.back().line, kLines);
}

void ExpectTheCountsOfTheLines(const score::RungMeasurement& m) {
  ASSERT_FALSE(m.pictures.requests.empty());
  for (const score::LineCounts& counts : m.line_counts) {
    if (counts.line == 0) continue;
    uint64_t loads = 0, stores = 0, turns = 0;
    for (const score::LineRequests& one : m.pictures.requests) {
      if (one.line != counts.line) continue;
      (one.in_shared ? turns : one.does == score::LineRequests::Does::kLoad ? loads : stores) += one.cost;
    }
    EXPECT_EQ(loads, counts.load_sectors) << counts.line;
    EXPECT_EQ(stores, counts.store_sectors) << counts.line;
    EXPECT_EQ(turns, counts.shared_turns) << counts.line;
  }
}

TEST(PicturesTest, ARungIsRecordedWithTechniqueIfAskedFor) {
  JudgeRequest request = RequestToy("honest");
  Result<score::RungMeasurement> m = JudgeRungInProcess(request);
  ASSERT_TRUE(m.ok());
  EXPECT_THAT(m->pictures.requests, IsEmpty());
  request.parts.pictures = true;
  m = JudgeRungInProcess(request);
  ASSERT_TRUE(m.ok());
  EXPECT_TRUE(m->technique_measured);
  EXPECT_FALSE(m->pictures.case_name.empty());
  ExpectTheCountsOfTheLines(*m);
}

TEST(PicturesTest, ExplainRunsOneCaseAndTheSameEveryTime) {
  JudgeRequest request = RequestToy("honest");
  request.parts.only_pictures = true;
  const Result<score::RungMeasurement> m = JudgeRungInProcess(request);
  ASSERT_TRUE(m.ok());
  EXPECT_EQ(m->cases, 1);
  EXPECT_EQ(m->status, score::RungStatus::kPassed);
  ExpectTheCountsOfTheLines(*m);
  request.only_case = 2;
  const Result<score::RungMeasurement> of_case = JudgeRungInProcess(request);
  ASSERT_TRUE(of_case.ok());
  EXPECT_EQ(of_case->cases, 1);
  EXPECT_NE(of_case->pictures.case_name, m->pictures.case_name);
}

TEST(PicturesTest, ExplainRecordsTheTwoAccessesOfARace) {
  JudgeRequest request = RequestToy("racy");
  request.parts.only_pictures = true;
  const Result<score::RungMeasurement> m = JudgeRungInProcess(request);
  ASSERT_TRUE(m.ok());
  ASSERT_FALSE(m->pictures.races.empty());
  const score::RaceOfTwo& race = m->pictures.races[0];
  const score::Finding& finding = m->findings.at(0);
  EXPECT_EQ(race.second.line, finding.line);
  EXPECT_EQ(race.first.line, finding.other_line);
  EXPECT_EQ(race.barrier_line, finding.barrier_line);
  EXPECT_EQ(race.reach, finding.reach);
  EXPECT_THAT(finding.message, testing::HasSubstr(race.second.verb + " " + race.place + " that thread "));
  for (const score::RaceAccess* access : {&race.first, &race.second}) {
    EXPECT_EQ(static_cast<int>(access->thread.x), 32 * access->warp + access->lane) << "its blocks are one-dimensional";
  }
}

TEST(PicturesTest, TheRacesOfAWrongRungAreKeptForItsPage) {
  JudgeRequest request = RequestToy("racy");
  Result<score::RungMeasurement> m = JudgeRungInProcess(request);
  ASSERT_TRUE(m.ok());
  EXPECT_THAT(m->pictures.races, IsEmpty());
  request.parts.pictures = true;
  m = JudgeRungInProcess(request);
  ASSERT_TRUE(m.ok());
  EXPECT_EQ(m->status, score::RungStatus::kFailed);
  ASSERT_EQ(m->pictures.races.size(), 1u) << "all its cases have the same race";
  EXPECT_EQ(m->pictures.races[0].second.line, m->findings.at(0).line);
  EXPECT_EQ(m->pictures.races[0].first.line, m->findings.at(0).other_line);
}

TEST(PicturesTest, ARaceThatFollowsFromAnotherFaultIsNotDrawn) {
  score::RungMeasurement measurement;
  score::RaceOfTwo race{"k", "s[1]", "block", {3, "wrote"}, {5, "read"}, 5};
  KeepRaces({race, race}, &measurement);
  race.second.line = 6;
  KeepRaces({race}, &measurement);
  ASSERT_EQ(measurement.pictures.races.size(), 2u) << "the first two are of the same lines";
  score::Finding finding;
  finding.file = finding.other_file = "v1.cu";
  finding.line = 6;
  finding.other_line = 3;
  measurement.findings = {finding};
  DropRacesWithoutFinding("v1", &measurement);
  ASSERT_EQ(measurement.pictures.races.size(), 1u);
  EXPECT_EQ(measurement.pictures.races[0].second.line, 6);
}

TEST(PicturesTest, ExplainRecordsARungThatIsWrong) {
  JudgeRequest request = RequestToy("out_of_bounds");
  request.parts.only_pictures = true;
  request.only_case = 4;  // its size is no multiple of a block's
  const Result<score::RungMeasurement> m = JudgeRungInProcess(request);
  ASSERT_TRUE(m.ok());
  EXPECT_EQ(m->status, score::RungStatus::kFailed);
  EXPECT_FALSE(m->findings.empty());
  ExpectTheCountsOfTheLines(*m);
}

}  // namespace
}  // namespace warpgrade::judge
