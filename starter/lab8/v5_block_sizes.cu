// Generated from solutions/lab8/v5_block_sizes.cu by `warpgrade make-starter`; yours to edit.
// lab8 v5: block sizes that were never tried.
//
// The number of threads is a template parameter, so the compiler leaves out the comparisons and the steps that a block
// does not need. The text shows it with 256 threads.
//
// TODO(v5) Find the faults, mend both, and name the one that the emulator reports in the last lines. The other one
//     only gives wrong sums.
//   Constraint: no loop; each step is there or not when the kernel is compiled.
//   Hint: check the kernel with 64 threads, and with 1024. Which steps does each of them do?
//   Check: ./warpgrade check lab8 v5
#include "labs/lab8/lab8.h"

template <int kThreads>
__global__ void sums_v5(const int* d_in, int* d_out, size_t n) {
  __shared__ int sdata[kThreads];
  const unsigned t = threadIdx.x;
  const size_t i = size_t{blockIdx.x} * 2 * kThreads + t;
  sdata[t] = (i < n ? d_in[i] : 0) + (i + kThreads < n ? d_in[i + kThreads] : 0);  // (A)
  __syncthreads();                                                                 // (B)
  if (kThreads >= 512) {
    if (t < 256) sdata[t] += sdata[t + 256];  // (C)
    __syncthreads();
  }
  if (kThreads >= 256) {
    if (t < 128) sdata[t] += sdata[t + 128];  // (D)
    __syncthreads();
  }
  if (t < 64) sdata[t] += sdata[t + 64];  // (E)
  __syncthreads();
  if (t < 32) sdata[t] += sdata[t + 32];  // (F)
  __syncwarp();
  for (unsigned s = 16; s > 0; s /= 2) {
    if (t < s) sdata[t] += sdata[t + s];  // (G)
    __syncwarp();
  }
  if (t == 0) d_out[blockIdx.x] = sdata[0];  // (H)
}

template <int kThreads>
void Launch(const int* d_in, int* d_out, size_t n, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((n + 2 * kThreads - 1) / (2 * kThreads));
  sums_v5<kThreads><<<blocks, kThreads, 0, stream>>>(d_in, d_out, n);
}

void block_sums(const int* d_in, int* d_out, size_t n, int threads, cudaStream_t stream) {
  if (n == 0) return;
  if (threads == 64) Launch<64>(d_in, d_out, n, stream);
  if (threads == 128) Launch<128>(d_in, d_out, n, stream);
  if (threads == 256) Launch<256>(d_in, d_out, n, stream);
  if (threads == 512) Launch<512>(d_in, d_out, n, stream);
  if (threads == 1024) Launch<1024>(d_in, d_out, n, stream);
}

// What was wrong with the kernel as it was given?
// TODO(v5) Name the fault: its kind and two lines, as lab8.h explains. For example: kNoBarrier, 'A', 'B'.
LAB8_FAULT(kNotNamed, '-', '-');
LAB8_SUMS_RUNG();
