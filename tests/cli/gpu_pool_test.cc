#include "grader/cli/gpu_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace warpgrade::cli {
namespace {

using Place = std::shared_ptr<const std::string>;

TEST(GpuPoolTest, GivesTheGpuThatHasTheFewestRungs) {
  GpuPool pool({"GPU-a", "GPU-b", "GPU-c"});
  EXPECT_EQ(pool.size(), 3);
  Place a = pool.Take();
  Place b = pool.Take();
  const Place c = pool.Take();
  EXPECT_EQ(*a + " " + *b + " " + *c, "GPU-a GPU-b GPU-c");
  const Place second_of_a = pool.Take();
  EXPECT_EQ(*second_of_a, "GPU-a");
  const Place copy_of_b = b;
  b.reset();
  EXPECT_EQ(*pool.Take(), "GPU-b")
      << "one each, and a has two: a copy still counts, and the next is given back at once";
  const Place second_of_b = pool.Take();
  EXPECT_EQ(*second_of_b, "GPU-b");
  EXPECT_EQ(*pool.Take(), "GPU-c");
}

TEST(GpuPoolTest, OneRungAfterTheOtherHasTheFirst) {
  GpuPool pool({"GPU-a", "GPU-b"});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(*pool.Take(), "GPU-a");
}

TEST(GpuPoolTest, NamesNoGpuWhereThereIsNoChoice) {
  for (const std::vector<std::string>& uuids : {std::vector<std::string>{}, {"GPU-a"}}) {
    GpuPool pool(uuids);
    EXPECT_EQ(pool.size(), 1);
    const Place first = pool.Take();
    EXPECT_EQ(*first, "");
    EXPECT_EQ(*pool.Take(), "");
  }
}

TEST(GpuPoolTest, AGpuOnWhichTheMachineFailedIsGivenOnlyIfItFailedOnAll) {
  GpuPool pool({"GPU-a", "GPU-b"});
  pool.Report("GPU-a", true);
  const Place first = pool.Take();
  const Place second = pool.Take();
  EXPECT_EQ(*first + " " + *second, "GPU-b GPU-b");
  pool.Report("GPU-b", true);
  EXPECT_EQ(*pool.Take(), "GPU-a");
  pool.Report("GPU-b", false);
  EXPECT_EQ(*pool.Take(), "GPU-b");
}

TEST(GpuPoolTest, ThreadsThatTakeAtTheSameTimeShareTheGpusEvenly) {
  for (int round = 0; round < 50; ++round) {
    GpuPool pool({"GPU-a", "GPU-b"});
    std::vector<Place> places(4);
    std::latch all_run(4);
    std::vector<std::thread> threads;
    for (Place& place : places) {
      threads.emplace_back([&] {
        all_run.arrive_and_wait();
        for (int turn = 0; turn < 100; ++turn) {
          place.reset();
          place = pool.Take();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(std::ranges::count_if(places, [](const Place& place) { return *place == "GPU-a"; }), 2);
  }
}

}  // namespace
}  // namespace warpgrade::cli
