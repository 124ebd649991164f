// A chained scan: each block waits for its predecessor's flag and reads its sum. No fence between sum and flag.
// expect: global-race at FAULT with OTHER
#include "program.h"

__global__ void Chain(const int* in, int* prefix, volatile int* ready) {
  if (threadIdx.x > 0) return;
  const int b = blockIdx.x;
  int before = 0;
  if (b > 0) {
    while (ready[b - 1] == 0) {
    }
    before = prefix[b - 1];  // FAULT
  }
  prefix[b] = before + in[b];  // OTHER
  ready[b] = 1;
}

int main() {
  DeviceArray<int> in(16), prefix(16), ready(16);
  in.Fill(0);
  ready.Fill(0);
  Chain<<<16, 32>>>(in, prefix, ready);
  FINISH();
  return 0;
}
