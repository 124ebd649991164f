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
