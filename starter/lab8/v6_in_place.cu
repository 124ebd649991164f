// Generated from solutions/lab8/v6_in_place.cu by `warpgrade make-starter`; yours to edit.
// lab8 v6: in place.
//
// The sum of an array in passes: each pass leaves one sum for each block, until one sum is left. The text saves memory
// and writes the sums over the array that it adds up.
//
// TODO(v6) Find the fault, mend it, and name it in the last lines.
//   Constraint: only d_work and d_out may be written.
//   Hint: who else reads the element that a block writes? d_work has room for 2 * n elements.
//   Check: ./warpgrade check lab8 v6
#include "labs/lab8/lab8.h"

constexpr int kThreads = 256;

__global__ void pass_v6(int* d_work, size_t n) {
  __shared__ int sdata[kThreads];
  const unsigned t = threadIdx.x;
  const size_t i = size_t{blockIdx.x} * kThreads + t;
  sdata[t] = i < n ? d_work[i] : 0;  // (A)
  __syncthreads();                   // (B)
  for (unsigned s = kThreads / 2; s > 0; s /= 2) {
    if (t < s) sdata[t] += sdata[t + s];  // (C)
    __syncthreads();                      // (D)
  }
  if (t == 0) d_work[blockIdx.x] = sdata[0];  // (E)
}

void total(const int* d_in, int* d_work, int* d_out, size_t n, cudaStream_t stream) {
  if (n == 0) {
    cudaMemsetAsync(d_out, 0, sizeof(int), stream);
    return;
  }
  cudaMemcpyAsync(d_work, d_in, n * sizeof(int), cudaMemcpyDeviceToDevice, stream);
  for (size_t left = n, sums = 0; sums != 1; left = sums) {
    sums = (left + kThreads - 1) / kThreads;
    pass_v6<<<static_cast<unsigned>(sums), kThreads, 0, stream>>>(d_work, left);  // (F)
  }
  cudaMemcpyAsync(d_out, d_work, sizeof(int), cudaMemcpyDeviceToDevice, stream);  // (G)
}

// What was wrong with the kernel as it was given?
// TODO(v6) Name the fault: its kind and two lines, as lab8.h explains. For example: kNoBarrier, 'A', 'B'.
LAB8_FAULT(kNotNamed, '-', '-');
LAB8_TOTAL_RUNG();
