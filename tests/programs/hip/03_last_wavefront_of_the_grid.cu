// Blocks of one wavefront write their sums and count themselves. The last one adds the sums with all its 64 lanes. The
// counter is read by lane 0 alone; lock step and the fence after it order the reads of the other lanes, too.
#include <hip/hip_runtime.h>

#include "program.h"

constexpr unsigned kBlocks = 200;

__device__ int SumOfWave(int sum) {
  for (int distance = warpSize / 2; distance > 0; distance /= 2) sum += __shfl_down(sum, distance);
  return sum;
}

__global__ void Sum(const int* in, int* sums, unsigned* arrived, int* out) {
  const unsigned lane = threadIdx.x;
  const int sum = SumOfWave(in[blockIdx.x * warpSize + lane]);
  unsigned ticket = 0;
  if (lane == 0) {
    sums[blockIdx.x] = sum;
    __threadfence();
    ticket = atomicAdd(arrived, 1u);
  }
  if (__shfl(ticket, 0) != gridDim.x - 1) return;
  __threadfence();
  int total = 0;
  for (unsigned b = lane; b < gridDim.x; b += warpSize) total += sums[b];
  total = SumOfWave(total);
  if (lane == 0) *out = total;
}

int main() {
  static int in[kBlocks * 64];
  for (int& value : in) value = 3;
  DeviceArray<int> d_in(in, kBlocks * 64), sums(kBlocks), out(1);
  DeviceArray<unsigned> arrived(1);
  arrived.Fill(0);
  Sum<<<kBlocks, 64>>>(d_in, sums, arrived, out);
  FINISH();
  int total = 0;
  out.CopyTo(&total);
  EXPECT(total == 3 * 64 * static_cast<int>(kBlocks));
  return 0;
}
