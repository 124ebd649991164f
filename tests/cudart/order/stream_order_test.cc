// What is a race between streams and what is none, with work that is made up here.
#include "grader/cudart/order/stream_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::cudart {
namespace {

using emulator::ByteRange;
using emulator::TouchedBytes;
using testing::HasSubstr;

constexpr uint64_t kDefault = 0, kA = 3, kB = 4, kFree = 5;
constexpr uint64_t kBase = 1 << 20, kBytes = 1 << 16;  // the one allocation

class StreamOrderTest : public testing::Test {
 protected:
  StreamOrderTest()
      : order_([](uint64_t at) { return Around(at); }, [this](const emulator::Finding& f) { found_.push_back(f); }) {
    for (const uint64_t stream : {kA, kB}) order_.Apply({OrderOp::kStreamMade, stream, 1});
    order_.Apply({OrderOp::kStreamMade, kFree, 0});
  }
  static std::optional<emulator::AllocationInfo> Around(uint64_t at) {
    if (at < kBase || at >= kBase + kBytes) return std::nullopt;
    return emulator::AllocationInfo{kBase, kBytes, "d_x", 1, emulator::MemoryKind::kDevice};
  }

  static TouchedBytes Reads(uint64_t from, uint64_t to) {
    TouchedBytes touched;
    touched.reads.Add(kBase + from, kBase + to);
    return touched;
  }
  static TouchedBytes Writes(uint64_t from, uint64_t to) {
    TouchedBytes touched;
    touched.writes.Add(kBase + from, kBase + to);
    return touched;
  }
  void Run(const char* name, uint64_t stream, TouchedBytes touched) {
    order_.Add({WorkKind::kKernel, stream, false, name, std::move(touched)});
  }
  void Copy(uint64_t stream, TouchedBytes touched, bool host_waits = false) {
    const WorkKind kind = touched.writes.empty() ? WorkKind::kCopyFromDevice : WorkKind::kCopyToDevice;
    order_.Add({kind, stream, host_waits, "", std::move(touched)});
  }

  StreamOrder order_;
  std::vector<emulator::Finding> found_;
};

TEST_F(StreamOrderTest, ACopyThatAKernelOfAnotherStreamReadsIsARaceAndTheMessageSaysAll) {
  Copy(kA, Writes(0, 4096));
  Run("sum(float*)", kB, Reads(1024, 8192));
  ASSERT_EQ(found_.size(), 1u);
  EXPECT_EQ(found_[0].kind, emulator::FindingKind::kStreamRace);
  EXPECT_EQ(found_[0].kernel, "sum(float*)");
  EXPECT_EQ(found_[0].message,
            "the kernel in stream 2 reads bytes 1024 to 4095 of d_x, which the copy to the device in stream 1 writes, "
            "and nothing orders the two; record an event in stream 1 after the copy to the device, and let stream 2 "
            "wait for it with cudaStreamWaitEvent before the kernel");
}

TEST_F(StreamOrderTest, TheArraysOfACallBelongToItsStream) {
  order_.BeginCall(kFree, Writes(0, 4096));
  Run("in_its_stream", kFree, Writes(0, 64));
  EXPECT_TRUE(found_.empty());
  Run("in_the_default_stream", kDefault, Writes(64, 128));
  ASSERT_EQ(found_.size(), 1u);
  EXPECT_EQ(found_[0].kernel, "in_the_default_stream");
  EXPECT_EQ(found_[0].message,
            "the kernel in the default stream writes bytes 64 to 127 of d_x, which are written in the stream that your "
            "function gets, before the call, and nothing orders the two; put all work onto this stream");
  EXPECT_EQ(found_[0].host_places.size(), 1u) << "the grader's own work has no line";
}

TEST_F(StreamOrderTest, AStreamThatWaitsForTheStreamOfTheCallIsInOrder) {
  order_.BeginCall(kFree, Writes(0, 4096));
  order_.Apply({OrderOp::kRecord, kFree, 77});
  order_.Apply({OrderOp::kWaitEvent, kA, 77});
  Run("after_the_event", kA, Reads(0, 64));
  EXPECT_TRUE(found_.empty());
  Run("without_an_event", kB, Reads(0, 64));
  EXPECT_EQ(found_.size(), 1u);
}

constexpr uint64_t kEndOfCall = 90;  // an event

TEST_F(StreamOrderTest, WorkThatTheStreamOfTheCallDoesNotWaitForIsARaceWithWhatComesAfterTheCall) {
  order_.Apply({OrderOp::kRecord, kFree, kEndOfCall});
  order_.BeginCall(kFree, Writes(0, 4096));
  order_.Apply({OrderOp::kRecord, kFree, 77});
  order_.Apply({OrderOp::kWaitEvent, kA, 77});
  order_.Add({WorkKind::kKernel, kA, false, "forked", Reads(64, 128), 0x40});
  EXPECT_TRUE(found_.empty());
  order_.Apply({OrderOp::kRecord, kFree, kEndOfCall});
  ASSERT_EQ(found_.size(), 1u);
  EXPECT_EQ(found_[0].kernel, "forked");
  EXPECT_EQ(found_[0].message,
            "the kernel in stream 1 reads bytes 64 to 127 of d_x, and the stream that your function gets does not wait "
            "for this when your function returns; put all work onto this stream, or record an event in stream 1 after "
            "the kernel and let the stream that your function gets wait for it with cudaStreamWaitEvent");
  ASSERT_EQ(found_[0].host_places.size(), 1u);
  EXPECT_EQ(found_[0].host_places[0].address, 0x40u);
}

TEST_F(StreamOrderTest, WorkThatTheStreamOfTheCallOrTheHostWaitsForHasEndedWithTheCall) {
  order_.Apply({OrderOp::kRecord, kFree, kEndOfCall});
  for (const bool host_waits : {false, true}) {
    order_.BeginCall(kFree, Writes(0, 4096));
    order_.Apply({OrderOp::kRecord, kFree, 77});
    order_.Apply({OrderOp::kWaitEvent, kA, 77});
    Run("forked", kA, Writes(64, 128));
    order_.Apply({OrderOp::kRecord, kA, 78});
    order_.Apply(host_waits ? OrderStep{OrderOp::kHostWaitsEvent, 0, 78} : OrderStep{OrderOp::kWaitEvent, kFree, 78});
    order_.Apply({OrderOp::kRecord, kFree, kEndOfCall});
    order_.Apply({OrderOp::kHostWaitsAll});
  }
  EXPECT_TRUE(found_.empty());
}

TEST_F(StreamOrderTest, ARaceWithinACallIsSaidAndNotThatNothingWaitsForItsWork) {
  order_.Apply({OrderOp::kRecord, kFree, kEndOfCall});
  for (const char* kernel : {"first", "second"}) {
    order_.BeginCall(kFree, Writes(0, 4096));
    order_.Apply({OrderOp::kHostWaitsAll});
    Copy(kA, Writes(64, 128));
    Run(kernel, kB, Reads(64, 128));
    order_.Apply({OrderOp::kRecord, kFree, kEndOfCall});
    order_.Apply({OrderOp::kHostWaitsAll});
  }
  ASSERT_EQ(found_.size(), 2u);
  EXPECT_EQ(found_[1].kernel, "second");
  EXPECT_THAT(found_[1].message, HasSubstr("which the copy to the device in stream 1 writes"));
  order_.BeginCall(kFree, Writes(0, 4096));
  order_.Apply({OrderOp::kHostWaitsAll});
  Run("third", kB, Reads(64, 128));
  order_.Apply({OrderOp::kRecord, kFree, kEndOfCall});
  EXPECT_EQ(found_.size(), 3u) << "another call";
}

TEST_F(StreamOrderTest, ACallThatHasEndedDoesNotEndAgain) {
  order_.Apply({OrderOp::kRecord, kFree, kEndOfCall});
  order_.BeginCall(kFree, Writes(0, 4096));
  order_.Apply({OrderOp::kRecord, kFree, kEndOfCall});
  order_.Apply({OrderOp::kHostWaitsAll});
  Run("of_no_call", kA, Writes(64, 128));
  order_.Apply({OrderOp::kRecord, kFree, kEndOfCall});
  EXPECT_TRUE(found_.empty());
}

TEST_F(StreamOrderTest, ACallWithoutArraysLeavesNothingThatMustBeWaitedFor) {
  order_.Apply({OrderOp::kRecord, kFree, kEndOfCall});
  order_.BeginCall(kFree, {});
  Run("on_memory_of_its_own", kA, Writes(64, 128));
  order_.Apply({OrderOp::kRecord, kFree, kEndOfCall});
  order_.Apply({OrderOp::kRecord, kFree, kEndOfCall});
  EXPECT_TRUE(found_.empty());
}

TEST_F(StreamOrderTest, OnlyTheEventFromBeforeTheFirstCallEndsACall) {
  order_.Apply({OrderOp::kRecord, kFree, kEndOfCall});
  order_.BeginCall(kFree, Writes(0, 4096));
  order_.Apply({OrderOp::kRecord, kFree, 77});
  order_.Apply({OrderOp::kWaitEvent, kA, 77});
  Run("forked", kA, Writes(64, 128));
  order_.Apply({OrderOp::kRecord, kFree, 77});
  order_.Apply({OrderOp::kRecord, kA, kEndOfCall});
  EXPECT_TRUE(found_.empty());
}

TEST_F(StreamOrderTest, ACallWhoseHostHasWaitedHasNoEarlierWork) {
  order_.BeginCall(kFree, Writes(0, 4096));
  order_.Apply({OrderOp::kHostWaitsAll});
  Run("after_all", kDefault, Writes(0, 64));
  EXPECT_TRUE(found_.empty());
}

TEST_F(StreamOrderTest, ARaceNamesTheCallsOfBothAndWhereTheirLinesBelong) {
  order_.Add({WorkKind::kFill, kA, false, "", Writes(0, 64), 0x40});
  order_.Add({WorkKind::kKernel, kB, false, "sum(float*)", Reads(0, 64), 0x50});
  ASSERT_EQ(found_.size(), 1u);
  ASSERT_EQ(found_[0].host_places.size(), 2u);
  EXPECT_EQ(found_[0].host_places[0].address, 0x50u);
  EXPECT_EQ(found_[0].host_places[1].address, 0x40u);
  std::string message = found_[0].message;
  message.insert(found_[0].host_places[1].in_message, " (a.cu:4)")
      .insert(found_[0].host_places[0].in_message, " (a.cu:5)");
  EXPECT_THAT(message,
              testing::StartsWith("the kernel in stream 2 (a.cu:5) reads bytes 0 to 63 of d_x, which the memset "
                                  "in stream 1 (a.cu:4) writes, and nothing orders the two;"));
}

TEST_F(StreamOrderTest, TwoCopiesOfOneCallAreOneAndThoseOfTwoCallsAreTwo) {
  order_.Add({WorkKind::kCopyToDevice, kA, false, "", Writes(0, 64), 0x40});
  order_.Add({WorkKind::kCopyToDevice, kA, false, "", Writes(64, 128), 0x40});
  order_.Add({WorkKind::kCopyToDevice, kA, false, "", Writes(128, 192), 0x44});
  order_.Add({WorkKind::kKernel, kB, false, "first", Reads(64, 65), 0x50});
  order_.Add({WorkKind::kKernel, kB, false, "second", Reads(130, 131), 0x50});
  ASSERT_EQ(found_.size(), 2u);
  EXPECT_EQ(found_[0].host_places[1].address, 0x40u);
  EXPECT_EQ(found_[1].host_places[1].address, 0x44u);
}

TEST_F(StreamOrderTest, WritesAfterReadsAndWritesAfterWritesAreRacesToo) {
  Run("reads", kA, Reads(0, 64));
  Run("writes", kB, Writes(0, 64));
  EXPECT_EQ(found_.size(), 1u);
  Run("writes too", kFree, Writes(32, 96));
  EXPECT_EQ(found_.size(), 2u) << "one of both is enough";
}

TEST_F(StreamOrderTest, ReadsOfTheSameBytesAndNeighbouringBytesAreNone) {
  Run("reads", kA, Reads(0, 64));
  Run("reads too", kB, Reads(0, 64));
  Run("left", kA, Writes(64, 100));
  Run("right", kB, Writes(100, 128));
  EXPECT_TRUE(found_.empty());
}

TEST_F(StreamOrderTest, WhatAnEventTheDefaultStreamOrTheHostOrdersIsNone) {
  Copy(kA, Writes(0, 64));
  order_.Apply({OrderOp::kRecord, kA, 9});
  order_.Apply({OrderOp::kWaitEvent, kB, 9});
  Run("waits for an event", kB, Writes(0, 64));
  Run("in the default stream", kDefault, Writes(0, 64));
  order_.Apply({OrderOp::kHostWaitsStream, kDefault, 0});
  Run("after the host waited", kFree, Writes(0, 64));
  EXPECT_TRUE(found_.empty());
}

TEST_F(StreamOrderTest, TheDefaultStreamDoesNotWaitForANonBlockingOneAndTheMessageSaysSo) {
  order_.Add({WorkKind::kFill, kDefault, false, "", Writes(0, 64)});
  Run("k", kFree, Reads(0, 4));
  ASSERT_EQ(found_.size(), 1u);
  EXPECT_THAT(found_[0].message, HasSubstr("cudaStreamNonBlocking"));
  EXPECT_THAT(found_[0].message, HasSubstr("cudaStreamSynchronize for the default stream"));
}

TEST_F(StreamOrderTest, ACopyThatTheHostWaitsForIsOver) {
  Copy(kA, Writes(0, 64), /*host_waits=*/true);
  Run("k", kB, Reads(0, 64));
  EXPECT_TRUE(found_.empty());
}

TEST_F(StreamOrderTest, PartsOfOneCopyAreOnePieceOfWork) {
  for (uint64_t part = 0; part < 4 * StreamOrder::kMostWork; ++part) Copy(kA, Writes(part, part + 1));
  Run("k", kB, Reads(0, 1));
  EXPECT_EQ(found_.size(), 1u) << "the first part was forgotten";
}

TEST_F(StreamOrderTest, PartsWithGapsAreComparedAlsoWhenThereAreTooManyForOnePieceOfWork) {
  constexpr uint64_t kParts = 3 * StreamOrder::kMostJoined;
  for (uint64_t part = kParts; part > 0; --part) Copy(kA, Writes(2 * part, 2 * part + 1));
  Run("k", kB, Reads(2 * kParts, 2 * kParts + 1));
  EXPECT_EQ(found_.size(), 1u) << "the first part was forgotten";
  Run("m", kB, Reads(2, 3));
  EXPECT_EQ(found_.size(), 2u) << "the last part was forgotten";
}

TEST_F(StreamOrderTest, APartThatComesLaterIsComparedAsWell) {
  Run("k", kB, Reads(100, 101));
  Copy(kA, Writes(0, 100));
  EXPECT_TRUE(found_.empty());
  Copy(kA, Writes(100, 200));
  EXPECT_EQ(found_.size(), 1u);
}

TEST_F(StreamOrderTest, ACopyAfterAnEventIsNotAPartOfTheOneBefore) {
  Copy(kA, Writes(0, 64));
  order_.Apply({OrderOp::kRecord, kA, 9});
  Copy(kA, Writes(64, 128));
  order_.Apply({OrderOp::kWaitEvent, kB, 9});
  Run("reads the first", kB, Reads(0, 64));
  EXPECT_TRUE(found_.empty());
  Run("reads the second", kB, Reads(64, 128));
  EXPECT_EQ(found_.size(), 1u);
}

TEST_F(StreamOrderTest, AtomicsOfTwoKernelsAreNoneAndAPlainAccessBesideThemIsOne) {
  TouchedBytes atomics;
  atomics.strong_writes.Add(kBase, kBase + 4);
  Run("counts", kA, atomics);
  Run("counts too", kB, atomics);
  EXPECT_TRUE(found_.empty());
  order_.Apply({OrderOp::kHostWaitsAll, 0, 0});
  Run("counts", kA, atomics);
  Run("looks", kB, Reads(0, 4));
  EXPECT_EQ(found_.size(), 1u);
}

TEST_F(StreamOrderTest, KernelsThatSignalEachOtherOrderThemselves) {
  TouchedBytes publishes = Writes(64, 128), waits = Reads(64, 128);
  publishes.strong_writes.Add(kBase, kBase + 4);
  publishes.fences = waits.fences = true;
  waits.strong_reads.Add(kBase, kBase + 4);
  Run("publishes", kA, publishes);
  Run("waits", kB, waits);
  EXPECT_TRUE(found_.empty());
}

TEST_F(StreamOrderTest, AtomicsWhoseOldValueNobodyUsesOrderNothing) {
  TouchedBytes first = Writes(64, 128), second = Reads(64, 128);
  first.fences = second.fences = true;
  first.strong_writes.Add(kBase, kBase + 4);
  second.strong_writes.Add(kBase, kBase + 4);
  Run("writes", kA, first);
  Run("reads", kB, second);
  EXPECT_EQ(found_.size(), 1u);
}

TEST_F(StreamOrderTest, AFreeInAnotherStreamThanTheUserIsOne) {
  Run("k", kA, Reads(0, 4));
  order_.Apply({OrderOp::kGiveBack, kB, kBase});
  ASSERT_EQ(found_.size(), 1u);
  EXPECT_THAT(found_[0].message,
              HasSubstr("the free in stream 2 frees bytes 0 to 3 of d_x, which k in stream 1 reads"));
}

TEST_F(StreamOrderTest, AFreeInTheUsersStreamIsNoneAndTheNextOwnerIsAStranger) {
  Run("k", kA, Writes(0, 4));
  order_.Apply({OrderOp::kGiveBack, kA, kBase});
  order_.Forget(kBase, kBytes);
  order_.Apply({OrderOp::kTake, kB, kBase});
  Run("new owner", kB, Writes(0, 4));
  EXPECT_TRUE(found_.empty());
  Run("does not wait for the allocation", kA, Writes(0, 4));
  EXPECT_EQ(found_.size(), 1u);
}

TEST_F(StreamOrderTest, TheHostMustWaitBeforeItFreesMemoryOfAPool) {
  Run("k", kA, Writes(0, 4));
  order_.Apply({OrderOp::kHostGivesBack, 0, kBase});
  ASSERT_EQ(found_.size(), 1u);
  EXPECT_THAT(found_[0].message, HasSubstr("use cudaFreeAsync in stream 1, or call cudaStreamSynchronize"));
  order_.Apply({OrderOp::kHostWaitsStream, kA, 0});
  order_.ForgetReports();
  order_.Apply({OrderOp::kHostGivesBack, 0, kBase});
  EXPECT_EQ(found_.size(), 1u);
}

TEST_F(StreamOrderTest, AnEarlyAccessOfTheHostIsLookedUpInTheWorkOfItsStream) {
  Copy(kA, Reads(0, 64));
  order_.Apply({OrderOp::kHostReads, kA, kBase + 5});
  EXPECT_TRUE(found_.empty()) << "both read";
  order_.Apply({OrderOp::kHostWrites, kB, kBase + 5});
  order_.Apply({OrderOp::kHostWrites, kA, kBase + 64});
  EXPECT_TRUE(found_.empty()) << "nothing in this stream uses the byte";
  order_.Apply({OrderOp::kHostWrites, kA, kBase + 63, 0x60});
  ASSERT_EQ(found_.size(), 1u);
  EXPECT_EQ(found_[0].kind, emulator::FindingKind::kHostRace);
  EXPECT_EQ(found_[0].message,
            "the host writes byte 63 of d_x while the copy to the host in stream 1 may still read it; call "
            "cudaStreamSynchronize for stream 1 first");
  ASSERT_EQ(found_[0].host_places.size(), 2u);
  EXPECT_EQ(found_[0].host_places[0].address, 0x60u);
  EXPECT_EQ(found_[0].message.substr(0, found_[0].host_places[0].in_message), "the host");
}

TEST_F(StreamOrderTest, BranchesOfAGraphAreNotOrderedByTheirStream) {
  constexpr uint64_t kBranch = kFirstBranch + 1;
  order_.Apply({OrderOp::kStreamMade, kBranch, 0});
  Run("in the stream itself", kA, Writes(0, 64));
  order_.Apply({OrderOp::kBranch, kA, kBranch});
  Run("in a branch", kA, Writes(0, 64));
  ASSERT_EQ(found_.size(), 1u);
  EXPECT_THAT(found_[0].message, HasSubstr("the kernel in a branch of the graph in stream 1 writes"));
  EXPECT_THAT(found_[0].message, HasSubstr("make one of the two nodes of the graph depend on the other"));
  order_.Apply({OrderOp::kHostWaitsStream, kBranch, 0});
  order_.Apply({OrderOp::kBranch, kA, 0});
  Run("in the stream again", kA, Writes(0, 64));
  EXPECT_EQ(found_.size(), 1u);
}

TEST_F(StreamOrderTest, MessagesCountStreamsFromTheLastReset) {
  order_.ForgetReports();
  order_.Apply({OrderOp::kStreamMade, 10, 1});
  order_.Apply({OrderOp::kStreamMade, 6, 1});
  order_.ForgetReports();
  order_.Apply({OrderOp::kStreamMade, 11, 1});
  Copy(11, Writes(0, 64));
  Run("k", kA, Reads(0, 64));
  ASSERT_EQ(found_.size(), 1u);
  EXPECT_THAT(found_[0].message, HasSubstr("the kernel in a stream that was made before reads"));
  EXPECT_THAT(found_[0].message, HasSubstr("the copy to the device in stream 1 writes"));
}

TEST_F(StreamOrderTest, APairIsReportedOnceUntilTheReportsAreForgotten) {
  for (int round = 0; round < 2; ++round) {
    for (int again = 0; again < 3; ++again) {
      Copy(kA, Writes(0, 64));
      Run("k", kB, Reads(0, 64));
    }
    EXPECT_EQ(found_.size(), 2u * static_cast<size_t>(round + 1)) << "the copy before the kernel and after it";
    order_.ForgetReports();
  }
}

TEST(UnwatchedStreamOrderTest, AProgramWithoutStreamsIsNotWatched) {
  StreamOrder order([](uint64_t) { return std::nullopt; }, [](const emulator::Finding&) {});
  order.Use(kDefault);
  order.Apply({OrderOp::kHostWaitsAll, 0, 0});
  EXPECT_FALSE(order.watches());
  order.Use(kA);
  EXPECT_TRUE(order.watches());
}

// Work that is done later than its call.
class DelayedStreamOrderTest : public StreamOrderTest {
 protected:
  void Reserve(uint64_t stream, uint64_t ticket) { order_.Apply({OrderOp::kReserve, stream, ticket}); }
  void Begin(uint64_t ticket) { order_.Apply({OrderOp::kDo, 0, ticket}); }
  void End(uint64_t ticket) { order_.Apply({OrderOp::kDone, 0, ticket}); }
};

TEST_F(DelayedStreamOrderTest, ComesBeforeWhatItsEventOrdersThoughThatIsSeenFirst) {
  Reserve(kA, 1);
  order_.Apply({OrderOp::kRecord, kA, 77});
  order_.Apply({OrderOp::kWaitEvent, kB, 77});
  Reserve(kB, 2);
  Begin(2);
  Run("second", kB, Reads(0, 64));
  End(2);
  Begin(1);
  Run("first", kA, Writes(0, 64));
  End(1);
  EXPECT_TRUE(found_.empty());
}

TEST_F(DelayedStreamOrderTest, GivesTheFindingOfTheOrderOfTheCalls) {
  Run("earlier", kFree, Reads(0, 64));
  Reserve(kA, 1);
  Run("later", kB, Reads(0, 64));
  order_.Apply({OrderOp::kHostWaitsAll, 0, 0});
  EXPECT_TRUE(found_.empty());
  Begin(1);
  Run("delayed", kA, Writes(0, 64));
  EXPECT_TRUE(found_.empty()) << "it is not over";
  End(1);
  ASSERT_EQ(found_.size(), 2u);
  EXPECT_THAT(found_[0].message, HasSubstr("the kernel in stream 1 writes bytes 0 to 63 of d_x, which earlier in"));
  EXPECT_THAT(found_[1].message, HasSubstr("the kernel in stream 2 reads bytes 0 to 63 of d_x, which delayed in"));
}

TEST_F(DelayedStreamOrderTest, TooManyPiecesOfOneReservedWorkEndTheCheckInsteadOfFillingTheMemory) {
  Reserve(kA, 1);
  Begin(1);
  for (size_t piece = 0; piece < StreamOrder::kMostLogged; ++piece) Copy(kA, Writes(0, 64));
  EXPECT_TRUE(order_.watches());
  Copy(kA, Writes(0, 64));
  EXPECT_FALSE(order_.watches());
}

TEST_F(DelayedStreamOrderTest, TooManyRangesOfReservedWorkEndTheCheckInsteadOfFillingTheMemory) {
  TouchedBytes many;
  for (uint64_t k = 0; k < StreamOrder::kMostRanges / 4; ++k) many.writes.Add(kBase + 2 * k, kBase + 2 * k + 1);
  Reserve(kA, 1);
  Begin(1);
  for (int piece = 0; piece < 4; ++piece) Run("k", kA, many);
  EXPECT_TRUE(order_.watches());
  Run("k", kA, Writes(0, 64));
  EXPECT_FALSE(order_.watches());
}

TEST_F(DelayedStreamOrderTest, TheLogIsCountedAnewWhenItWasEmpty) {
  for (uint64_t ticket = 1; ticket <= 3; ++ticket) {
    Reserve(kA, ticket);
    Begin(ticket);
    for (size_t piece = 0; piece < StreamOrder::kMostLogged / 2; ++piece) Copy(kA, Writes(0, 64));
    End(ticket);
  }
  EXPECT_TRUE(order_.watches());
}

TEST_F(DelayedStreamOrderTest, MayBeginAndGoOnLater) {
  Reserve(kA, 1);
  Begin(1);
  Begin(0);
  Run("other", kB, Writes(64, 128));
  Begin(1);
  Run("delayed", kA, Writes(0, 64));
  End(1);
  EXPECT_TRUE(found_.empty());
}

TEST_F(DelayedStreamOrderTest, MemoryThatIsFreedMeanwhileIsForgottenInItsPlace) {
  Reserve(kA, 1);
  Run("earlier", kB, Writes(0, 64));
  order_.Forget(kBase, kBytes);
  Run("of the next owner", kFree, Writes(0, 64));
  Begin(1);
  Run("delayed", kA, Reads(4096, 4100));
  End(1);
  EXPECT_TRUE(found_.empty());
}

TEST_F(DelayedStreamOrderTest, AKernelThatWaitedForAFlagIsOrderedByWhatSetIt) {
  TouchedBytes waits = Reads(0, 64);
  waits.strong_reads.Add(kBase + 128, kBase + 132);
  waits.waited = true;
  Reserve(kA, 1);
  Copy(kB, Writes(128, 132));
  Begin(1);
  Run("waits", kA, waits);
  End(1);
  EXPECT_TRUE(found_.empty());
}

}  // namespace
}  // namespace warpgrade::cudart
