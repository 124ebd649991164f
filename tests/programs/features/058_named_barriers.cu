// Named barriers by inline PTX: producers arrive without waiting, consumers wait, over two buffers in turn.
#include "feature.h"

constexpr int kHalf = 64;  // as many producers as consumers

__device__ void Arrive(int barrier) { asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "n"(2 * kHalf) : "memory"); }
__device__ void Wait(int barrier) { asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(2 * kHalf) : "memory"); }

__global__ void ProduceAndConsume(const int* in, int* out, int rounds) {
  __shared__ int buffer[2][kHalf];
  const int t = threadIdx.x % kHalf;
  const bool producer = threadIdx.x < kHalf;
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    const int full = 1 + round % 2, empty = 3 + round % 2;
    if (producer) {
      if (round >= 2) Wait(empty);  // until it has been read
      buffer[round % 2][t] = in[round * kHalf + t] * 2;
      Arrive(full);
    } else {
      Wait(full);
      sum = sum * 5 + buffer[round % 2][kHalf - 1 - t];
      if (round + 2 < rounds) Arrive(empty);
    }
  }
  if (!producer) out[t] = sum;
}

int main() {
  constexpr int kRounds = 11, kCount = kRounds * kHalf;
  int in[kCount], got[kHalf], want[kHalf];
  for (int i = 0; i < kCount; ++i) in[i] = Mix(i) % 1000;
  for (int t = 0; t < kHalf; ++t) {
    unsigned sum = 0;
    for (int round = 0; round < kRounds; ++round) sum = sum * 5 + in[round * kHalf + kHalf - 1 - t] * 2;
    want[t] = static_cast<int>(sum);
  }
  DeviceArray<int> d_in(in, kCount), d_out(kHalf);
  ProduceAndConsume<<<1, 2 * kHalf>>>(d_in, d_out, kRounds);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("out", got, want, kHalf);
  Out(got, sizeof got);
  return Verdict();
}
