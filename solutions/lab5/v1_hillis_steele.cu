// lab5 v1: Hillis and Steele.
//
// The weakness of a loop on one core: every sum waits for the sum before it, so there are n additions one after the
// other. Here all threads add at the same time. The distance doubles with every step: 8 steps for 256 elements.
#include "labs/lab5/lab5.h"
#include "labs/lab5/levels.h"

constexpr unsigned kThreads = 256;  // each has one element

// Scans the 256 elements of a block, and writes their sum to d_sums[blockIdx.x].
template <typename T>
__global__ void scan_block_v1(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_sums) {
  // BEGIN SOLUTION
  __shared__ T buffer[2][kThreads];  // a step reads one and writes the other
  const unsigned tid = threadIdx.x;
  const size_t i = size_t{blockIdx.x} * kThreads + tid;

  buffer[0][tid] = i < n ? d_in[i] : 0;  // past the end: adding 0 changes no sum
  __syncthreads();                       // all elements are stored before any thread reads a neighbour's

  unsigned from = 0;
  for (unsigned distance = 1; distance < kThreads; distance *= 2) {
    T sum = buffer[from][tid];
    if (tid >= distance) sum = buffer[from][tid - distance] + sum;
    buffer[1 - from][tid] = sum;
    from = 1 - from;
    __syncthreads();  // all sums of this step are stored, and those of the last step have been read
  }

  if (i < n) {
    if (kind == ScanKind::kInclusive) {
      d_out[i] = buffer[from][tid];
    } else {
      d_out[i] = tid > 0 ? buffer[from][tid - 1] : 0;
    }
  }
  if (tid == kThreads - 1) d_sums[blockIdx.x] = buffer[from][tid];
  // ELSE STARTER
  //| // TODO(v1) Produce: the scan of this block's elements in d_out, and their sum in d_sums[blockIdx.x].
  //| //   Constraint: log2(256) steps in __shared__ memory. In each step every thread adds to its own sum the sum
  //| //     that lies `distance` before it. Use one barrier for each step. n need not be a multiple of 256.
  //| //   Hint: which thread's sum of the last step do you read, and may that thread have replaced it already? Use
  //| //     two buffers.
  //| //   Check: ./warpgrade check lab5 v1
  // END SOLUTION
}

template <typename T>
void scan(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_work, cudaStream_t stream) {
  // BEGIN SOLUTION
  // ELSE STARTER
  //| NOT_WRITTEN_YET();  // delete this line when you start
  // END SOLUTION
  scan_in_levels(d_in, d_out, n, kind, d_work, kThreads, stream,
                 [stream](const T* in, T* out, size_t count, ScanKind k, T* sums, unsigned blocks) {
                   scan_block_v1<<<blocks, kThreads, 0, stream>>>(in, out, count, k, sums);
                 });
}

LAB5_INSTANTIATE();
