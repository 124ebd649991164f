// The other unit.
#include <cstdio>

static __device__ int total = 200;
static __constant__ int step = 3;

static __device__ __noinline__ int Step(int t) { return t * step; }

__device__ int OfTheOther(int t) { return Step(t) + total; }

__global__ void KernelOfTheOther(int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = Step(t) + total;
  __syncthreads();
  out[t] = tile[31 - t];
  if (t == 0) printf("%s\n", "other unit");
}
