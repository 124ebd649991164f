// lab8 v6: in place.
//
// The sum of an array in passes: each pass leaves one sum for each block, until one sum is left. The text saves memory
// and writes the sums over the array that it adds up.
//
// BEGIN SOLUTION
// The fault: block b wrote d_work[b], which is an element that block 0 adds up. Blocks run in any order, and no barrier
// of a block orders it with another one. Here each pass reads one half of d_work and writes the other.
// ELSE STARTER
//| // TODO(v6) Find the fault, mend it, and name it in the last lines.
//| //   Constraint: only d_work and d_out may be written.
//| //   Hint: who else reads the element that a block writes? d_work has room for 2 * n elements.
//| //   Check: ./warpgrade check lab8 v6
// END SOLUTION
#include "labs/lab8/lab8.h"

constexpr int kThreads = 256;

// BEGIN SOLUTION
__global__ void pass_v6(const int* d_from, int* d_to, size_t n) {
  __shared__ int sdata[kThreads];
  const unsigned t = threadIdx.x;
  const size_t i = size_t{blockIdx.x} * kThreads + t;
  sdata[t] = i < n ? d_from[i] : 0;
  __syncthreads();  // all elements are there before any thread reads one of another thread
  for (unsigned s = kThreads / 2; s > 0; s /= 2) {
    if (t < s) sdata[t] += sdata[t + s];
    __syncthreads();  // the sums of this step are complete
  }
  if (t == 0) d_to[blockIdx.x] = sdata[0];
}
// ELSE STARTER
//| __global__ void pass_v6(int* d_work, size_t n) {
//|   __shared__ int sdata[kThreads];
//|   const unsigned t = threadIdx.x;
//|   const size_t i = size_t{blockIdx.x} * kThreads + t;
//|   sdata[t] = i < n ? d_work[i] : 0;  // (A)
//|   __syncthreads();                   // (B)
//|   for (unsigned s = kThreads / 2; s > 0; s /= 2) {
//|     if (t < s) sdata[t] += sdata[t + s];  // (C)
//|     __syncthreads();                      // (D)
//|   }
//|   if (t == 0) d_work[blockIdx.x] = sdata[0];  // (E)
//| }
// END SOLUTION

void total(const int* d_in, int* d_work, int* d_out, size_t n, cudaStream_t stream) {
  if (n == 0) {
    cudaMemsetAsync(d_out, 0, sizeof(int), stream);
    return;
  }
  cudaMemcpyAsync(d_work, d_in, n * sizeof(int), cudaMemcpyDeviceToDevice, stream);
  // BEGIN SOLUTION
  int *from = d_work, *to = d_work + n;
  for (size_t left = n, sums = 0; sums != 1; left = sums) {
    sums = (left + kThreads - 1) / kThreads;
    pass_v6<<<static_cast<unsigned>(sums), kThreads, 0, stream>>>(from, to, left);
    int* const read = from;
    from = to;
    to = read;
  }
  cudaMemcpyAsync(d_out, from, sizeof(int), cudaMemcpyDeviceToDevice, stream);
  // ELSE STARTER
  //| for (size_t left = n, sums = 0; sums != 1; left = sums) {
  //|   sums = (left + kThreads - 1) / kThreads;
  //|   pass_v6<<<static_cast<unsigned>(sums), kThreads, 0, stream>>>(d_work, left);  // (F)
  //| }
  //| cudaMemcpyAsync(d_out, d_work, sizeof(int), cudaMemcpyDeviceToDevice, stream);  // (G)
  // END SOLUTION
}

// What was wrong with the kernel as it was given?
// BEGIN SOLUTION
LAB8_FAULT(kOtherBlock, 'E', 'A');
// ELSE STARTER
//| // TODO(v6) Name the fault: its kind and two lines, as lab8.h explains. For example: kNoBarrier, 'A', 'B'.
//| LAB8_FAULT(kNotNamed, '-', '-');
// END SOLUTION
LAB8_TOTAL_RUNG();
