#include "grader/cli/container_memory.h"

#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace warpgrade::cli {
namespace {

class ContainerMemoryTest : public testing::Test {
 protected:
  void SetUp() override { folder_.Write("proc/meminfo", "MemTotal:       8388608 kB\nMemFree: 1 kB\n"); }
  int64_t Mb() const { return ContainerMemoryMb(folder_.Path("")); }
  const TemporaryFolder folder_;
};

TEST_F(ContainerMemoryTest, WithoutAControlGroupItIsTheMachines) { EXPECT_EQ(Mb(), 8192); }

TEST_F(ContainerMemoryTest, TheControlGroupOfAContainerIsTheRoot) {
  folder_.Write("sys/fs/cgroup/memory.max", "805306368\n");
  folder_.Write("proc/self/cgroup", "0::/\n");
  EXPECT_EQ(Mb(), 768);
}

TEST_F(ContainerMemoryTest, NoLimitIsNoNumberOrAVeryLargeOne) {
  folder_.Write("sys/fs/cgroup/memory.max", "max\n");
  folder_.Write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(Mb(), 8192);
}

TEST_F(ContainerMemoryTest, OurOwnControlGroupCountsInBothVersions) {
  folder_.Write("proc/self/cgroup", "5:devices:/\n4:memory:/jobs/7\n0::/jobs\n");
  folder_.Write("sys/fs/cgroup/memory/jobs/7/memory.limit_in_bytes", "1073741824\n");
  EXPECT_EQ(Mb(), 1024);
  folder_.Write("sys/fs/cgroup/jobs/memory.max", "536870912\n");
  EXPECT_EQ(Mb(), 512);
}

TEST_F(ContainerMemoryTest, WhereNothingIsKnownItIsZero) {
  const TemporaryFolder empty;
  EXPECT_EQ(ContainerMemoryMb(empty.Path("")), 0);
}

}  // namespace
}  // namespace warpgrade::cli
