// The occupancy calculator: how many blocks share a multiprocessor, and which block size fills it.
#include "feature.h"

__global__ void Scale(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

__global__ void WithShared(float* values) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

int main() {
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  int previous = 1 << 30;
  for (int threads = 32; threads <= 1024; threads *= 2) {
    int blocks = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, Scale, threads, 0));
    Expect(blocks >= 1 && blocks * threads <= device.maxThreadsPerMultiProcessor, "the threads fit");
    Expect(blocks <= device.maxBlocksPerMultiProcessor, "the blocks fit");
    Expect(blocks <= previous, "larger blocks are not more");
    previous = blocks;
  }
  int lean = 0, greedy = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&lean, WithShared, 128, 1024));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&greedy, WithShared, 128, 40000));
  Expect(greedy >= 1 && greedy * 40000 <= static_cast<int>(device.sharedMemPerMultiprocessor), "shared memory fits");
  Expect(greedy < lean, "shared memory limits the blocks");

  int least_grid = 0, block = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&least_grid, &block, Scale));
  Expect(block % device.warpSize == 0 && block > 0 && block <= device.maxThreadsPerBlock, "the best block");
  Expect(least_grid % device.multiProcessorCount == 0 && least_grid > 0, "the least grid fills the device");
  size_t room = 0;
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&room, WithShared, greedy, 128));
  Expect(room >= 40000, "as much room as was found to fit");

  constexpr int kCount = 10000;
  static float values[kCount], want[kCount];
  for (int i = 0; i < kCount; ++i) {
    values[i] = i;
    want[i] = 2 * i;
  }
  DeviceArray<float> d_values(values, kCount);
  Scale<<<(kCount + block - 1) / block, block>>>(d_values, kCount);
  FINISH();
  d_values.CopyTo(values);
  ExpectSame("values", values, want, kCount);
  Out(values, sizeof values);
  return Verdict();
}
