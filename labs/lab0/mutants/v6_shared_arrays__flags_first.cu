// A wrong answer to lab0 v6, for tests/course: the arrays are laid out with the smallest elements first: after an odd
// number of bytes no double may start.
#include <cuda_runtime.h>

#include "labs/lab0/lab0.h"

constexpr unsigned kBlock = 256;

// Bytes of shared memory for one element: a value, a link and a flag.
constexpr size_t kElementBytes = sizeof(double) + sizeof(uint16_t) + sizeof(uint8_t);

// One block for each segment. Dynamic shared memory: segment * kElementBytes, for all three arrays.
__global__ void two_links_on_v6(const uint8_t* d_flag, const uint16_t* d_next, const double* d_value, double* d_out,
                                size_t n, size_t segment) {
  extern __shared__ double shared[];
  uint8_t* const flag = reinterpret_cast<uint8_t*>(shared);
  uint16_t* const next = reinterpret_cast<uint16_t*>(flag + segment);
  double* const value = reinterpret_cast<double*>(next + segment);
  const size_t start = blockIdx.x * segment;
  const size_t length = n - start < segment ? n - start : segment;
  for (size_t i = threadIdx.x; i < length; i += blockDim.x) {
    value[i] = d_value[start + i];
    next[i] = d_next[start + i];
    flag[i] = d_flag[start + i];
  }
  __syncthreads();  // a link may lead to what any thread of the block has loaded
  for (size_t i = threadIdx.x; i < length; i += blockDim.x) {
    const unsigned k = next[next[i]];
    d_out[start + i] = flag[k] != 0 ? -value[k] : value[k];
  }
}

void two_links_on(const uint8_t* d_flag, const uint16_t* d_next, const double* d_value, double* d_out, size_t n,
                  size_t segment, cudaStream_t stream) {
  if (n == 0) return;
  const size_t segments = (n + segment - 1) / segment;
  two_links_on_v6<<<static_cast<unsigned>(segments), kBlock, segment * kElementBytes, stream>>>(d_flag, d_next, d_value,
                                                                                                d_out, n, segment);
}

LAB0_LINKS_RUNG();
