#include "grader/report/step_drawing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/report/step_blocks.h"

namespace warpgrade::report {
namespace {

using score::StepArray;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Labels(const std::vector<StepCell>& cells) {
  std::vector<std::string> labels;
  for (const StepCell& cell : cells) labels.push_back((cell.after_gap ? "~" : "") + cell.label);
  return labels;
}

TEST(StepDrawingTest, NeighboursAreDrawnInThePlaceOfTheFirstElements) {
  const std::vector<StepDrawing> steps = DrawSteps(Tree(64), 8, 7);
  ASSERT_EQ(steps.size(), 7u);
  const StepPanel& panel = steps[2].panels.at(0);  // 0 <- 2, 4 <- 6
  EXPECT_THAT(Labels(panel.top), ElementsAre("0", "1", "2", "3", "4", "5", "6", "7"));
  EXPECT_EQ(panel.top[0].value, "3");
  EXPECT_EQ(panel.top[1].value, "2") << "from the first step";
  EXPECT_FALSE(panel.top[1].is_used);
  EXPECT_TRUE(panel.top[2].is_used);
  ASSERT_EQ(panel.wires.size(), 2u);
  EXPECT_THAT(panel.wires[1].from, ElementsAre(4, 6));
  EXPECT_EQ(panel.wires[1].to, 4u);
  EXPECT_EQ(panel.wires[1].thread, 4u);
  EXPECT_EQ(panel.tracks, 1u);
  EXPECT_EQ(panel.bottom[4].value, "26") << "5 + 6 + 7 + 8";
  EXPECT_EQ(panel.bottom[5].value, "6") << "as before";
  EXPECT_EQ(panel.writes, 16u);
  EXPECT_EQ(panel.drawn, 2u);
}

TEST(StepDrawingTest, ElementsThatAreFarApartStandSideBySide) {
  const std::vector<StepDrawing> steps = DrawSteps(Tree(64), 8, 7);
  const StepPanel& panel = steps[5].panels.at(0);  // 0 <- 16, 32 <- 48
  EXPECT_THAT(Labels(panel.top), ElementsAre("0", "~16", "~32", "~48"));
  EXPECT_THAT(Labels(panel.bottom), ElementsAre("0", "~16", "~32", "~48"));
  EXPECT_EQ(panel.wires.size(), 2u);
}

TEST(StepDrawingTest, ValuesOfAnotherArrayStandAbove) {
  const std::vector<StepDrawing> steps = DrawSteps(Tree(64), 8, 7);
  const StepPanel& panel = steps[0].panels.at(0);
  EXPECT_FALSE(panel.is_aligned);
  EXPECT_EQ(panel.top.size(), 8u);
  EXPECT_EQ(panel.title, "d_in[6400], in global memory, to tile[64], in shared memory");
  EXPECT_EQ(panel.drawn, 8u);
}

// As Hillis and Steele with two buffers: thread t reads element 32 + t and writes element t.
TEST(StepDrawingTest, ElementsThatNobodyReadsStandBelowThoseThatAreRead) {
  score::BlockSteps block = Tree(64);
  block.steps.resize(2);
  block.steps[1].reads.clear();
  block.steps[1].writes.clear();
  for (uint32_t t = 0; t < 32; ++t) {
    const score::StepValue from{1, 32 + t, BitsOf(7)};
    block.steps[1].reads.push_back({t, from});
    block.steps[1].writes.push_back({.thread = t, .what = {1, t, BitsOf(8)}, .sources = {from}});
  }
  const StepPanel panel = DrawSteps(block, 4, 7).at(1).panels.at(0);
  EXPECT_EQ(panel.title, "tile[64], in shared memory");
  EXPECT_FALSE(panel.is_aligned);
  EXPECT_THAT(Labels(panel.top), ElementsAre("32", "33", "34", "35"));
  EXPECT_THAT(Labels(panel.bottom), ElementsAre("0", "1", "2", "3"));
  EXPECT_EQ(panel.tracks, 1u);
}

TEST(StepDrawingTest, WiresThatMeetHaveTracksOfTheirOwn) {
  const StepDrawing step = DrawSteps(ShuffleDown(), 16, 7).at(0);
  const StepPanel& panel = step.panels.at(0);
  EXPECT_EQ(panel.above, "offers");
  EXPECT_EQ(panel.tracks, 2u);
  EXPECT_EQ(panel.wires[0].track, 0u);
  EXPECT_EQ(panel.wires[1].track, 1u);
  EXPECT_EQ(panel.wires[2].track, 0u);
  EXPECT_EQ(panel.drawn, 15u) << "lane 15 gets the value of lane 16, which has no room";
}

TEST(StepDrawingTest, WarpsThatDoTheSameAreNamedOnce) {
  const StepDrawing step = DrawSteps(Tree(128), 8, 7).at(7);
  ASSERT_EQ(step.warps.size(), 2u);
  EXPECT_EQ(step.threads, 1u);
  EXPECT_EQ(step.warps[0].lanes, 1u);
  EXPECT_EQ(step.warps[1].first, 1);
  EXPECT_EQ(step.warps[1].last, 3);
  EXPECT_EQ(step.warps[1].lanes, 0u);
}

TEST(StepDrawingTest, AWriteWithMoreSourcesThanRoomIsCut) {
  score::BlockSteps block = Tree(8);
  score::StepWrite& write = block.steps[0].writes[0];
  write.sources.clear();
  for (uint64_t i = 0; i < 20; ++i) write.sources.push_back({0, 100 * i, 0});
  write.more_sources = 5;
  block.steps[0].writes.resize(1);
  const StepPanel panel = DrawSteps(block, 8, 7).at(0).panels.at(0);
  ASSERT_EQ(panel.wires.size(), 1u);
  EXPECT_EQ(panel.wires[0].from.size(), 8u);
  EXPECT_EQ(panel.wires[0].more_sources, 17u);
}

TEST(StepDrawingTest, AValueFromRegistersHasNoWire) {
  score::BlockSteps block = ShuffleDown();
  block.arrays.push_back({"sums", StepArray::Space::kShared, StepArray::Type::kSigned, 4, 8});
  block.steps.emplace_back().writes = {{.thread = 0, .what = {1, 3, 77}, .sources = {{0, 0, 101}}}};
  const StepPanel panel = DrawSteps(block, 8, 7).at(1).panels.at(0);
  EXPECT_EQ(panel.title, "registers, to sums[8], in shared memory");
  EXPECT_THAT(panel.top, IsEmpty());
  ASSERT_EQ(panel.wires.size(), 1u);
  EXPECT_THAT(panel.wires[0].from, IsEmpty());
  EXPECT_EQ(panel.bottom.at(0).value, "77");
}

TEST(StepDrawingTest, ReadsWithoutAWriteAreNoted) {
  score::BlockSteps block = Tree(8);
  block.steps[1].writes.clear();
  const StepDrawing step = DrawSteps(block, 8, 7).at(1);
  EXPECT_THAT(step.panels, IsEmpty());
  EXPECT_THAT(step.notes, ElementsAre("Also read: 8 elements of tile."));
}

TEST(StepDrawingTest, ValuesAreShortAndAsTheirTypeSays) {
  const auto text = [](StepArray::Type type, int bytes, uint64_t bits, size_t width = 7) {
    return StepValueText({"a", StepArray::Space::kShared, type, bytes, 0}, bits, width);
  };
  EXPECT_EQ(text(StepArray::Type::kFloat, 4, BitsOf(0.1f)), "0.1");
  EXPECT_EQ(text(StepArray::Type::kFloat, 4, BitsOf(-1234.5678f)), "-1234.6");
  EXPECT_EQ(text(StepArray::Type::kFloat, 4, BitsOf(-1.5e-30f)), "-2e-30");
  EXPECT_EQ(text(StepArray::Type::kFloat, 4, 0x7f800000), "inf");
  EXPECT_EQ(text(StepArray::Type::kFloat, 2, 0xc100), "-2.5");
  EXPECT_EQ(text(StepArray::Type::kFloat, 2, 0x0001, 12), "5.960464e-08");
  EXPECT_EQ(text(StepArray::Type::kFloat, 8, 0x3ff8000000000000), "1.5");
  EXPECT_EQ(text(StepArray::Type::kSigned, 4, 0xffffffff), "-1");
  EXPECT_EQ(text(StepArray::Type::kUnsigned, 4, 0xffffffff, 10), "4294967295");
  EXPECT_EQ(text(StepArray::Type::kUnsigned, 4, 0xffffffff), "4.3e+09");
  EXPECT_EQ(text(StepArray::Type::kSigned, 1, 0x80), "-128");
  EXPECT_EQ(text(StepArray::Type::kSigned, 8, uint64_t{1} << 63), "-9e+18");
}

TEST(StepDrawingTest, WhatNoEmulatorRecordsIsNotDrawable) {
  EXPECT_TRUE(IsDrawable(Tree(64)));
  EXPECT_TRUE(IsDrawable(ShuffleDown()));
  score::BlockSteps block = Tree(64);
  block.steps[1].writes[0].what.array = 2;
  EXPECT_FALSE(IsDrawable(block));
  block = Tree(64);
  block.steps[1].writes[0].sources[1].array = 9;
  EXPECT_FALSE(IsDrawable(block));
  block = Tree(64);
  block.steps[1].reads[0].thread = 64;
  EXPECT_FALSE(IsDrawable(block));
  block = Tree(64);
  block.block_size.x = 0;
  EXPECT_FALSE(IsDrawable(block));
  block.block_size.x = 0xFFFFFFFF;
  EXPECT_FALSE(IsDrawable(block));
}

}  // namespace
}  // namespace warpgrade::report
