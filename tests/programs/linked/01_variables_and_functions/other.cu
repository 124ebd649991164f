// Defines what the main unit uses.
#include "linked/01_variables_and_functions/other.h"

__constant__ int weight[4];
__managed__ int base;

__device__ int Scale(int t) {
  atomicAdd(&calls, 1);
  return base + t * weight[t % 4];
}

__device__ void Stage(int t) { staged[t] = 10 * t; }

static __device__ int Next(int t) { return t + 1; }
static __device__ int Minus(int t) { return -t; }

__global__ void Choose(Function* functions) {
  functions[0] = Next;
  functions[1] = Minus;
}

__global__ void UseLarger(int* out) { out[0] = Larger(3, 4); }
