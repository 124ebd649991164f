// Small schedules whose times are worked out by hand in the comments.
#include "grader/cudart/device/timeline.h"

#include <gtest/gtest.h>

namespace warpgrade::cudart {
namespace {

StreamUse In(uint64_t stream) { return {.stream = stream}; }
constexpr StreamUse kSynchronous = {.stream = StreamUse::kLegacy, .host_waits = true};

double Metric(const Timeline& timeline, const char* name) {
  std::map<std::string, double> metrics;
  timeline.AddMetrics(&metrics);
  return metrics.count(name) == 0 ? -1 : metrics[name];
}

void AddPart(Timeline& timeline, const StreamUse& use) {
  timeline.Add(use, Engine::kHostToDevice, 100, 10);
  timeline.Add(use, Engine::kDevice, 100, 0);
  timeline.Add(use, Engine::kDeviceToHost, 100, 5);
}

TEST(TimelineTest, OneStreamOverlapsNothing) {
  Timeline timeline;
  for (int i = 0; i < 4; ++i) AddPart(timeline, In(3));
  EXPECT_EQ(Metric(timeline, "overlap"), 1);
  EXPECT_EQ(Metric(timeline, "streams_used"), 1);
  EXPECT_EQ(Metric(timeline, "host_to_device_bytes"), 40);
  EXPECT_EQ(Metric(timeline, "device_to_host_bytes"), 20);
}

// 100 + 100 + 4 * 100 for the last engine, of 1200 of work.
TEST(TimelineTest, FourStreamsFillTheThreeEngines) {
  Timeline timeline;
  for (uint64_t i = 0; i < 4; ++i) AddPart(timeline, In(3 + i));
  EXPECT_EQ(Metric(timeline, "overlap"), 2);
  EXPECT_EQ(Metric(timeline, "streams_used"), 4);
}

TEST(TimelineTest, AHostThatWaitsKeepsTheNextPartBack) {
  Timeline timeline;
  for (uint64_t i = 0; i < 4; ++i) {
    AddPart(timeline, In(3 + i));
    timeline.Wait(In(3 + i));
  }
  EXPECT_EQ(Metric(timeline, "overlap"), 1);
  EXPECT_EQ(Metric(timeline, "host_waits"), 1);
}

TEST(TimelineTest, WaitsAreThoseAfterTheLastKernel) {
  Timeline timeline;
  timeline.Wait(In(StreamUse::kAll));  // for nothing
  AddPart(timeline, In(3));
  EXPECT_EQ(Metric(timeline, "host_waits"), 0);
  timeline.Wait(In(3));
  timeline.Add(kSynchronous, Engine::kDeviceToHost, 100, 10);
  timeline.Add(In(4), Engine::kDevice, 100, 10);  // a copy within the device
  timeline.Wait(In(StreamUse::kAll));
  EXPECT_EQ(Metric(timeline, "host_waits"), 2);
}

TEST(TimelineTest, SynchronousCopiesOverlapNothing) {
  Timeline timeline;
  for (uint64_t i = 0; i < 4; ++i) {
    timeline.Add(kSynchronous, Engine::kHostToDevice, 100, 10);
    timeline.Add(In(3 + i), Engine::kDevice, 100, 0);
    timeline.Add(kSynchronous, Engine::kDeviceToHost, 100, 10);
  }
  EXPECT_EQ(Metric(timeline, "overlap"), 1);
}

TEST(TimelineTest, TheLegacyStreamAndBlockingOnesWaitForEachOther) {
  for (const bool blocking : {true, false}) {
    Timeline timeline;
    timeline.Add(In(StreamUse::kLegacy), Engine::kHostToDevice, 100, 0);
    timeline.Add({.stream = 3, .blocking = blocking}, Engine::kDevice, 100, 0);
    timeline.Add(In(StreamUse::kLegacy), Engine::kDeviceToHost, 100, 0);
    EXPECT_EQ(Metric(timeline, "overlap"), blocking ? 1 : 1.5);
  }
}

TEST(TimelineTest, CopiesWithinTheDeviceTakeTimeAndAreNoOverlap) {
  Timeline timeline;
  AddPart(timeline, In(3));
  timeline.Add(In(4), Engine::kDevice, 300, 1000);  // after stream 3's kernel, beside its copy: it ends at 500
  EXPECT_EQ(Metric(timeline, "overlap"), 0.6);
}

TEST(TimelineTest, WithoutWorkThereIsNoOverlapToSpeakOf) {
  Timeline timeline;
  timeline.Wait(In(StreamUse::kAll));
  EXPECT_EQ(Metric(timeline, "overlap"), -1);
}

TEST(TimelineTest, APeerThatMakesUpStreamsCostsLittle) {
  Timeline timeline;
  for (uint64_t stream = 0; stream < 100'000; ++stream) timeline.Add(In(stream), Engine::kDevice, 1, 0);
  EXPECT_LE(Metric(timeline, "streams_used"), 4097);
}

}  // namespace
}  // namespace warpgrade::cudart
