// Two warps produce and two consume, over two buffers: who hands over arrives and goes on, who needs it waits. Barriers
// 1 and 2 say that a buffer is full, 3 and 4 that it is empty.
#include "program.h"

__device__ void Arrive(int barrier) { asm volatile("bar.arrive %0, 128;" ::"r"(barrier) : "memory"); }
__device__ void Wait(int barrier) { asm volatile("bar.sync %0, 128;" ::"r"(barrier) : "memory"); }

__global__ void Pipe(const int* in, int* out, int rounds) {
  __shared__ int buffer[2][64];
  const int t = threadIdx.x % 64;
  const bool producer = threadIdx.x < 64;
  if (!producer) {
    Arrive(3);
    Arrive(4);
  }
  for (int r = 0; r < rounds; ++r) {
    const int b = r % 2;
    if (producer) {
      Wait(3 + b);
      buffer[b][t] = in[r * 64 + t];
      Arrive(1 + b);
    } else {
      Wait(1 + b);
      out[r * 64 + t] = 2 * buffer[b][63 - t];
      if (r + 2 < rounds) Arrive(3 + b);
    }
  }
}

int main() {
  constexpr int kRounds = 9, kCount = kRounds * 64;
  static int host[kCount], got[kCount];
  for (int i = 0; i < kCount; ++i) host[i] = i;
  DeviceArray<int> in(kCount), out(kCount);
  in.CopyFrom(host);
  Pipe<<<1, 128>>>(in, out, kRounds);
  FINISH();
  out.CopyTo(got);
  for (int i = 0; i < kCount; ++i) EXPECT(got[i] == 2 * host[i / 64 * 64 + 63 - i % 64]);
  PrintOut(got, sizeof got);
  return 0;
}
