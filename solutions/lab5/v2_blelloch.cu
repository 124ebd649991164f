// lab5 v2: Blelloch's work-efficient scan.
//
// The weakness of v1: it needs 1793 additions for 256 elements, 7 for each, and a loop needs only 255. v1 has few steps
// but much work. Here sums go up a tree of pairs. Then the sums of what comes before go down the tree. That takes 2
// additions for each element.
#include "labs/lab5/lab5.h"
#include "labs/lab5/levels.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kElements = 2 * kThreads;  // elements of a block: each thread has a pair

// Scans the 512 elements of a block, and writes their sum to d_sums[blockIdx.x].
template <typename T>
__global__ void scan_block_v2(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_sums) {
  // BEGIN SOLUTION
  __shared__ T tree[kElements];
  const unsigned tid = threadIdx.x;
  const size_t first = size_t{blockIdx.x} * kElements + tid;  // a warp loads neighbours, twice
  const size_t second = first + kThreads;
  const T first_value = first < n ? d_in[first] : 0;
  const T second_value = second < n ? d_in[second] : 0;
  tree[tid] = first_value;
  tree[tid + kThreads] = second_value;

  // Up: of two neighbours, `distance` apart, the right one becomes the sum of both.
  unsigned distance = 1;
  for (unsigned pairs = kThreads; pairs > 0; pairs /= 2) {
    __syncthreads();  // the level below is complete
    if (tid < pairs) {
      const unsigned right = distance * (2 * tid + 2) - 1;
      tree[right] += tree[right - distance];
    }
    distance *= 2;
  }

  // The sum of all elements is in the last place. Replace it by 0, since nothing comes before the whole tree.
  if (tid == 0) {  // this thread has just written it
    d_sums[blockIdx.x] = tree[kElements - 1];
    tree[kElements - 1] = 0;
  }

  // Down: each place holds the sum of everything before its part of the tree. The left half of the part gets this sum.
  // The right half gets this sum plus the sum of the left half.
  for (unsigned pairs = 1; pairs <= kThreads; pairs *= 2) {
    distance /= 2;
    __syncthreads();  // the level above is complete
    if (tid < pairs) {
      const unsigned right = distance * (2 * tid + 2) - 1;
      const unsigned left = right - distance;
      const T left_sum = tree[left];
      tree[left] = tree[right];
      tree[right] += left_sum;
    }
  }
  __syncthreads();  // the sum of everything before each element is stored

  const bool inclusive = kind == ScanKind::kInclusive;
  if (first < n) d_out[first] = inclusive ? tree[tid] + first_value : tree[tid];
  if (second < n) d_out[second] = inclusive ? tree[tid + kThreads] + second_value : tree[tid + kThreads];
  // ELSE STARTER
  //| // TODO(v2) Produce: what v1 produced, for two elements per thread.
  //| //   Constraint: about 2 additions per element: up a tree of pairs in __shared__ memory, and down again.
  //| //   Hint: number the pairs of a level from 0; thread p works on pair p. Write down both places of pair p for
  //| //     distance 1, 2 and 4. On the way down each place holds the sum of what comes before its part of the tree.
  //| //   Check: ./warpgrade check lab5 v2
  // END SOLUTION
}

template <typename T>
void scan(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_work, cudaStream_t stream) {
  // BEGIN SOLUTION
  // ELSE STARTER
  //| NOT_WRITTEN_YET();  // delete this line when you start
  // END SOLUTION
  scan_in_levels(d_in, d_out, n, kind, d_work, kElements, stream,
                 [stream](const T* in, T* out, size_t count, ScanKind k, T* sums, unsigned blocks) {
                   scan_block_v2<<<blocks, kThreads, 0, stream>>>(in, out, count, k, sums);
                 });
}

LAB5_INSTANTIATE();
