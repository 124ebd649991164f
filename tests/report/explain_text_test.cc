#include "grader/report/explain_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Requests of one line that each take `cost` and could take `fewest`.
score::LineRequests Group(int line, bool in_shared, uint64_t requests, uint64_t cost, uint64_t fewest) {
  score::LineRequests group;
  group.line = line;
  group.in_shared = in_shared;
  group.requests = requests;
  group.cost = requests * cost;
  group.fewest = requests * fewest;
  group.costs = {{cost, fewest, requests}};
  group.shown = {.bytes = 4, .lanes = 1, .at = {0}, .kernel = "k", .block_size = {32, 1, 1}};
  group.shown.cost = cost;
  group.shown.fewest = fewest;
  return group;
}

std::vector<std::pair<int, bool>> Chosen(const score::Pictures& pictures, std::optional<int> line) {
  std::vector<std::pair<int, bool>> chosen;
  for (const score::LineRequests* one : ChooseRequests(pictures, line)) chosen.emplace_back(one->line, one->in_shared);
  return chosen;
}

TEST(ExplainTextTest, TheLineThatCostsMostAboveTheFewestIsDrawn) {
  const score::Pictures pictures{"n = 4",
                                 {Group(7, false, 1000, 4, 4), Group(9, true, 10, 32, 1), Group(12, false, 100, 5, 4)}};
  EXPECT_THAT(Chosen(pictures, std::nullopt), ElementsAre(std::pair(9, true)));
  EXPECT_THAT(Chosen(pictures, 12), ElementsAre(std::pair(12, false)));
  EXPECT_THAT(Chosen(pictures, 8), IsEmpty());
  EXPECT_EQ(LinesWithPictures(pictures), "7, 9 and 12");
}

TEST(ExplainTextTest, EverythingOfALineThatCostsTooMuchIsDrawnTheWorstFirst) {
  const score::Pictures pictures{"n = 4",
                                 {Group(9, false, 10, 32, 4), Group(9, true, 10, 32, 1), Group(9, true, 1000, 1, 1)}};
  EXPECT_THAT(Chosen(pictures, std::nullopt), ElementsAre(std::pair(9, true), std::pair(9, false)));
}

TEST(ExplainTextTest, WithoutALineThatCostsTooMuchItSaysSoAndDrawsTheMostFrequentRequest) {
  score::RungMeasurement measurement;
  measurement.pictures = {"n = 4", {Group(2, false, 10, 1, 1), Group(3, true, 99, 1, 1)}};
  EXPECT_THAT(Chosen(measurement.pictures, std::nullopt), ElementsAre(std::pair(3, true)));
  const ExplainedRung rung{"v1.cu", "one\n  two\n\tthree\n", "check"};
  const std::string text = ExplainText(measurement, rung, std::nullopt, {});
  EXPECT_THAT(text, HasSubstr("No request of this rung costs more than it must. Drawn is the most frequent one:"));
  EXPECT_THAT(text, HasSubstr("v1.cu:3  three\n"));
  EXPECT_THAT(ExplainText(measurement, rung, 2, {}), HasSubstr("No request of line 2 costs more than it must."));
  EXPECT_THAT(ExplainText(measurement, rung, 2, {}), HasSubstr("v1.cu:2  two\n"));
  EXPECT_THAT(text, Not(HasSubstr("Other lines")));
}

TEST(ExplainTextTest, OtherLinesAreNamedTheWorstFirst) {
  score::RungMeasurement measurement;
  measurement.pictures = {
      "n = 4",
      {Group(2, false, 10, 5, 4), Group(3, true, 99, 3, 1), Group(5, true, 10, 3, 1), Group(6, true, 1, 1, 1)}};
  const std::string text = ExplainText(measurement, {"v1.cu", "", "check"}, std::nullopt, {});
  EXPECT_THAT(text, HasSubstr("Other lines that cost more than the fewest turns or sectors: 5 (20 turns), 2 (10\n"
                              "sectors). Draw one with --line 5.\n"));
}

TEST(ExplainTextTest, ARunThatIsNotRightSaysWhereToLook) {
  score::RungMeasurement measurement;
  measurement.status = score::RungStatus::kFailed;
  measurement.pictures = {"n = 4", {Group(3, true, 99, 3, 1)}};
  EXPECT_THAT(ExplainText(measurement, {"v1.cu", "", "warpgrade check lab2 v1"}, std::nullopt, {}),
              HasSubstr("This run is not right. `warpgrade check lab2 v1` says what is wrong.\n"));
}

TEST(ExplainTextTest, NoRequestsAreNothingToDraw) {
  EXPECT_THAT(ChooseRequests({}, std::nullopt), IsEmpty());
  EXPECT_THAT(ChooseRequests({}, 3), IsEmpty());
  EXPECT_EQ(LinesWithPictures({}), "");
}

}  // namespace
}  // namespace warpgrade::report
