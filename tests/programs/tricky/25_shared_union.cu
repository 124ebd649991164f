// One piece of shared memory is a table of ints first and of floats later, with a barrier where it changes hands.
#include "program.h"

__global__ void Convert(const int* in, float* out) {
  __shared__ union {
    int ints[128];
    float floats[128];
  } tile;
  const int t = threadIdx.x;
  tile.ints[t] = in[t];
  __syncthreads();
  const int neighbour = tile.ints[(t + 1) % 128];
  __syncthreads();
  tile.floats[t] = 0.5f * neighbour;
  __syncthreads();
  out[t] = tile.floats[127 - t];
}

int main() {
  int host[128];
  float got[128];
  for (int i = 0; i < 128; ++i) host[i] = i;
  DeviceArray<int> in(128);
  DeviceArray<float> out(128);
  in.CopyFrom(host);
  Convert<<<1, 128>>>(in, out);
  FINISH();
  out.CopyTo(got);
  for (int i = 0; i < 128; ++i) EXPECT(got[i] == 0.5f * ((127 - i + 1) % 128));
  PrintOut(got, sizeof got);
  return 0;
}
