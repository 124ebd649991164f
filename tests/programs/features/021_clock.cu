// Clocks: clock() and clock64() count cycles of a multiprocessor, %globaltimer nanoseconds; all only go forward.
#include "feature.h"

__global__ void Time(const int* in, int* out, int* forward) {
  const long long cycles = clock64();
  const clock_t short_cycles = clock();
  unsigned long long nanoseconds, later;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  int sum = 0;
  for (int i = 0; i < 500; ++i) sum += in[(threadIdx.x + i * 7) % 64] ^ sum;
  out[threadIdx.x] = sum;
  __threadfence();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(later));
  forward[threadIdx.x] = clock64() > cycles && clock() != short_cycles && later >= nanoseconds;
}

int main() {
  int in[64], got[64], want[64], forward[64];
  for (int i = 0; i < 64; ++i) in[i] = Mix(i) >> 12;
  for (int t = 0; t < 64; ++t) {
    int sum = 0;
    for (int i = 0; i < 500; ++i) sum = static_cast<int>(static_cast<unsigned>(sum) + (in[(t + i * 7) % 64] ^ sum));
    want[t] = sum;
  }
  DeviceArray<int> d_in(in, 64), d_out(64), d_forward(64);
  Time<<<1, 64>>>(d_in, d_out, d_forward);
  FINISH();
  d_out.CopyTo(got);
  d_forward.CopyTo(forward);
  for (int f : forward) Expect(f == 1, "time goes forward");
  ExpectSame("sums", got, want, 64);
  Out(got, sizeof got);
  return Verdict();
}
