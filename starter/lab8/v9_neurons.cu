// Generated from solutions/lab8/v9_neurons.cu by `warpgrade make-starter`; yours to edit.
// lab8 v9: neurons.
//
// A step of a network, of the kind that an exercise of the course text asks about: each thread has a neuron, and the
// threads of a block find out together whether one of their neurons fires.
//
// TODO(v9) Find the faults, mend both, and name the one of the barriers in the last lines.
//   Constraint: a block decides for its group in shared memory.
//   Hint: which threads of the last block come to (C)? How many threads are at (D) at the same time?
//   Check: ./warpgrade check lab8 v9
#include "labs/lab8/lab8.h"

__global__ void step_v9(const int* d_v, const int* d_current, int* d_next, int* d_quiet, size_t n) {
  __shared__ int quiet;
  const size_t k = size_t{blockIdx.x} * lab8::kGroup + threadIdx.x;
  if (threadIdx.x == 0) quiet = 1;  // (A)
  if (k < n) {
    const int next = d_v[k] - d_v[k] / 16 + d_current[k];  // (B)
    const bool fires = next >= lab8::kThreshold;
    __syncthreads();               // (C)
    quiet &= fires ? 0 : 1;        // (D)
    d_next[k] = fires ? 0 : next;  // (E)
    __syncthreads();               // (F)
  }
  if (threadIdx.x == 0) d_quiet[blockIdx.x] = quiet;  // (G)
}

void step_neurons(const int* d_v, const int* d_current, int* d_next, int* d_quiet, size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + lab8::kGroup - 1) / lab8::kGroup);
  step_v9<<<blocks, lab8::kGroup, 0, stream>>>(d_v, d_current, d_next, d_quiet, n);
}

// What was wrong with the kernel as it was given?
// TODO(v9) Name the fault: its kind and two lines, as lab8.h explains. For example: kNoBarrier, 'A', 'B'.
LAB8_FAULT(kNotNamed, '-', '-');
LAB8_NEURONS_RUNG();
