#include "grader/lab/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace warpgrade {
namespace {

TEST(ParallelForTest, VisitsEachElementOnce) {
  for (const size_t count : {size_t{0}, size_t{1}, size_t{2}, size_t{3}, size_t{1000}, 5 * kWorkPerThread + 3}) {
    for (const size_t work : {size_t{0}, count, 100 * kWorkPerThread}) {
      std::vector<std::atomic<int>> visits(count);
      ParallelFor(count, work, [&visits](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) ++visits[i];
      });
      EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](const auto& times) { return times == 1; }))
          << count << " elements, work " << work;
    }
  }
}

TEST(ParallelForTest, LittleWorkStaysOnTheCallingThreadInOnePiece) {
  int calls = 0;
  ParallelFor(1000, kWorkPerThread, [&calls](size_t begin, size_t end) {
    ++calls;
    EXPECT_EQ(begin, 0u);
    EXPECT_EQ(end, 1000u);
  });
  EXPECT_EQ(calls, 1);
}

// Whoever is done takes from what is left, so one that is held up costs no more than the range that it has.
TEST(ParallelForTest, OneThatIsHeldUpKeepsOneRange) {
  if (internal::OtherCores().empty()) GTEST_SKIP() << "skipped: one core";
  constexpr size_t kCount = 4000;
  std::atomic<size_t> done_by_other{0}, done_here{0};
  const auto here = std::this_thread::get_id();
  ParallelFor(kCount, 2 * kWorkPerThread, [&](size_t begin, size_t end) {
    if (std::this_thread::get_id() != here) {
      done_by_other += end - begin;
      return;
    }
    // If nobody takes what is left, the test ends at ctest's own limit.
    while (done_by_other + (end - begin) < kCount) std::this_thread::yield();
    done_here += end - begin;
  });
  EXPECT_EQ(done_by_other + done_here, kCount);
  EXPECT_LE(done_here, kCount / (2 * kRangesPerThread));
}

// The cores where the other threads of OnCores may run, one for each thread.
std::multiset<int> CoresOfOthers() {
  std::multiset<int> cores;
  std::mutex mutex;
  const auto here = std::this_thread::get_id();
  internal::OnCores(internal::OtherCores(), [&] {
    if (std::this_thread::get_id() == here) return;
    cpu_set_t usable;
    ASSERT_EQ(sched_getaffinity(0, sizeof(usable), &usable), 0);
    EXPECT_EQ(CPU_COUNT(&usable), 1);
    const std::lock_guard lock(mutex);
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      if (CPU_ISSET(core, &usable)) cores.insert(core);
    }
  });
  return cores;
}

TEST(ParallelForTest, PutsEachOtherThreadOnACoreOfItsOwnWhereTheCallingOneMayBe) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  if (CPU_COUNT(&before) < 2) GTEST_SKIP() << "skipped: one core";
  const std::multiset<int> cores = CoresOfOthers();
  EXPECT_EQ(cores.size(), static_cast<size_t>(CPU_COUNT(&before)) - 1);
  EXPECT_EQ(std::set<int>(cores.begin(), cores.end()).size(), cores.size());
  for (const int core : cores) EXPECT_TRUE(CPU_ISSET(core, &before)) << core;
}

TEST(ParallelForTest, StaysOnTheOnlyCoreThatItMayUse) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_TRUE(internal::OtherCores().empty());
  const auto here = std::this_thread::get_id();
  ParallelFor(1000, 100 * kWorkPerThread, [&](size_t, size_t) { EXPECT_EQ(std::this_thread::get_id(), here); });
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
}

TEST(ParallelForTest, WhereACoreIsNotToBeHadTheOthersDoItAll) {
  std::atomic<int> times{0};
  internal::OnCores({CPU_SETSIZE - 1}, [&times] { ++times; });  // no machine of ours has so many
  EXPECT_EQ(times, 1);
}

TEST(ParallelForTest, AnExceptionLeavesWhenTheOtherThreadsAreDone) {
  if (internal::OtherCores().empty()) GTEST_SKIP() << "skipped: one core";
  std::atomic<bool> others_done{false};
  const auto here = std::this_thread::get_id();
  const auto work = [&] {
    if (std::this_thread::get_id() == here) throw std::runtime_error("no memory");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    others_done = true;
  };
  EXPECT_THROW(internal::OnCores({internal::OtherCores().front()}, work), std::runtime_error);
  EXPECT_TRUE(others_done);
}

}  // namespace
}  // namespace warpgrade
