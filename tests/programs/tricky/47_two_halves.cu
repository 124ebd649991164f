// The warps work on the two halves of a tile in turns: what one half reads the other has written before the barrier,
// and nobody writes where another reads.
#include "program.h"

__global__ void PingPong(int* values) {
  __shared__ int left[64], right[64];
  const int t = threadIdx.x % 64;
  const bool first = threadIdx.x < 64;
  (first ? left : right)[t] = values[threadIdx.x];
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    const bool turn = first == (round % 2 == 0);
    if (turn) (first ? left : right)[t] += (first ? right : left)[63 - t];
    __syncthreads();
  }
  values[threadIdx.x] = (first ? left : right)[t];
}

int main() {
  int host[128], got[128];
  for (int i = 0; i < 128; ++i) host[i] = i;
  DeviceArray<int> values(128);
  values.CopyFrom(host);
  PingPong<<<1, 128>>>(values);
  FINISH();
  values.CopyTo(got);
  for (int i = 0; i < 64; ++i) {
    int left = host[i], right = host[64 + 63 - i];
    for (int round = 0; round < 4; ++round) (round % 2 == 0 ? left : right) += round % 2 == 0 ? right : left;
    EXPECT(got[i] == left && got[64 + 63 - i] == right);
  }
  PrintOut(got, sizeof got);
  return 0;
}
