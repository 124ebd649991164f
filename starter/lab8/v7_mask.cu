// Generated from solutions/lab8/v7_mask.cu by `warpgrade make-starter`; yours to edit.
// lab8 v7: the mask.
//
// Each warp adds up its elements with shuffles, then the first warp adds up the sums of the warps. A note that goes
// around gives the mask 0xffff for a warp, "all lanes".
//
// TODO(v7) Find the fault, mend it, and name it in the last lines.
//   Constraint: keep the shuffles.
//   Hint: write 0xffff in binary. Which lanes does it name, and which lanes are at line (B)?
//   Check: ./warpgrade check lab8 v7
#include "labs/lab8/lab8.h"

__global__ void sums_v7(const int* d_in, int* d_out, size_t n) {
  extern __shared__ int sdata[];
  const unsigned t = threadIdx.x;
  const size_t i = size_t{blockIdx.x} * 2 * blockDim.x + t;
  int sum = (i < n ? d_in[i] : 0) + (i + blockDim.x < n ? d_in[i + blockDim.x] : 0);  // (A)

  for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffff, sum, s);  // (B)

  if (t % 32 == 0) sdata[t / 32] = sum;  // (C)
  __syncthreads();                       // (D)
  if (t < 32) {
    sum = t < blockDim.x / 32 ? sdata[t] : 0;                                     // (E)
    for (int s = 16; s > 0; s /= 2) sum += __shfl_down_sync(0xffffffff, sum, s);  // (F)
    if (t == 0) d_out[blockIdx.x] = sum;                                          // (G)
  }
}

void block_sums(const int* d_in, int* d_out, size_t n, int threads, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + 2 * threads - 1) / (2 * threads));
  sums_v7<<<blocks, threads, threads * sizeof(int), stream>>>(d_in, d_out, n);
}

// What was wrong with the kernel as it was given?
// TODO(v7) Name the fault: its kind and two lines, as lab8.h explains. For example: kNoBarrier, 'A', 'B'.
LAB8_FAULT(kNotNamed, '-', '-');
LAB8_SUMS_RUNG();
