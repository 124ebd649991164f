// A kernel that uses functions and variables of other units: __device__, __constant__, __managed__, __shared__, a
// template that both units instantiate, and the address of a function.
#include "linked/01_variables_and_functions/other.h"
#include "program.h"

__device__ int calls;  // which the other unit counts

__global__ void Use(int* out, Function* functions) {
  const int t = threadIdx.x;
  Stage(t);
  __syncthreads();
  const int other = staged[(t + 1) % kThreads];
  out[t] = Scale(t) + Larger(other, 5) + functions[t % 2](t);
}

int main() {
  const int weights[4] = {2, 3, 5, 7};
  CHECK(cudaMemcpyToSymbol(weight, weights, sizeof weights));
  base = 1000;  // managed
  DeviceArray<int> out(kThreads);
  DeviceArray<Function> functions(2);
  Choose<<<1, 1>>>(functions);  // a kernel of the other unit
  UseLarger<<<1, 1>>>(out);
  Use<<<1, kThreads, kThreads * sizeof(int)>>>(out, functions);
  FINISH();
  int got[kThreads];
  out.CopyTo(got);
  for (int t = 0; t < kThreads; ++t) {
    const int other = 10 * ((t + 1) % kThreads);
    const int chosen = t % 2 == 0 ? t + 1 : -t;
    EXPECT(got[t] == 1000 + t * weights[t % 4] + (other > 5 ? other : 5) + chosen);
  }
  int counted = 0;
  CHECK(cudaMemcpyFromSymbol(&counted, calls, sizeof counted));
  EXPECT(counted == kThreads);
  return 0;
}
