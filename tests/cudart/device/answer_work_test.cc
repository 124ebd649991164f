#include "grader/cudart/device/answer_work.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::cudart {
namespace {

using emulator::ByteRange;
using emulator::DevicePtr;
using emulator::TouchedBytes;
using testing::ElementsAre;
using testing::IsEmpty;

emulator::DeviceOptions DeviceOfArrays() {
  emulator::DeviceOptions options;
  options.host_threads = 1;
  options.global_memory_bytes = 64 << 20;
  return options;
}

constexpr uint64_t kArrayBytes = 4096;

class AnswerWorkTest : public testing::Test {
 protected:
  AnswerWorkTest() : device_(DeviceOfArrays()), work_(device_) {
    for (DevicePtr* array : {&in_, &scratch_, &out_, &other_}) *array = *device_.Allocate(kArrayBytes);
  }

  // A launch that reads all of `from` and stores `value` everywhere in `to`.
  void Launch(size_t launch, DevicePtr from, DevicePtr to, uint8_t value) {
    LaunchPart(launch, from, {to, to + kArrayBytes}, value);
  }
  void LaunchPart(size_t launch, DevicePtr from, ByteRange to, uint8_t value) {
    TouchedBytes touched;
    if (from != 0) touched.reads.Add(from, from + kArrayBytes);
    touched.writes.Add(to.begin, to.end);
    EXPECT_TRUE(device_.Fill(to.begin, value, to.end - to.begin).ok());
    work_.Launched(launch, touched);
  }
  std::vector<size_t> Makers() const { return work_.Of({{out_, out_ + kArrayBytes}}).launches; }

  emulator::Device device_;
  AnswerWork work_;
  DevicePtr in_ = 0, scratch_ = 0, out_ = 0, other_ = 0;
};

TEST_F(AnswerWorkTest, WhatNobodyReadsMadeNoneOfTheAnswer) {
  Launch(0, in_, other_, 1);
  Launch(1, in_, scratch_, 2);
  Launch(2, scratch_, out_, 3);
  Launch(3, out_, other_, 4);
  EXPECT_THAT(Makers(), ElementsAre(1, 2));
}

TEST_F(AnswerWorkTest, WhatIsOverwrittenBeforeItIsReadMadeNothing) {
  Launch(0, in_, out_, 1);
  Launch(1, in_, out_, 2);
  EXPECT_THAT(Makers(), ElementsAre(1));
  Launch(2, out_, out_, 3);
  EXPECT_THAT(Makers(), ElementsAre(1, 2)) << "the last one read what the one before wrote";
}

TEST_F(AnswerWorkTest, EachPartHasItsOwnMaker) {
  LaunchPart(0, in_, {out_, out_ + 1024}, 1);
  LaunchPart(1, in_, {out_ + 1024, out_ + kArrayBytes}, 2);
  LaunchPart(2, in_, {out_ + 1024, out_ + 1028}, 3);
  EXPECT_THAT(Makers(), ElementsAre(0, 1, 2));
  LaunchPart(3, in_, {out_ + 512, out_ + kArrayBytes}, 4);
  EXPECT_THAT(Makers(), ElementsAre(0, 3));
}

TEST_F(AnswerWorkTest, StoringTheSameValuesAgainIsNoWork) {
  Launch(0, in_, out_, 7);
  Launch(1, out_, out_, 7);
  EXPECT_THAT(Makers(), ElementsAre(0));
  LaunchPart(2, in_, {out_ + 256, out_ + 260}, 8);
  EXPECT_THAT(Makers(), ElementsAre(0, 2));
  Launch(3, out_, out_, 8);
  EXPECT_THAT(Makers(), ElementsAre(0, 2, 3)) << "it changes other bytes";
}

TEST_F(AnswerWorkTest, WhatTheProgramWroteBetweenIsSeenAsAChange) {
  Launch(0, in_, out_, 7);
  ASSERT_TRUE(device_.Fill(out_, 9, kArrayBytes).ok());
  work_.CopiedToDevice(out_, kArrayBytes);
  Launch(1, in_, out_, 7);
  EXPECT_THAT(Makers(), ElementsAre(1));
}

TEST_F(AnswerWorkTest, CopiesAndSetsPassOnWhatTheyMove) {
  Launch(0, in_, scratch_, 1);
  Launch(1, in_, other_, 2);
  for (uint64_t row = 0; row < kArrayBytes; row += 64) {
    ASSERT_TRUE(device_.CopyOnDevice(out_ + row, scratch_ + row, 64).ok());
    work_.Copied(out_ + row, scratch_ + row, 64, true);
  }
  EXPECT_THAT(Makers(), ElementsAre(0));
  EXPECT_EQ(work_.Of({{out_, out_ + kArrayBytes}}).copies.AsCounters().global_store_sectors, kArrayBytes / 32);
  EXPECT_EQ(work_.Of({{other_, other_ + kArrayBytes}}).copies, emulator::CopyTraffic());
  ASSERT_TRUE(device_.Fill(out_, 0, kArrayBytes).ok());
  work_.Copied(out_, 0, kArrayBytes, true);
  Launch(2, in_, other_, 3);
  const AnswerWork::Made made = work_.Of({{out_, out_ + 4}});
  EXPECT_EQ(made.copies.AsCounters().global_load_bytes, kArrayBytes)
      << "copies and sets in a row are one piece of work";
}

TEST_F(AnswerWorkTest, WhatReachesTheHostMaySteerTheProgram) {
  Launch(0, in_, other_, 1);
  Launch(1, in_, scratch_, 2);
  work_.CopiedToHost(other_, 4);
  Launch(2, in_, out_, 3);
  EXPECT_THAT(Makers(), ElementsAre(0, 2));
  const DevicePtr managed = *device_.AllocateShared(kArrayBytes, emulator::MemoryKind::kManaged, "managed");
  Launch(3, in_, managed, 4);
  EXPECT_THAT(Makers(), ElementsAre(0, 2, 3));
}

TEST_F(AnswerWorkTest, AnAtomicReadsWhatItWrites) {
  Launch(0, in_, out_, 1);
  TouchedBytes adds;
  adds.strong_writes.Add(out_, out_ + kArrayBytes);
  ASSERT_TRUE(device_.Fill(out_, 2, kArrayBytes).ok());
  work_.Launched(1, adds);
  EXPECT_THAT(Makers(), ElementsAre(0, 1));
}

TEST_F(AnswerWorkTest, TheDeviceHeapPassesOnEverything) {
  TouchedBytes on_heap;
  on_heap.heap = true;
  work_.Launched(0, on_heap);
  on_heap.writes.Add(out_, out_ + kArrayBytes);
  ASSERT_TRUE(device_.Fill(out_, 1, kArrayBytes).ok());
  work_.Launched(1, on_heap);
  EXPECT_THAT(Makers(), ElementsAre(0, 1));
}

TEST_F(AnswerWorkTest, WorkCountsIfItWouldTakeTooLongToFindOut) {
  constexpr size_t kLaunches = 1200, kPieces = size_t{1} << 17;
  Launch(0, in_, other_, 1);
  for (size_t k = 1; k <= kLaunches; ++k) LaunchPart(k, 0, {scratch_ + k, scratch_ + k + 1}, 1);
  Launch(kLaunches + 1, in_, other_, 2);
  TouchedBytes much;
  for (uint64_t k = 0; k < kPieces; ++k) much.reads.Add(64 + 2 * k, 65 + 2 * k);
  much.reads.Add(scratch_, scratch_ + kArrayBytes);
  much.writes.Add(out_, out_ + kArrayBytes);
  ASSERT_TRUE(device_.Fill(out_, 1, kArrayBytes).ok());
  work_.Launched(kLaunches + 2, much);
  const std::vector<size_t> makers = Makers();
  EXPECT_EQ(makers.size(), kLaunches + 2);
  EXPECT_EQ(makers.front(), 0u) << "too far back";
  EXPECT_THAT(makers, testing::Not(testing::Contains(kLaunches + 1))) << "nobody reads what it wrote";
}

TEST_F(AnswerWorkTest, OfNothingNothingIsNeeded) {
  EXPECT_THAT(Makers(), IsEmpty());
  Launch(0, in_, out_, 1);
  EXPECT_THAT(work_.Of({}).launches, IsEmpty());
}

}  // namespace
}  // namespace warpgrade::cudart
