// One table of allocations over a small device: what it keeps, what a wrong free is told, mapping, pools and captures.
#include "grader/cudart/allocations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "grader/cudart/memory_pools.h"
#include "tests/cudart/small_runtime.h"

namespace warpgrade::cudart {
namespace {

using testing::HasSubstr;

class AllocationsTest : public testing::Test {
 protected:
  void* Acquire(const char* api, uint64_t bytes, MemoryKind kind = MemoryKind::kDevice) {
    void* pointer = nullptr;
    runtime_.errors.Enter(api);
    EXPECT_EQ(allocations_.Acquire(kind, bytes, 0, &pointer), cudaSuccess);
    return pointer;
  }
  cudaError_t Release(const void* pointer) {
    runtime_.errors.Enter("cudaFree");
    return allocations_.Release(reinterpret_cast<DevicePtr>(pointer));
  }
  // What is said on stderr when `pointer` is freed, which must fail.
  std::string Complaint(const void* pointer) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(Release(pointer), cudaErrorInvalidValue);
    return testing::internal::GetCapturedStderr();
  }

  SmallRuntime runtime_;
  Allocations allocations_{runtime_.device(), runtime_.captures(), runtime_.errors};
};

TEST_F(AllocationsTest, KeepsWhoMadeWhatInWhichOrder) {
  Acquire("cudaMalloc", 100);
  void* second = Acquire("cudaMallocAsync", 200);
  EXPECT_EQ(Acquire("cudaMalloc", 0), nullptr);
  ASSERT_EQ(allocations_.live().size(), 2u);
  const OwnedMemory* owned = allocations_.FindStart(second);
  ASSERT_NE(owned, nullptr);
  EXPECT_STREQ(owned->api, "cudaMallocAsync");
  EXPECT_EQ(owned->bytes, 200u);
  EXPECT_EQ(owned->sequence, 2u);
  EXPECT_EQ(allocations_.FindStart(static_cast<char*>(second) + 1), nullptr);
}

TEST_F(AllocationsTest, AWrongFreeSaysWhatTheAddressIs) {
  char* data = static_cast<char*>(Acquire("cudaMalloc", 100));
  EXPECT_THAT(Complaint(data + 4),
              HasSubstr("which is 4 bytes past the start of 100 bytes from cudaMalloc; pass the address"));
  EXPECT_EQ(Release(data), cudaSuccess);
  EXPECT_THAT(Complaint(data), HasSubstr("100 bytes from cudaMalloc, which was freed before"));
  EXPECT_THAT(Complaint(data + 4), HasSubstr("which no allocation function returned"));
}

TEST_F(AllocationsTest, PinnedMemoryIsTheHostsAtTheSameAddress) {
  char* pinned = static_cast<char*>(Acquire("cudaMallocHost", 100, MemoryKind::kPinned));
  std::memset(pinned, 7, 100);
  char back = 0;
  EXPECT_EQ(runtime_.device().backend().Read(&back, reinterpret_cast<DevicePtr>(pinned) + 99, 1), cudaSuccess);
  EXPECT_EQ(back, 7);
  EXPECT_NE(allocations_.FindPinned(pinned + 99), nullptr);
  EXPECT_EQ(allocations_.FindPinned(pinned + 100), nullptr);
  EXPECT_EQ(allocations_.FindPinned(Acquire("cudaMalloc", 100)), nullptr);
  allocations_.ReleaseAll();
  EXPECT_TRUE(allocations_.live().empty());
}

TEST_F(AllocationsTest, APoolCountsWhatIsAllocatedFromItAlsoAfterItLostItsName) {
  MemoryPools pools;
  const cudaMemPool_t handle = pools.Create();
  const std::shared_ptr<MemoryPool> pool = pools.Find(handle);
  void *first = nullptr, *second = nullptr;
  EXPECT_EQ(allocations_.Acquire(MemoryKind::kDevice, 100, 0, &first, pool), cudaSuccess);
  EXPECT_EQ(allocations_.Acquire(MemoryKind::kDevice, 50, 0, &second, pool), cudaSuccess);
  EXPECT_EQ(pool->used_bytes, 150u);
  EXPECT_EQ(Release(first), cudaSuccess);
  EXPECT_EQ(pool->used_bytes, 50u);
  EXPECT_EQ(pool->most_used_bytes, 150u);
  EXPECT_TRUE(pools.Destroy(handle));
  EXPECT_EQ(Release(second), cudaSuccess);
  EXPECT_EQ(pool->used_bytes, 0u);
}

TEST_F(AllocationsTest, NothingIsAllocatedDuringAGlobalCapture) {
  const cudaStream_t stream = runtime_.streams().Create(cudaStreamNonBlocking, 0);
  runtime_.captures().Begin(stream, cudaStreamCaptureModeGlobal);
  void* pointer = nullptr;
  testing::internal::CaptureStderr();
  EXPECT_EQ(allocations_.Acquire(MemoryKind::kDevice, 100, 0, &pointer), cudaErrorStreamCaptureUnsupported);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("one of them is being captured"));
  EXPECT_EQ(pointer, nullptr);
  EXPECT_TRUE(runtime_.captures().Of(stream)->invalidated);
}

}  // namespace
}  // namespace warpgrade::cudart
