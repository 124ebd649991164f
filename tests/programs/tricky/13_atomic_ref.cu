// The flag is a cuda::atomic_ref: a release store announces the data, an acquire load sees it.
#include <cuda/atomic>

#include "program.h"

__global__ void HandOver(int* data, int* flag, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> announced(*flag);
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t * t;
    __syncthreads();
    if (t == 0) announced.store(1, cuda::std::memory_order_release);
  } else {
    if (t == 0) {
      while (announced.load(cuda::std::memory_order_acquire) == 0) {
      }
    }
    __syncthreads();
    out[t] = data[63 - t];
  }
}

int main() {
  DeviceArray<int> data(64), flag(1), out(64);
  flag.Fill(0);
  HandOver<<<2, 64>>>(data, flag, out);
  FINISH();
  int got[64];
  out.CopyTo(got);
  for (int i = 0; i < 64; ++i) EXPECT(got[i] == (63 - i) * (63 - i));
  PrintOut(got, sizeof got);
  return 0;
}
