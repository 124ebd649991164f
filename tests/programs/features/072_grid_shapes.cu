// Unusual shapes: three-dimensional grids and blocks, primes, single threads, 1024 threads; each thread is numbered
// once.
#include "feature.h"

__global__ void Number(unsigned* seen, unsigned* shape) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned i = block * (blockDim.x * blockDim.y * blockDim.z) + thread;
  atomicAdd(&seen[i], 1 + threadIdx.z + 10 * threadIdx.y + 100 * blockIdx.z);
  if (i == 0) {
    shape[0] = gridDim.x, shape[1] = gridDim.y, shape[2] = gridDim.z;
    shape[3] = blockDim.x, shape[4] = blockDim.y, shape[5] = blockDim.z;
  }
}

int main() {
  const dim3 shapes[][2] = {{dim3(1), dim3(1)},         {dim3(3, 5, 7), dim3(2, 3, 11)},
                            {dim3(13), dim3(1024)},     {dim3(1, 1, 9), dim3(1, 1, 64)},
                            {dim3(2, 3), dim3(32, 32)}, {dim3(1, 70), dim3(31, 1, 3)},
                            {dim3(97), dim3(101)},      {dim3(1, 2, 2), dim3(1, 1024)}};
  constexpr int kMost = 16384;
  static unsigned got[kMost], want[kMost];
  for (const auto& [grid, block] : shapes) {
    const unsigned per_block = block.x * block.y * block.z, count = grid.x * grid.y * grid.z * per_block;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned thread = i % per_block, number = i / per_block;
      want[i] =
          1 + thread / (block.x * block.y) + 10 * (thread / block.x % block.y) + 100 * (number / (grid.x * grid.y));
    }
    DeviceArray<unsigned> seen(count), shape(6);
    seen.Fill(0);
    Number<<<grid, block>>>(seen, shape);
    FINISH();
    unsigned dimensions[6];
    const unsigned wanted_dimensions[6] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
    seen.CopyTo(got);
    shape.CopyTo(dimensions);
    ExpectSame("seen", got, want, count);
    ExpectSame("dimensions", dimensions, wanted_dimensions, 6);
    Out(got, count * sizeof(unsigned));
  }
  return Verdict();
}
