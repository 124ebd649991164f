#include "grader/emulator/memory/host_window.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vector>

#include "grader/emulator/device.h"

namespace warpgrade::emulator {
namespace {

constexpr uint64_t kPage = HostWindow::kPage;
constexpr uint64_t kBase = 0x7000'0000'0000;  // of device addresses: never dereferenced here

class HostWindowTest : public testing::Test {
 protected:
  HostWindowTest()
      : memory_(
            static_cast<uint8_t*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))),
        window_(memory_, kBase, kBytes) {}
  ~HostWindowTest() override { munmap(memory_, kBytes); }

  uint8_t* Here(uint64_t address) { return memory_ + (address - kBase); }

  static constexpr uint64_t kBytes = 64 * kPage;
  uint8_t* const memory_;
  HostWindow window_;
};

TEST_F(HostWindowTest, ASecondMappingOfTheDescriptorSeesTheSameBytes) {
  const uint64_t address = *window_.Map(100);
  const int fd = window_.TakeDescriptor(address);
  auto* second = static_cast<uint8_t*>(mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  ASSERT_NE(second, MAP_FAILED);
  close(fd);
  EXPECT_EQ(second[99], 0);
  Here(address)[99] = 7;
  EXPECT_EQ(second[99], 7);
  second[0] = 8;
  EXPECT_EQ(Here(address)[0], 8);
  munmap(second, kPage);
}

TEST_F(HostWindowTest, WhoeverHoldsTheDescriptorCannotResizeTheMemory) {
  const uint64_t address = *window_.Map(2 * kPage);
  const int fd = window_.TakeDescriptor(address);
  EXPECT_NE(ftruncate(fd, 0), 0);
  EXPECT_NE(ftruncate(fd, 1 << 20), 0);
  Here(address)[kPage] = 1;
  close(fd);
}

TEST_F(HostWindowTest, GivesEachDescriptorOnce) {
  const uint64_t address = *window_.Map(1);
  const int fd = window_.TakeDescriptor(address);
  EXPECT_GE(fd, 0);
  EXPECT_EQ(window_.TakeDescriptor(address), -1);
  EXPECT_EQ(window_.TakeDescriptor(address + kPage), -1);
  close(fd);
}

TEST_F(HostWindowTest, AllocationsNeverTouchAndFreedRangesAreUsedAgain) {
  std::vector<uint64_t> addresses;
  for (Result<uint64_t> next = window_.Map(3 * kPage); next; next = window_.Map(3 * kPage)) addresses.push_back(*next);
  EXPECT_EQ(addresses.size(), kBytes / (4 * kPage)) << "three pages and a gap each";
  for (uint64_t address : addresses) window_.Unmap(address);
  EXPECT_TRUE(window_.Map(kBytes - kPage).ok()) << "the ranges joined again";
}

TEST_F(HostWindowTest, NewMemoryIsZeroAlthoughTheRangeWasUsedBefore) {
  const uint64_t first = *window_.Map(kPage);
  Here(first)[5] = 5;
  window_.Unmap(first);
  EXPECT_EQ(Here(first)[5], 0);
  uint64_t second = *window_.Map(kPage);
  while (second != first) second = *window_.Map(kPage);  // addresses come back when all others have been used
  EXPECT_EQ(Here(second)[5], 0);
}

TEST_F(HostWindowTest, RefusesMoreThanItHas) {
  EXPECT_FALSE(window_.Map(kBytes).ok()) << "no room for the gap";
  EXPECT_FALSE(window_.Map(UINT64_MAX).ok());
}

TEST(SharedAllocationTest, IsDeviceMemoryThatIsNotCountedAsUsed) {
  DeviceOptions options;
  options.global_memory_bytes = 1 << 20;
  Device device(options);
  const Result<DevicePtr> at = device.AllocateShared(1000, MemoryKind::kManaged, "cudaMallocManaged");
  ASSERT_TRUE(at.ok());
  EXPECT_EQ(device.FreeBytes(), device.TotalBytes());
  EXPECT_EQ(device.FindAllocation(*at + 999)->kind, MemoryKind::kManaged);
  EXPECT_FALSE(device.FindAllocation(*at + 1000).has_value()) << "bounds are exact, not whole pages";
  const int fd = device.TakeDescriptor(*at);
  const uint32_t value = 0x01020304;
  ASSERT_TRUE(device.CopyToDevice(*at + 8, &value, sizeof value).ok());
  uint32_t seen = 0;
  EXPECT_EQ(pread(fd, &seen, sizeof seen, 8), 4);
  EXPECT_EQ(seen, value);
  close(fd);
  ASSERT_TRUE(device.Free(*at).ok());
  EXPECT_FALSE(device.Free(*at).ok());
  EXPECT_EQ(device.Findings().at(0).kind, FindingKind::kDoubleFree);
}

}  // namespace
}  // namespace warpgrade::emulator
