#include "grader/cudart/registered_memory.h"

#include <gtest/gtest.h>

#include "tests/cudart/small_runtime.h"

namespace warpgrade::cudart {
namespace {

class RegisteredMemoryTest : public testing::Test {
 protected:
  // The device's address of the range's first byte.
  DevicePtr CopyOf(const void* begin) {
    void* device_pointer = nullptr;
    EXPECT_EQ(registered_.DevicePointerOf(*registered_.Find(begin), begin, &device_pointer), cudaSuccess);
    return reinterpret_cast<DevicePtr>(device_pointer);
  }

  SmallRuntime runtime_;
  RegisteredMemory registered_{runtime_.device()};
  char memory_[100] = {};
};

TEST_F(RegisteredMemoryTest, ARangeIsFoundByEachOfItsBytes) {
  registered_.Add(memory_ + 10, 20, 0);
  EXPECT_EQ(registered_.Find(memory_ + 9), nullptr);
  EXPECT_NE(registered_.Find(memory_ + 10), nullptr);
  EXPECT_NE(registered_.Find(memory_ + 29), nullptr);
  EXPECT_EQ(registered_.Find(memory_ + 30), nullptr);
  EXPECT_EQ(registered_.Remove(memory_ + 11), cudaErrorHostMemoryNotRegistered);
  EXPECT_EQ(registered_.Remove(memory_ + 10), cudaSuccess);
  EXPECT_EQ(registered_.Find(memory_ + 10), nullptr);
}

TEST_F(RegisteredMemoryTest, ItsCopyGoesToTheDeviceAndBackUnlessItIsReadOnly) {
  for (const unsigned flags : {0u, unsigned{cudaHostRegisterReadOnly}}) {
    registered_.Add(memory_, sizeof memory_, flags);
    const DevicePtr copy = CopyOf(memory_);
    memory_[5] = 1;
    EXPECT_EQ(registered_.Send(), cudaSuccess);
    char on_device = 0;
    EXPECT_EQ(runtime_.device().backend().Read(&on_device, copy + 5, 1), cudaSuccess);
    EXPECT_EQ(on_device, 1);
    EXPECT_EQ(runtime_.device().backend().Fill(copy + 5, 2, 1), cudaSuccess);
    EXPECT_EQ(registered_.Fetch(), cudaSuccess);
    EXPECT_EQ(memory_[5], flags == 0 ? 2 : 1);
    EXPECT_EQ(registered_.Remove(memory_), cudaSuccess);
  }
}

TEST_F(RegisteredMemoryTest, WhatHostAndDeviceChangedMeetsAndNothingIsLost) {
  registered_.Add(memory_ + 3, 50, 0);
  const DevicePtr copy = CopyOf(memory_ + 3);
  ASSERT_EQ(registered_.Send(), cudaSuccess);
  ASSERT_EQ(runtime_.device().backend().Fill(copy + 10, 7, 3), cudaSuccess);
  memory_[3 + 13] = memory_[3 + 0] = memory_[3 + 49] = 5;
  memory_[2] = memory_[53] = 9;  // beside the range
  ASSERT_EQ(registered_.Fetch(), cudaSuccess);
  ASSERT_EQ(registered_.Send(), cudaSuccess);
  char on_device[50];
  ASSERT_EQ(runtime_.device().backend().Read(on_device, copy, 50), cudaSuccess);
  for (int i = 0; i < 50; ++i) {
    const int expected = i >= 10 && i < 13 ? 7 : i == 13 || i == 0 || i == 49 ? 5 : 0;
    EXPECT_EQ(on_device[i], expected) << i;
    EXPECT_EQ(memory_[3 + i], expected) << i;
  }
  EXPECT_EQ(memory_[2], 9);
  EXPECT_EQ(memory_[53], 9);
}

// A copy to the device's address is no change of the host's, so the next launch must see it.
TEST_F(RegisteredMemoryTest, WhatACopyWroteToTheDeviceStaysThere) {
  registered_.Add(memory_, sizeof memory_, 0);
  const DevicePtr copy = CopyOf(memory_);
  ASSERT_EQ(registered_.Send(), cudaSuccess);
  ASSERT_EQ(runtime_.device().backend().Fill(copy, 3, 1), cudaSuccess);
  ASSERT_EQ(registered_.Send(), cudaSuccess);
  ASSERT_EQ(registered_.Fetch(), cudaSuccess);
  EXPECT_EQ(memory_[0], 3);
}

TEST_F(RegisteredMemoryTest, AResetTakesTheCopyAndLeavesTheRange) {
  registered_.Add(memory_, sizeof memory_, 0);
  const DevicePtr copy = CopyOf(memory_);
  registered_.DropCopies();
  EXPECT_FALSE(runtime_.emulated.FindAllocation(copy).has_value());
  EXPECT_EQ(registered_.Send(), cudaSuccess);
  ASSERT_NE(registered_.Find(memory_), nullptr);
  CopyOf(memory_);
  EXPECT_EQ(registered_.Send(), cudaSuccess);
}

}  // namespace
}  // namespace warpgrade::cudart
