// Lanes that keep their element elect a leader, who reserves room for all of them with one atomic.
#include "program.h"

__global__ void KeepOdd(const int* in, int n, int* out, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool keep = i < n && in[i] % 2 != 0;
  const unsigned mask = __ballot_sync(0xffffffff, keep);
  if (!keep) return;
  const int lane = threadIdx.x % 32, leader = __ffs(mask) - 1;
  int base = 0;
  if (lane == leader) base = atomicAdd(count, __popc(mask));
  base = __shfl_sync(mask, base, leader);
  out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
}

int main() {
  constexpr int kCount = 1000;
  static int host[kCount], got[kCount];
  for (int i = 0; i < kCount; ++i) host[i] = i;
  int kept = 0;
  DeviceArray<int> in(kCount), out(kCount), count(1);
  in.CopyFrom(host);
  count.Fill(0);
  KeepOdd<<<8, 128>>>(in, kCount, out, count);
  FINISH();
  count.CopyTo(&kept);
  EXPECT(kept == kCount / 2);
  CHECK(cudaMemcpy(got, out, kept * sizeof(int), cudaMemcpyDeviceToHost));
  long long sum = 0;
  for (int i = 0; i < kept; ++i) sum += got[i];
  EXPECT(sum == 500ll * 500);
  PrintOut(&sum, sizeof sum);
  return 0;
}
