#include "grader/calibrate/course_edit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/calibrate/made.h"

namespace warpgrade::calibrate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kCourse =
    "# A course.\n"
    "course: {name: C, term: 2026}\n"
    "targets:\n"
    "  h200: {match: NVIDIA H200, peak_bandwidth: 4800}  # the course's own\n"
    "labs:\n"
    "  lab1:\n"
    "    title: \"Sums: it's {easy}\"\n"
    "    rungs:\n"
    "      v1:\n"
    "        points: {correctness: 6, throughput: 2}\n"
    "        throughput:\n"
    "          # One pass, 'without' a brace }.\n"
    "          h200: {unit: GB/s, zero: 100, full: 385}  # measured\n"
    "          any: {unit: share_of_copy, steps: [{at: 0.04, points: 1},\n"
    "                                             {at: 0.1, points: 2}]}\n"
    "      v2:\n"
    "        throughput: {h200: {unit: GB/s, zero: 3e2, full: 620}, any: {unit: share_of_copy, zero: 0.1, full: 0.2}}\n"
    "      v3:\n"
    "        throughput:\n"
    "          h200:\n"
    "            # A comment that stays.\n"
    "            unit: GB/s\n"
    "            zero: 550\n"
    "            full: 810  # so does this\n"
    "      v4:\n"
    "        points: {correctness: 6}\n";

std::string With(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

ScaleEdit Edit(const std::string& rung, const std::string& target, config::ThroughputScale scale) {
  return {"lab1", rung, target, std::move(scale)};
}

config::ThroughputScale Steps() {
  config::ThroughputScale scale;
  scale.steps = {{200, Whole(1)}, {390.5, Whole(2)}};
  return scale;
}

EditedCourse Edited(const std::vector<ScaleEdit>& edits, const std::vector<std::string>& targets = {},
                    const std::string& text = kCourse) {
  auto edited = EditCourse(text, "course.yaml", edits, targets);
  EXPECT_TRUE(edited) << edited.error().message;
  return *edited;
}

TEST(CourseEditTest, OnlyTheNumbersOfALineChange) {
  const EditedCourse edited = Edited({Edit("v1", "h200", Linear(130, 385))});
  EXPECT_EQ(edited.text, With(kCourse, "zero: 100", "zero: 130"));
  EXPECT_THAT(edited.left_out, IsEmpty());
}

TEST(CourseEditTest, AnotherShapeReplacesWhatIsInBraces) {
  const EditedCourse edited = Edited({Edit("v1", "h200", Steps()), Edit("v1", "any", Linear(0.1, 0.2))});
  const std::string once = With(kCourse, "{unit: GB/s, zero: 100, full: 385}",
                                "{unit: GB/s, steps: [{at: 200, points: 1}, {at: 390.5, points: 2}]}");
  EXPECT_EQ(edited.text, With(once,
                              "{unit: share_of_copy, steps: [{at: 0.04, points: 1},\n"
                              "                                             {at: 0.1, points: 2}]}",
                              "{unit: GB/s, zero: 0.1, full: 0.2}"));
}

TEST(CourseEditTest, ANewTargetFollowsTheOtherOnesInTheirStyle) {
  const EditedCourse edited =
      Edited({Edit("v1", "h100", Linear(90, 300)), Edit("v2", "h100", Linear(1, 2)), Edit("v3", "h100", Steps())},
             {"h100: {match: NVIDIA H100 80GB HBM3}"});
  std::string wanted =
      With(kCourse, "# the course's own\n", "# the course's own\n  h100: {match: NVIDIA H100 80GB HBM3}\n");
  wanted = With(wanted, "# measured\n", "# measured\n          h100: {unit: GB/s, zero: 90, full: 300}\n");
  wanted = With(wanted, "full: 620}", "full: 620}, h100: {unit: GB/s, zero: 1, full: 2}");
  wanted =
      With(wanted, "# so does this\n",
           "# so does this\n          h100: {unit: GB/s, steps: [{at: 200, points: 1}, {at: 390.5, points: 2}]}\n");
  EXPECT_EQ(edited.text, wanted);
  EXPECT_THAT(edited.left_out, IsEmpty());
}

TEST(CourseEditTest, NumbersOnLinesOfTheirOwnChangeInPlace) {
  const EditedCourse edited = Edited({Edit("v3", "h200", Linear(710, 800))});
  EXPECT_EQ(edited.text, With(With(kCourse, "zero: 550", "zero: 710"), "full: 810", "full: 800"));
}

TEST(CourseEditTest, WhatCannotBeChangedInPlaceIsSaid) {
  const EditedCourse edited = Edited({Edit("v3", "h200", Steps()), Edit("v4", "h200", Linear(1, 2))});
  EXPECT_EQ(edited.text, kCourse);
  EXPECT_THAT(edited.left_out,
              ElementsAre(HasSubstr("lab1 v3, h200: it cannot be changed in place; write {unit: GB/s, steps:"),
                          HasSubstr("lab1 v4, h200: its rung has no 'throughput:'")));
}

TEST(CourseEditTest, AnAliasIsNotChangedForTwoRungs) {
  const std::string shared = With(With(kCourse, "h200: {unit: GB/s, zero: 100", "h200: &s {unit: GB/s, zero: 100"),
                                  "{h200: {unit: GB/s, zero: 3e2, full: 620},", "{h200: *s,");
  const EditedCourse edited =
      Edited({Edit("v1", "h200", Linear(130, 400)), Edit("v2", "h200", Linear(140, 400))}, {}, shared);
  EXPECT_THAT(edited.left_out, ElementsAre(HasSubstr("lab1 v2, h200: it cannot be changed in place")));
}

TEST(CourseEditTest, NoEditLeavesEveryByte) { EXPECT_EQ(Edited({}).text, kCourse); }

TEST(CourseEditTest, AFileThatIsNoYamlIsRefusedWithItsName) {
  const auto edited = EditCourse("labs: [", "course.yaml", {}, {});
  ASSERT_FALSE(edited);
  EXPECT_THAT(edited.error().message, HasSubstr("course.yaml:"));
}

}  // namespace
}  // namespace warpgrade::calibrate
