// What `warpgrade study compile` compiles, with different options. Nothing runs it.

#ifdef READ_ONLY
#define ARRAY(type) type* __restrict__
#else
#define ARRAY(type) type*
#endif

// Eight polynomials for each thread, all with the same coefficients. If y may be the same memory as x or coefficients,
// each store may change them, so the compiler loads them again.
extern "C" __global__ void polynomials(ARRAY(const float) x, ARRAY(const float) coefficients, ARRAY(float) y, int n) {
  const int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 8 > n) return;
  for (int k = 0; k < 8; ++k) {
    float sum = 0;
    for (int j = 0; j < 4; ++j) sum = sum * x[first + k] + coefficients[j];
    y[first + k] = sum;
  }
}

// Keeps 32 values of a thread in registers, if there are so many.
extern "C" __global__ void smooth(const float* x, float* y, int n, int steps) {
  const int first = 32 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 32 > n) return;
  float value[32];
  for (int k = 0; k < 32; ++k) value[k] = x[first + k];
  for (int s = 0; s < steps; ++s) {
    float last = value[31];
    for (int k = 0; k < 32; ++k) {
      const float now = value[k];
      value[k] = 0.5f * (last + now);
      last = now;
    }
  }
  for (int k = 0; k < 32; ++k) y[first + k] = value[k];
}

// Registers have no addresses. So an array whose index is known only at run time is on the stack.
extern "C" __global__ void pick(const int* which, int* most, int n) {
  int count[64] = {};
  for (int k = threadIdx.x; k < n; k += blockDim.x) ++count[which[k] & 63];
  int best = 0;
  for (int k = 1; k < 64; ++k) best = count[k] > count[best] ? k : best;
  most[threadIdx.x] = best;
}
