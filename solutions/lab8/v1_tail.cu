// lab8 v1: the tail.
//
// The sums of blocks, as many texts print them: load, wait, halve the number of threads. The text says that it works
// for any n. It was only ever run with n = 2^20.
//
// BEGIN SOLUTION
// The fault: in the last block, threads without an element left their place in shared memory as it was, and the tree
// added it. Here each thread stores something, 0 if it has no element.
// ELSE STARTER
//| // TODO(v1) Find the fault, mend it, and name it in the last lines.
//| //   Constraint: keep the tree in shared memory.
//| //   Hint: let the emulator run it with an n that is no multiple of a part, and look at the line that it names.
//| //   Check: ./warpgrade check lab8 v1
// END SOLUTION
#include "labs/lab8/lab8.h"

__global__ void sums_v1(const int* d_in, int* d_out, size_t n) {
  extern __shared__ int sdata[];
  const unsigned t = threadIdx.x;
  const size_t i = size_t{blockIdx.x} * 2 * blockDim.x + t;
  // BEGIN SOLUTION
  sdata[t] = i < n ? d_in[i] : 0;
  if (i + blockDim.x < n) sdata[t] += d_in[i + blockDim.x];
  __syncthreads();  // all elements are there before any thread reads one of another thread
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (t < s) sdata[t] += sdata[t + s];
    __syncthreads();  // the sums of this step are complete
  }
  // ELSE STARTER
  //| if (i < n) sdata[t] = d_in[i];                             // (A)
  //| if (i + blockDim.x < n) sdata[t] += d_in[i + blockDim.x];  // (B)
  //| __syncthreads();                                           // (C)
  //| for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
  //|   if (t < s) sdata[t] += sdata[t + s];  // (D)
  //|   __syncthreads();                      // (E)
  //| }
  // END SOLUTION
  if (t == 0) d_out[blockIdx.x] = sdata[0];  // (F)
}

void block_sums(const int* d_in, int* d_out, size_t n, int threads, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + 2 * threads - 1) / (2 * threads));
  sums_v1<<<blocks, threads, threads * sizeof(int), stream>>>(d_in, d_out, n);
}

// What was wrong with the kernel as it was given?
// BEGIN SOLUTION
LAB8_FAULT(kNotInitialised, 'A', 'D');
// ELSE STARTER
//| // TODO(v1) Name the fault: its kind and two lines, as lab8.h explains. For example: kNoBarrier, 'A', 'B'.
//| LAB8_FAULT(kNotNamed, '-', '-');
// END SOLUTION
LAB8_SUMS_RUNG();
