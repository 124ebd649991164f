// lab8 v4: the last two warps.
//
// This kernel was written for a GPU whose warps have 64 lanes: there the last 128 elements belong to one warp. Someone
// has ported it to warps of 32 lanes, and put __syncwarp() where the steps of the last warp need it.
//
// BEGIN SOLUTION
// The fault: the step with the distance 64 is done by 64 threads, which are two warps here. The first warp then read
// what the second had perhaps not yet written. A __syncthreads() stands between the two steps now, outside of the
// branch, so that all threads come to it.
// ELSE STARTER
//| // TODO(v4) Find the fault, mend it, and name it in the last lines.
//| //   Constraint: as few barriers as the kernel needs.
//| //   Hint: which threads do step (E)? In which warps are they?
//| //   Check: ./warpgrade check lab8 v4
// END SOLUTION
#include "labs/lab8/lab8.h"

__global__ void sums_v4(const int* d_in, int* d_out, size_t n) {
  extern __shared__ int sdata[];
  const unsigned t = threadIdx.x;
  const size_t i = size_t{blockIdx.x} * 2 * blockDim.x + t;
  sdata[t] = (i < n ? d_in[i] : 0) + (i + blockDim.x < n ? d_in[i + blockDim.x] : 0);  // (A)
  __syncthreads();                                                                     // (B)
  for (unsigned s = blockDim.x / 2; s > 64; s /= 2) {
    if (t < s) sdata[t] += sdata[t + s];  // (C)
    __syncthreads();                      // (D)
  }
  if (blockDim.x > 64 && t < 64) sdata[t] += sdata[t + 64];  // (E)
  // BEGIN SOLUTION
  __syncthreads();  // the sums of both warps are complete
  // END SOLUTION

  if (t < 32) sdata[t] += sdata[t + 32];  // (F)
  __syncwarp();
  for (unsigned s = 16; s > 0; s /= 2) {
    if (t < s) sdata[t] += sdata[t + s];  // (G)
    __syncwarp();
  }
  if (t == 0) d_out[blockIdx.x] = sdata[0];  // (H)
}

void block_sums(const int* d_in, int* d_out, size_t n, int threads, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + 2 * threads - 1) / (2 * threads));
  sums_v4<<<blocks, threads, threads * sizeof(int), stream>>>(d_in, d_out, n);
}

// What was wrong with the kernel as it was given?
// BEGIN SOLUTION
LAB8_FAULT(kNoBarrier, 'E', 'F');
// ELSE STARTER
//| // TODO(v4) Name the fault: its kind and two lines, as lab8.h explains. For example: kNoBarrier, 'A', 'B'.
//| LAB8_FAULT(kNotNamed, '-', '-');
// END SOLUTION
LAB8_SUMS_RUNG();
