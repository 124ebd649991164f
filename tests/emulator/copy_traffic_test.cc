#include "grader/emulator/counters/copy_traffic.h"

#include <gtest/gtest.h>

namespace warpgrade::emulator {
namespace {

TEST(CopyTrafficTest, ARowMovesTheSectorsThatItTouches) {
  CopyTraffic traffic;
  traffic.Store(1024, 32);
  EXPECT_EQ(traffic.AsCounters().global_store_sectors, 1u);
  traffic.Store(1024 + 31, 2);
  EXPECT_EQ(traffic.AsCounters().global_store_sectors, 3u) << "two bytes in two sectors";
  EXPECT_EQ(traffic.AsCounters().global_store_bytes, 34u);
  EXPECT_EQ(traffic.AsCounters().global_store_requests, 1u);
  EXPECT_EQ(traffic.AsCounters().global_load_requests, 0u);
}

TEST(CopyTrafficTest, NarrowRowsAreFewRequestsWithManySectors) {
  CopyTraffic columns, one_row;
  for (uint64_t row = 0; row < 64; ++row) columns.Load(4096 * row, 4);
  one_row.Load(4096, 256);
  EXPECT_EQ(columns.AsCounters().global_load_requests, 2u);
  EXPECT_EQ(one_row.AsCounters().global_load_requests, 2u);
  const auto copied = [](const CopyTraffic& traffic) { return ComputeMetrics({}, 0, traffic.AsCounters()); };
  EXPECT_EQ(copied(columns)["global_load_sectors_per_request"], 32);
  EXPECT_EQ(copied(columns)["global_load_efficiency"], 0.125);
  EXPECT_EQ(copied(one_row)["global_load_sectors_per_request"], 4);
  EXPECT_EQ(copied(one_row)["global_load_efficiency"], 1);
  one_row.Add(columns);
  EXPECT_EQ(one_row.AsCounters().global_load_sectors, 72u);
  EXPECT_EQ(one_row.AsCounters().global_load_requests, 4u);
}

TEST(CopyTrafficTest, CountsWithTheAccessesOfKernels) {
  LaunchRecord launch;
  launch.counters.global_load_bytes = launch.counters.global_store_bytes = 128;
  launch.counters.global_load_sectors = launch.counters.global_store_sectors = 4;
  CopyTraffic traffic;
  traffic.Load(0, 128);
  traffic.Store(512, 128);
  const std::map<std::string, double> metrics = ComputeMetrics({launch}, 32, traffic.AsCounters());
  EXPECT_EQ(metrics.at("global_bytes_per_element"), 16);
  EXPECT_EQ(metrics.at("global_load_bytes"), 256);
  EXPECT_EQ(metrics.at("global_store_bytes"), 256);
  EXPECT_EQ(metrics.at("kernel_launches"), 1);
}

}  // namespace
}  // namespace warpgrade::emulator
