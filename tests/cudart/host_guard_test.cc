// The host touches guarded memory of this process, and the access is noted and done.
#include "grader/cudart/host_guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>

namespace warpgrade::cudart {
namespace {

constexpr uint64_t kPage = 4096, kStream = 3;

class HostGuardTest : public testing::Test {
 protected:
  HostGuardTest() {
    void* at = mmap(nullptr, 4 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memory_ = static_cast<volatile char*>(at);
    base_ = reinterpret_cast<uint64_t>(at);
    guard_.Add(base_, kBytes);
  }
  ~HostGuardTest() override {
    guard_.Remove(base_);
    munmap(reinterpret_cast<void*>(base_), 4 * kPage);
  }

  void Uses(uint64_t from, uint64_t to, bool written, uint64_t stream = kStream) {
    guard_.Guard(stream, {{base_ + from, base_ + to, written}});
  }
  void Wait(uint64_t stream = kStream) { guard_.Apply({OrderOp::kHostWaitsStream, stream, 0}); }
  // "r STREAM OFFSET" or "w STREAM OFFSET" for each noted access.
  std::vector<std::string> Noted() {
    std::vector<std::string> noted;
    for (const EarlyAccess& access : guard_.Take()) {
      noted.push_back((access.writes ? "w " : "r ") + std::to_string(access.stream) + " " +
                      std::to_string(access.address - base_));
    }
    return noted;
  }

  static constexpr uint64_t kBytes = 3 * kPage + 100;  // so the allocation ends within its last page
  volatile char* memory_ = nullptr;
  uint64_t base_ = 0;
  HostGuard guard_;
};

TEST_F(HostGuardTest, NotesTheFirstReadOfWhatWorkWritesAndLetsItGoOn) {
  memory_[kPage + 5] = 7;
  Uses(0, kBytes, true);
  EXPECT_EQ(memory_[kPage + 5], 7);
  EXPECT_EQ(memory_[1], 0);
  EXPECT_THAT(Noted(), testing::ElementsAre("r 3 4101"));
  EXPECT_THAT(Noted(), testing::IsEmpty());
}

[[gnu::noinline]] int ReadAt(const volatile char* at) { return *at; }

TEST_F(HostGuardTest, NotesTheInstruction) {
  Uses(0, kBytes, true);
  static_cast<void>(ReadAt(memory_ + 5));
  const std::vector<EarlyAccess> noted = guard_.Take();
  ASSERT_EQ(noted.size(), 1u);
  const auto function = reinterpret_cast<uintptr_t>(&ReadAt), at = reinterpret_cast<uintptr_t>(noted[0].instruction);
  EXPECT_GE(at, function);
  EXPECT_LT(at, function + 64);
}

TEST_F(HostGuardTest, NotesWritesToWhatWorkReadsAndAllowsReads) {
  Uses(0, kBytes, false);
  EXPECT_EQ(memory_[0], 0);
  memory_[3 * kPage + 99] = 1;
  EXPECT_THAT(Noted(), testing::ElementsAre("w 3 12387"));
}

TEST_F(HostGuardTest, OpensThePagesWhenTheHostWaited) {
  Uses(0, kBytes, true);
  Wait();
  memory_[0] = 1;
  EXPECT_THAT(Noted(), testing::IsEmpty());
}

TEST_F(HostGuardTest, AWaitForAnotherStreamOpensNothing) {
  Uses(0, kPage, true);
  Uses(kPage, 2 * kPage, true, 4);
  Wait(4);
  memory_[kPage] = 1;
  memory_[0] = 1;
  EXPECT_THAT(Noted(), testing::ElementsAre("w 3 0"));
}

TEST_F(HostGuardTest, TheStricterOfTwoGuardsHoldsUntilItIsOpened) {
  Uses(0, kPage, true, 4);
  Uses(0, kBytes, false);
  Wait(4);
  EXPECT_EQ(memory_[0], 0);
  EXPECT_THAT(Noted(), testing::IsEmpty()) << "only a reader is left";
  memory_[0] = 1;
  EXPECT_THAT(Noted(), testing::ElementsAre("w 3 0"));
}

// Bytes beside those of the work are in these pages, so the pages stay open.
TEST_F(HostGuardTest, DoesNotGuardPagesThatTheWorkUsedInPart) {
  Uses(8, kPage - 8, true);
  Uses(2 * kPage, kBytes - 1, true);
  memory_[9] = 1;
  memory_[3 * kPage] = 1;
  EXPECT_THAT(Noted(), testing::IsEmpty());
  memory_[2 * kPage] = 1;
  EXPECT_THAT(Noted(), testing::ElementsAre("w 3 8192"));
}

TEST_F(HostGuardTest, GuardsNoMemoryThatItWasNotTold) {
  void* other = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const auto at = reinterpret_cast<uint64_t>(other);
  guard_.Guard(kStream, {{at, at + kPage, true}, {base_, base_ + kBytes + 1, true}});
  *static_cast<volatile char*>(other) = 1;
  memory_[0] = 1;
  EXPECT_THAT(Noted(), testing::IsEmpty());
  munmap(other, kPage);
}

// What a crash looked like before, it looks like still.
TEST(HostGuardDeathTest, ACrashElsewhereStillEndsTheProgram) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        void* at = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        HostGuard guard;
        guard.Add(reinterpret_cast<uint64_t>(at), kPage);
        guard.Guard(kStream, {{reinterpret_cast<uint64_t>(at), reinterpret_cast<uint64_t>(at) + kPage, true}});
        volatile uint64_t nowhere = 16;
        *reinterpret_cast<volatile char*>(nowhere) = 1;
      },
      testing::KilledBySignal(SIGSEGV), "");
}

}  // namespace
}  // namespace warpgrade::cudart
