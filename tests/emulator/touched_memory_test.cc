// Ranges of bytes, and which of them a launch touched.
#include "grader/emulator/memory/touched_memory.h"

#include <gtest/gtest.h>

#include <ostream>
#include <random>
#include <set>

namespace warpgrade::emulator {

void PrintTo(const ByteRange& range, std::ostream* out) { *out << "[" << range.begin << ", " << range.end << ")"; }

namespace {

using Ranges = std::vector<ByteRange>;

ByteRanges Of(const Ranges& ranges) {
  ByteRanges made;
  for (const ByteRange& r : ranges) made.Add(r.begin, r.end);
  return made;
}

TEST(ByteRangesTest, JoinsRangesThatMeetOrTouch) {
  EXPECT_EQ(Of({{0, 4}, {4, 8}}).all(), (Ranges{{0, 8}}));
  EXPECT_EQ(Of({{8, 12}, {0, 4}}).all(), (Ranges{{0, 4}, {8, 12}}));
  EXPECT_EQ(Of({{0, 4}, {8, 12}, {16, 20}, {3, 17}}).all(), (Ranges{{0, 20}}));
  EXPECT_EQ(Of({{5, 5}}).all(), Ranges{});
}

TEST(ByteRangesTest, RemovesTheMiddleOfARange) {
  ByteRanges ranges = Of({{0, 10}, {20, 30}});
  ranges.Remove(4, 25);
  EXPECT_EQ(ranges.all(), (Ranges{{0, 4}, {25, 30}}));
  ranges.Remove(1, 2);
  EXPECT_EQ(ranges.all(), (Ranges{{0, 1}, {2, 4}, {25, 30}}));
}

TEST(ByteRangesTest, NeighboursDoNotOverlap) {
  EXPECT_EQ(Of({{0, 64}}).Overlap(Of({{64, 128}})), std::nullopt);
  EXPECT_EQ(Of({{0, 65}}).Overlap(Of({{64, 128}})), (ByteRange{64, 65}));
}

// Against a set of single bytes, with sets of like and of very different sizes.
TEST(ByteRangesTest, OverlapAsSetsOfBytesDo) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    ByteRanges sets[2];
    std::set<uint64_t> bytes[2];
    for (int k = 0; k < 2; ++k) {
      const uint32_t count = round % 3 == 0 ? 1 + 99 * static_cast<uint32_t>(k) : 1 + random() % 20;
      for (uint32_t r = 0; r < count; ++r) {
        const uint64_t begin = random() % 2000, end = begin + random() % 6;
        sets[k].Add(begin, end);
        for (uint64_t b = begin; b < end; ++b) bytes[k].insert(b);
      }
      const uint64_t hole = random() % 2000;
      sets[k].Remove(hole, hole + 50);
      bytes[k].erase(bytes[k].lower_bound(hole), bytes[k].lower_bound(hole + 50));
    }
    std::optional<uint64_t> first;
    for (const uint64_t b : bytes[0]) {
      if (bytes[1].contains(b)) {
        first = b;
        break;
      }
    }
    const std::optional<ByteRange> both = sets[0].Overlap(sets[1]);
    ASSERT_EQ(both.has_value(), first.has_value()) << "round " << round;
    ASSERT_EQ(both ? both->begin : 0, first.value_or(0)) << "round " << round;
  }
}

TEST(TouchedMemoryTest, GivesWhatWasNotedOnceAndToTheByte) {
  TouchedMemory memory(uint64_t{1} << 24);
  memory.Note(TouchedMemory::kRead, 100, 3);
  memory.Note(TouchedMemory::kRead, 103, 61);
  memory.Note(TouchedMemory::kWrite, 4090, 10);  // over the end of a page
  memory.Note(TouchedMemory::kStrongWrite, (1 << 24) - 4, 4);
  const auto all = [](uint64_t) { return true; };
  const TouchedBytes taken = memory.Take(1000, all);
  EXPECT_EQ(taken.reads.all(), (Ranges{{1100, 1164}}));
  EXPECT_EQ(taken.writes.all(), (Ranges{{5090, 5100}}));
  EXPECT_EQ(taken.strong_reads.all(), Ranges{});
  EXPECT_EQ(taken.strong_writes.all(), (Ranges{{1000 + (1 << 24) - 4, 1000 + (1 << 24)}}));
  EXPECT_EQ(memory.Take(1000, all).size(), 0u);
}

TEST(TouchedMemoryTest, GivesEveryRunOfAPageAsItWasNoted) {
  std::mt19937 random(2);
  for (int round = 0; round < 50; ++round) {
    TouchedMemory memory(1 << 16);
    ByteRanges noted;
    for (int k = 0; k < 40; ++k) {
      const uint64_t at = random() % 16000, bytes = 1 + random() % 200;
      memory.Note(TouchedMemory::kWrite, at, bytes);
      noted.Add(at, at + bytes);
    }
    ASSERT_EQ(memory.Take(0, [](uint64_t) { return true; }).writes.all(), noted.all()) << "round " << round;
  }
}

TEST(TouchedMemoryTest, LeavesOutWhatIsNotWanted) {
  TouchedMemory memory(1 << 16);
  memory.Note(TouchedMemory::kRead, 0, 8);
  memory.Note(TouchedMemory::kRead, 256, 8);
  EXPECT_EQ(memory.Take(0, [](uint64_t at) { return at >= 256; }).reads.all(), (Ranges{{256, 264}}));
}

}  // namespace
}  // namespace warpgrade::emulator
