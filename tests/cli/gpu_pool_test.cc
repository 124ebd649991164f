#include "grader/cli/gpu_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
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

TEST(GpuPoolTest, NoThreadGetsAGpuThatHasItsShare) {
  GpuPool pool({"GPU-a", "GPU-b"});
  std::map<std::string, std::atomic<int>> users;
  users["GPU-a"] = users["GPU-b"] = 0;
  std::atomic<int> most{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 2000; ++turn) {
        const Place place = pool.Take();
        const int now = ++users.at(*place);
        int before = most;
        while (before < now && !most.compare_exchange_weak(before, now)) {
        }
        --users.at(*place);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(most, 2) << "four threads share two GPUs";
}

}  // namespace
}  // namespace warpgrade::cli
