// Independent thread scheduling: lanes of one warp on different sides of a branch wait for each other and all arrive.
#include "feature.h"

// Lane k waits for lane k - 1, whichever way the warp has split: a chain through a single warp.
__global__ void Chain(volatile int* value, int* out) {
  const int lane = threadIdx.x;
  if (lane % 2 == 0) {
    while (*value != lane) {
    }
    out[lane] = lane * 10;
    __threadfence();
    *value = lane + 1;
  } else {
    while (*value != lane) {
    }
    __threadfence();
    out[lane] = lane * 10 + out[lane - 1];
    __threadfence();
    *value = lane + 1;
  }
}

// One lane produces into a slot that another lane of its warp empties.
__global__ void PingPong(int* out, int rounds) {
  __shared__ volatile int slot;
  if (threadIdx.x == 0) slot = 0;
  __syncwarp();
  int sum = 0;
  for (int round = 1; round <= rounds && threadIdx.x < 2; ++round) {
    if (threadIdx.x == 0) {
      while (slot != 0) {
      }
      slot = round * round;
    } else {
      while (slot == 0) {
      }
      sum = sum * 3 + slot;
      slot = 0;
    }
  }
  if (threadIdx.x == 1) *out = sum;
}

int main() {
  constexpr int kRounds = 10;
  int got[32], want[32], sum = 0, wanted_sum = 0;
  for (int lane = 0; lane < 32; ++lane) want[lane] = lane * 10 + (lane % 2 == 1 ? want[lane - 1] : 0);
  for (int round = 1; round <= kRounds; ++round) wanted_sum = wanted_sum * 3 + round * round;
  DeviceArray<int> value(1), out(32), d_sum(1);
  value.Fill(0);
  Chain<<<1, 32>>>(value, out);
  PingPong<<<1, 32>>>(d_sum, kRounds);
  FINISH();
  out.CopyTo(got);
  d_sum.CopyTo(&sum);
  ExpectSame("out", got, want, 32);
  Expect(sum == wanted_sum, "all rounds arrived in order");
  Out(got, sizeof got);
  Out(&sum, sizeof sum);
  return Verdict();
}
