#include "grader/emulator/memory/wild_address.h"

#include <gtest/gtest.h>

#include <vector>

#include "grader/emulator/memory/global_memory.h"

namespace warpgrade::emulator {
namespace {

// d_in, then a larger d_out, then d_work, which was freed.
class WildAddressTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(memory_.Free(work_).ok()); }

  std::string Where(uint64_t address, std::vector<uint64_t> pointers = {}) {
    const WildAddress wild = memory_.Explain(address, 4, pointers);
    EXPECT_EQ(wild.freed, memory_.IsFreed(address, pointers)) << wild.where;
    return wild.where;
  }
  bool IsFreed(uint64_t address, std::vector<uint64_t> pointers = {}) {
    return memory_.Explain(address, 4, pointers).freed;
  }

  static constexpr uint64_t kInBytes = 4000, kOutBytes = uint64_t{1} << 20, kGigabyte = uint64_t{1} << 30;
  GlobalMemory memory_{kGigabyte};
  const uint64_t in_ = *memory_.Allocate(kInBytes, "d_in");
  const uint64_t out_ = *memory_.Allocate(kOutBytes, "d_out");
  const uint64_t work_ = *memory_.Allocate(8208, "d_work");
};

TEST_F(WildAddressTest, BehindAnArrayItIsPastItsEnd) {
  EXPECT_EQ(Where(in_ + kInBytes), "just past the end of d_in (4000 bytes)");
  EXPECT_EQ(Where(in_ + kInBytes + 1024), "1024 bytes past the end of d_in (4000 bytes)");
  EXPECT_EQ(Where(in_ + kInBytes - 2), "3998 bytes into d_in; the access goes 2 bytes past its end (4000 bytes)");
  EXPECT_FALSE(IsFreed(in_ + kInBytes));
}

TEST_F(WildAddressTest, AnArrayWithoutANameIsFromTheFunctionThatMadeIt) {
  const uint64_t array = *memory_.Allocate(4, "cudaMalloc");
  EXPECT_EQ(Where(array + 4), "just past the end of an array from cudaMalloc (4 bytes)");
  EXPECT_EQ(Where(array + 2), "2 bytes into an array from cudaMalloc; the access goes 2 bytes past its end (4 bytes)");
}

TEST_F(WildAddressTest, AnIndexThatIsTwiceTooLargeIsPastTheEnd) {
  EXPECT_EQ(Where(out_ + 2 * kOutBytes - 4), "1048572 bytes past the end of d_out (1048576 bytes)");
  EXPECT_EQ(Where(in_ + 50 * kInBytes), "196000 bytes past the end of d_in (4000 bytes)");
}

TEST_F(WildAddressTest, ALittleBeforeAnArrayItIsBeforeItsStart) {
  EXPECT_EQ(Where(out_ - 4), "4 bytes before the start of d_out (1048576 bytes)");
  EXPECT_EQ(Where(out_ - 4096), "4096 bytes before the start of d_out (1048576 bytes)");
}

TEST_F(WildAddressTest, BetweenTwoArraysItIsTheOneThatTheKernelGot) {
  const uint64_t middle = in_ + (out_ - in_) / 2 + 4000;
  EXPECT_NE(Where(middle, {in_}).find("past the end of d_in"), std::string::npos) << Where(middle, {in_});
  EXPECT_NE(Where(middle, {7, out_ + 16}).find("before the start of d_out"), std::string::npos);
  EXPECT_EQ(Where(in_ + kInBytes + 4, {out_}), "4 bytes past the end of d_in (4000 bytes)")
      << "so near, it is no doubt";
}

TEST_F(WildAddressTest, WhereAnArrayWasItIsUsedAfterItWasFreed) {
  EXPECT_EQ(Where(work_ + 8), "8 bytes into d_work (8208 bytes), which was freed");
  EXPECT_TRUE(IsFreed(work_ + 8));
  EXPECT_TRUE(IsFreed(work_ + 8, {in_, out_}));
  EXPECT_FALSE(IsFreed(work_ + 8208));
}

TEST_F(WildAddressTest, FarFromEverythingItIsTheArrayThatTheKernelGot) {
  EXPECT_EQ(Where(in_ - 2 * kGigabyte, {in_}),
            "2147483648 bytes before the start of d_in (4000 bytes); has an index overflowed?");
  EXPECT_EQ(Where(in_ - 16 * kGigabyte, {in_}),
            "17179869184 bytes before the start of d_in (4000 bytes); has an index overflowed?");
  EXPECT_EQ(Where(out_ + kOutBytes + 16 * kGigabyte - 4, {in_, out_}),
            "17179869180 bytes past the end of d_out (1048576 bytes); has an index overflowed?");
  EXPECT_EQ(Where(in_ - 4, {out_}), "4 bytes before the start of d_in (4000 bytes)");
}

TEST_F(WildAddressTest, NearZeroItIsAnIndexOnANullPointer) {
  const std::string null = "a null pointer: its array has 0 bytes, or was never allocated";
  EXPECT_EQ(Where(0), null);
  EXPECT_EQ(Where(0x400), "1024 bytes past " + null);
  EXPECT_EQ(Where(~uint64_t{0} - 3), "4 bytes before " + null);
  EXPECT_EQ(Where(3 << 20, {in_, 0}), "3145728 bytes past " + null);
}

TEST_F(WildAddressTest, OutsideOfDeviceMemoryItIsAHostPointer) {
  const std::string host = "an address outside of device memory (a host pointer, or a wrongly computed pointer)";
  EXPECT_EQ(Where(0x7FFE12345678), host);
  EXPECT_EQ(Where(0x7FFE12345678, {0x7FFE12345670, in_, 0}), host);
  EXPECT_EQ(Where(0x404040, {0x404040, in_}), host);
}

TEST_F(WildAddressTest, WithoutAnyMemoryItIsNearNothing) {
  GlobalMemory empty(1 << 20);
  EXPECT_EQ(empty.Explain(GlobalMemory::kBase + 4, 4).where, "an address that is not near any allocation");
}

}  // namespace
}  // namespace warpgrade::emulator
