// Another right answer to lab8 v9, for tests/course: __syncthreads_and is the barrier and the decision.
#include "labs/lab8/lab8.h"

__global__ void step(const int* d_v, const int* d_current, int* d_next, int* d_quiet, size_t n) {
  const size_t k = size_t{blockIdx.x} * lab8::kGroup + threadIdx.x;
  bool fires = false;
  if (k < n) {
    const int next = d_v[k] - d_v[k] / 16 + d_current[k];
    fires = next >= lab8::kThreshold;
    d_next[k] = fires ? 0 : next;
  }
  const int quiet = __syncthreads_and(fires ? 0 : 1);
  if (threadIdx.x == 0) d_quiet[blockIdx.x] = quiet != 0 ? 1 : 0;
}

void step_neurons(const int* d_v, const int* d_current, int* d_next, int* d_quiet, size_t n, cudaStream_t stream) {
  if (n == 0) return;
  step<<<static_cast<unsigned>((n + lab8::kGroup - 1) / lab8::kGroup), lab8::kGroup, 0, stream>>>(d_v, d_current,
                                                                                                  d_next, d_quiet, n);
}

LAB8_FAULT(kBarrierInBranch, 'C', 'F');
LAB8_NEURONS_RUNG();
