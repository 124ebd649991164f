// Who may access a pool, attributes of managed memory, and pinned memory from the function of C.
#include "expect.h"

void PoolsAreTheirDevices() {
  cudaMemPool_t pool;
  EXPECT_OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  cudaMemAccessDesc access = {};
  access.location = {cudaMemLocationTypeDevice, 0};
  access.flags = cudaMemAccessFlagsProtReadWrite;
  EXPECT_OK(cudaMemPoolSetAccess(pool, &access, 1));
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  EXPECT_OK(cudaMemPoolGetAccess(&flags, pool, &access.location));
  EXPECT(flags == cudaMemAccessFlagsProtReadWrite);
  access.flags = cudaMemAccessFlagsProtNone;
  EXPECT_CODE(cudaMemPoolSetAccess(pool, &access, 1), cudaErrorInvalidValue);
  access.location.id = 1;
  EXPECT_CODE(cudaMemPoolSetAccess(pool, &access, 1), cudaErrorInvalidDevice);
  EXPECT_CODE(cudaMemPoolGetAccess(&flags, pool, &access.location), cudaErrorInvalidDevice);
}

void ManagedMemoryKeepsAdvice() {
  int *managed, read_mostly = -1, preferred = -1;
  EXPECT_OK(cudaMallocManaged(&managed, 4096));
  EXPECT_OK(cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, {cudaMemLocationTypeDevice, 0}));
  EXPECT_OK(cudaMemAdvise(managed, 4096, cudaMemAdviseSetPreferredLocation, {cudaMemLocationTypeHost, 0}));
  void* data[] = {&read_mostly, &preferred};
  size_t sizes[] = {sizeof(int), sizeof(int)};
  cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributePreferredLocation};
  EXPECT_OK(cudaMemRangeGetAttributes(data, sizes, attributes, 2, managed, 4096));
  EXPECT(read_mostly == 1 && preferred == cudaCpuDeviceId);
  EXPECT_CODE(cudaMemRangeGetAttributes(data, sizes, attributes, 0, managed, 4096), cudaErrorInvalidValue);
  EXPECT_CODE(cudaMemRangeGetAttributes(data, sizes, attributes, 2, managed, 5000), cudaErrorInvalidValue);
}

// A pool that is destroyed keeps what was allocated from it.
void AnAllocationOutlivesItsPool() {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool, current;
  void* d_data;
  EXPECT_OK(cudaMemPoolCreate(&pool, &properties));
  EXPECT_OK(cudaDeviceSetMemPool(0, pool));
  EXPECT_OK(cudaMallocAsync(&d_data, 100, nullptr));
  EXPECT_OK(cudaMemPoolDestroy(pool));
  EXPECT_CODE(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
  EXPECT_OK(cudaDeviceGetMemPool(&current, 0));
  EXPECT(current != pool);
  EXPECT_OK(cudaMemset(d_data, 1, 100));
  EXPECT_OK(cudaFreeAsync(d_data, nullptr));
}

int main() {
  void* pinned = nullptr;
  EXPECT_OK(cudaMallocHost(&pinned, 100));
  static_cast<char*>(pinned)[99] = 1;
  EXPECT_CODE(cudaFree(pinned), cudaErrorInvalidValue);
  EXPECT_OK(cudaFreeHost(pinned));
  PoolsAreTheirDevices();
  ManagedMemoryKeepsAdvice();
  AnAllocationOutlivesItsPool();
  return Failures();
}
