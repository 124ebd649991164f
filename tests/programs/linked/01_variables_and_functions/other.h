// What the two units of 01_variables_and_functions.cu know of each other.
#pragma once

constexpr int kThreads = 64;

using Function = int (*)(int);

extern __device__ int calls;        // of the main unit
extern __constant__ int weight[4];  // of the other unit
extern __managed__ int base;        // of the other unit
extern __shared__ int staged[];     // of the launch

__device__ int Scale(int t);
__device__ void Stage(int t);
__global__ void Choose(Function* functions);
__global__ void UseLarger(int* out);

// An instance in each unit: the program keeps one.
template <typename T>
__device__ __noinline__ T Larger(T a, T b) {
  return a > b ? a : b;
}
