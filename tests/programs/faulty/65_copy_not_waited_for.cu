// An asynchronous copy into shared memory that is read before it was waited for.
// arch: 80
// expect: uninitialised-read at FAULT
#include <cuda_pipeline_primitives.h>

#include "program.h"

__global__ void Reverse(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));
  __pipeline_commit();
  __syncthreads();
  out[t] = tile[127 - t];  // FAULT
}

int main() {
  DeviceArray<int> in(128), out(128);
  in.Fill(0);
  Reverse<<<1, 128>>>(in, out);
  FINISH();
  return 0;
}
