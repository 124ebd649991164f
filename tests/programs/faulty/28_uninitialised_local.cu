// A ring of the last four values, read before it is full.
// expect: uninitialised-read at FAULT
#include "program.h"

__global__ void Lag(const int* in, int* out, int n, int lag) {
  int ring[4];
  for (int i = 0; i < n; ++i) {
    ring[i & 3] = in[i];
    out[i] = ring[(i + 4 - lag) & 3];  // FAULT
  }
}

int main() {
  DeviceArray<int> in(16), out(16);
  in.Fill(0);
  Lag<<<1, 1>>>(in, out, 16, 2);
  FINISH();
  return 0;
}
