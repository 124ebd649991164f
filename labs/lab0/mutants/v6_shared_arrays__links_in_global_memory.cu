// A wrong answer to lab0 v6, for tests/course: the links are followed where they are, without shared memory.
#include <cuda_runtime.h>

#include "labs/lab0/lab0.h"

constexpr unsigned kBlock = 256;

// Bytes of shared memory for one element: a value, a link and a flag.
constexpr size_t kElementBytes = sizeof(double) + sizeof(uint16_t) + sizeof(uint8_t);

// One block for each segment. Dynamic shared memory: segment * kElementBytes, for all three arrays.
__global__ void two_links_on_v6(const uint8_t* d_flag, const uint16_t* d_next, const double* d_value, double* d_out,
                                size_t n, size_t segment) {
  extern __shared__ double shared[];
  // | values: segment doubles | links: segment uint16_t | flags: segment uint8_t |
  // Largest alignment first: then every array starts at a multiple of its element's size, whatever the length.
  double* const value = shared;
  uint16_t* const next = reinterpret_cast<uint16_t*>(value + segment);
  uint8_t* const flag = reinterpret_cast<uint8_t*>(next + segment);
  const size_t start = blockIdx.x * segment;
  const size_t length = n - start < segment ? n - start : segment;
  for (size_t i = threadIdx.x; i < length; i += blockDim.x) {
    value[i] = 0;
    next[i] = 0;
    flag[i] = 0;
  }
  __syncthreads();  // a link may lead to what any thread of the block has loaded
  for (size_t i = threadIdx.x; i < length; i += blockDim.x) {
    const unsigned k = d_next[start + d_next[start + i]];
    d_out[start + i] = d_flag[start + k] != 0 ? -d_value[start + k] : d_value[start + k];
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
