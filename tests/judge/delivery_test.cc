#include "grader/judge/delivery.h"

#include <gtest/gtest.h>

#include "tests/judge/fake/fake_rung.h"

namespace warpgrade::judge {
namespace {

using fake::FakeRung;

// An honest worker with the buffers of three calls, filled and ready to be delivered.
struct ReadyToDeliver {
  explicit ReadyToDeliver(BufferSpec::Place place) : rung("honest") {
    rung.lab.place = place;
    rung.Start();
    Random random(1);
    const Case c = rung.lab.Cases(rung.rung, CaseSet::kThroughput, random).front();
    Result<std::unique_ptr<CallBatch>> made = CallBatch::Make(rung.lab, c, rung.device, *rung.session);
    EXPECT_TRUE(made.ok());
    batch = std::move(*made);
    EXPECT_TRUE(batch->Grow(3).ok());
    EXPECT_TRUE(batch->Refresh(rung.random).ok());
    rung.device.turns = 0;
  }
  FakeRung rung;
  std::unique_ptr<CallBatch> batch;
};

TEST(DeliveryTest, TheInputsOfEveryCallArriveAndTheCachesAreFlushedOnce) {
  ReadyToDeliver ready(BufferSpec::Place::kDevice);
  Delivery delivery(*ready.batch, ready.rung.device);
  const Result<double> took_ns = delivery.Deliver();
  ASSERT_TRUE(took_ns.ok());
  EXPECT_GT(*took_ns, 0);
  EXPECT_EQ(ready.rung.device.deliveries, 3);
  EXPECT_EQ(ready.rung.device.flushes, 1);
  EXPECT_EQ(delivery.slack_ns(), 0) << "nothing is in host memory";
}

TEST(DeliveryTest, TheBusToTheDeviceIsBusyWhileTheGpuDeliversToTheHost) {
  ReadyToDeliver ready(BufferSpec::Place::kLockedHost);
  fake::FakeDevice& device = ready.rung.device;
  Delivery delivery(*ready.batch, device);
  for (int i = 1; i <= 2; ++i) {
    ASSERT_TRUE(delivery.Deliver().ok());
    EXPECT_EQ(device.turns, 3 + 3) << "after one piece for each of three calls, and before each call's other inputs";
    EXPECT_DOUBLE_EQ(delivery.slack_ns(), 3 * 15e3) << "4 MB for each of three calls";
    device.turns = 0;
    EXPECT_EQ(device.emptied, i) << "nothing is awaited before all of it has begun";
    EXPECT_EQ(device.copies_on_idle_bus, 0);
    EXPECT_EQ(device.most_to_host_bytes, 3 * ready.rung.lab.timed_elements * sizeof(int32_t));
    EXPECT_GT(device.least_to_device_bytes, device.most_to_host_bytes * 9 / 8);
  }
}

TEST(DeliveryTest, CopiesOfTheWorkersMakeTheDeliveryLonger) {
  ReadyToDeliver ready(BufferSpec::Place::kLockedHost);
  ready.rung.device.shares_bus_from = 0;
  Delivery delivery(*ready.batch, ready.rung.device);
  const Result<double> took_ns = delivery.Deliver();
  ASSERT_TRUE(took_ns.ok());
  EXPECT_GT(*took_ns, 50e6);
}

TEST(DeliveryTest, OutputsAreCollectedWhereTheCheckLooks) {
  ReadyToDeliver ready(BufferSpec::Place::kDevice);
  Delivery delivery(*ready.batch, ready.rung.device);
  ASSERT_TRUE(delivery.Deliver().ok());
  ASSERT_TRUE(ready.batch->Announce(*ready.rung.session, protocol::kMeasureEvents));
  ASSERT_TRUE(ready.batch->Call(*ready.rung.session, protocol::kMeasureEvents));
  Random reading(2);
  ready.batch->TakeHostOutputs(reading);
  const Result<double> took_ns = delivery.Collect();
  ASSERT_TRUE(took_ns.ok());
  EXPECT_GT(*took_ns, 0);
  EXPECT_FALSE(ready.batch->Verify(reading));
}

}  // namespace
}  // namespace warpgrade::judge
