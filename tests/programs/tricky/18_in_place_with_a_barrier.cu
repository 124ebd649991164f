// A rotation in place: all read, a barrier, all write. In global memory of one block as well as in shared memory.
#include "program.h"

__global__ void Rotate(int* values, int by) {
  __shared__ int tile[256];
  const int t = threadIdx.x, n = blockDim.x;
  tile[t] = values[t];
  __syncthreads();
  const int once = tile[(t + by) % n];
  __syncthreads();
  tile[t] = once;
  __syncthreads();
  values[t] = tile[(t + by) % n];
  __syncthreads();
  const int last = values[(t + by) % n];
  __syncthreads();
  values[t] = last;
}

int main() {
  int host[256], got[256];
  for (int i = 0; i < 256; ++i) host[i] = i * 3;
  DeviceArray<int> values(256);
  values.CopyFrom(host);
  Rotate<<<1, 256>>>(values, 37);
  FINISH();
  values.CopyTo(got);
  for (int i = 0; i < 256; ++i) EXPECT(got[i] == host[(i + 3 * 37) % 256]);
  PrintOut(got, sizeof got);
  return 0;
}
