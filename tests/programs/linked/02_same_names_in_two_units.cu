// Two units have static functions, variables and shared arrays of the same names, and each keeps its own.
#include "program.h"

__device__ int OfTheOther(int t);
__global__ void KernelOfTheOther(int* out);

static __device__ int total = 1;
static __constant__ int step = 10;

static __device__ __noinline__ int Step(int t) { return t + step; }

__global__ void Kernel(int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = Step(t) + total;
  __syncthreads();
  out[t] = tile[31 - t] + OfTheOther(t);
  if (t == 0) printf("%s\n", "first unit");
}

int main() {
  DeviceArray<int> out(32);
  int got[32];
  Kernel<<<1, 32>>>(out);
  FINISH();
  out.CopyTo(got);
  for (int t = 0; t < 32; ++t) EXPECT(got[t] == (31 - t) + 10 + 1 + (t * 3 + 200));
  KernelOfTheOther<<<1, 32>>>(out);
  FINISH();
  out.CopyTo(got);
  for (int t = 0; t < 32; ++t) EXPECT(got[t] == (31 - t) * 3 + 200);
  const int changed = 20;
  CHECK(cudaMemcpyToSymbol(step, &changed, sizeof changed));  // this unit's only
  Kernel<<<1, 32>>>(out);
  FINISH();
  out.CopyTo(got);
  EXPECT(got[0] == 31 + 20 + 1 + 200);
  return 0;
}
