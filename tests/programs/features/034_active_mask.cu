// Warp-aggregated atomics: whichever lanes are at the branch together elect one that adds for all of them.
#include "feature.h"

__device__ unsigned AddOneTogether(unsigned* counter) {
  const unsigned active = __activemask();
  unsigned below;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  const int leader = __ffs(active) - 1;
  unsigned start = 0;
  if (static_cast<int>(threadIdx.x % 32) == leader) start = atomicAdd(counter, __popc(active));
  start = __shfl_sync(active, start, leader);
  return start + __popc(active & below);
}

__global__ void KeepMultiples(const int* in, int* kept, unsigned* counter, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 == 0) kept[AddOneTogether(counter)] = in[i];
}

int main() {
  constexpr int kCount = 5000;
  static int in[kCount], kept[kCount];
  static unsigned got[1000], want[1000];
  unsigned wanted_count = 0, count = 0;
  for (int i = 0; i < kCount; ++i) {
    in[i] = Mix(i) % 1000;
    if (in[i] % 3 == 0) ++wanted_count, ++want[in[i]];
  }
  DeviceArray<int> d_in(in, kCount), d_kept(kCount);
  DeviceArray<unsigned> counter(1);
  counter.Fill(0);
  KeepMultiples<<<(kCount + 191) / 192, 192>>>(d_in, d_kept, counter, kCount);
  FINISH();
  counter.CopyTo(&count);
  Expect(count == wanted_count, "the number of kept elements");
  CHECK(cudaMemcpy(kept, d_kept, wanted_count * sizeof(int), cudaMemcpyDeviceToHost));
  for (unsigned k = 0; k < wanted_count; ++k) ++got[kept[k] % 1000];
  ExpectSame("how often each was kept", got, want, 1000);
  Out(got, sizeof got);
  return Verdict();
}
