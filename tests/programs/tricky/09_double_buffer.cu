// A scan with two buffers that change places: one barrier per step is enough, because no step writes what it reads and
// the next but one is a barrier away.
// alone: tests/cli/run_command_test.cc runs it by itself
#include "program.h"

__global__ void Scan(int* values) {
  __shared__ int buffer[2][128];
  const int t = threadIdx.x;
  int from = 0;
  buffer[from][t] = values[t];
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    buffer[1 - from][t] = buffer[from][t] + (t >= d ? buffer[from][t - d] : 0);
    __syncthreads();
    from = 1 - from;
  }
  values[t] = buffer[from][t];
}

int main() {
  int host[128], got[128];
  for (int i = 0; i < 128; ++i) host[i] = 5 * i - 100;
  DeviceArray<int> values(128);
  values.CopyFrom(host);
  Scan<<<1, 128>>>(values);
  FINISH();
  values.CopyTo(got);
  for (int i = 0, sum = 0; i < 128; ++i) EXPECT(got[i] == (sum += host[i]));
  PrintOut(got, sizeof got);
  return 0;
}
