// lab0 v6: three arrays in dynamic shared memory.
//
// Why: each element has a link, which is the number of an element of its segment. Links jump to distant elements.
// In global memory the 32 lanes of a warp then touch up to 32 sectors with each load. A segment fits into shared
// memory, where jumps are cheap. Its length is known only at the launch, so the shared memory is dynamic: one piece of
// memory, which the kernel cuts into arrays itself.
#include <cuda_runtime.h>

#include "labs/lab0/lab0.h"

constexpr unsigned kBlock = 256;

// Bytes of shared memory for one element: a value, a link and a flag.
constexpr size_t kElementBytes = sizeof(double) + sizeof(uint16_t) + sizeof(uint8_t);

// One block for each segment. Dynamic shared memory: segment * kElementBytes, for all three arrays.
__global__ void two_links_on_v6(const uint8_t* d_flag, const uint16_t* d_next, const double* d_value, double* d_out,
                                size_t n, size_t segment) {
  extern __shared__ double shared[];
  // BEGIN SOLUTION
  // | values: segment doubles | links: segment uint16_t | flags: segment uint8_t |
  // The largest alignment comes first, so that every array starts at a multiple of its element size for any length.
  double* const value = shared;
  uint16_t* const next = reinterpret_cast<uint16_t*>(value + segment);
  uint8_t* const flag = reinterpret_cast<uint8_t*>(next + segment);
  const size_t start = blockIdx.x * segment;
  const size_t length = n - start < segment ? n - start : segment;
  for (size_t i = threadIdx.x; i < length; i += blockDim.x) {
    value[i] = d_value[start + i];
    next[i] = d_next[start + i];
    flag[i] = d_flag[start + i];
  }
  __syncthreads();  // a link may lead to an element that another thread of the block has loaded
  for (size_t i = threadIdx.x; i < length; i += blockDim.x) {
    const unsigned k = next[next[i]];
    d_out[start + i] = flag[k] != 0 ? -value[k] : value[k];
  }
  // ELSE STARTER
  //| // TODO(v6) Produce: d_out for this block's segment.
  //| //   Constraint: read global memory once, in order. A segment may be longer than the block, odd, or short.
  //| //   Hint: where does each of the arrays start in shared memory, and may its elements start there?
  //| //   Check: ./warpgrade check lab0 v6
  //| d_out[0] = shared[0];
  // END SOLUTION
}

void two_links_on(const uint8_t* d_flag, const uint16_t* d_next, const double* d_value, double* d_out, size_t n,
                  size_t segment, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (n == 0) return;
  const size_t segments = (n + segment - 1) / segment;
  two_links_on_v6<<<static_cast<unsigned>(segments), kBlock, segment * kElementBytes, stream>>>(d_flag, d_next, d_value,
                                                                                                d_out, n, segment);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v6) Produce: a launch on `stream` with one block for each segment.
  //| //   Constraint: do not launch for n = 0. The third argument of <<< >>> is the block's dynamic shared memory in
  //| //     bytes.
  //| //   Hint: how many bytes do three arrays of `segment` elements need?
  //| //   Check: ./warpgrade check lab0 v6
  //| two_links_on_v6<<<1, kBlock, 0, stream>>>(d_flag, d_next, d_value, d_out, n, segment);
  // END SOLUTION
}

LAB0_LINKS_RUNG();
