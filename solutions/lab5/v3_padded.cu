// lab5 v3: without bank conflicts.
//
// The weakness of v2: pairs are 2, 4, 8, ... words apart. So the lanes of a warp use only 16, 8, 4, ... of the 32
// banks, and shared memory needs 2, 4, 8, ... turns. Here an empty word after every 32 words moves each row of words on
// by one bank.
#include "labs/lab5/lab5.h"
#include "labs/lab5/levels.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kElements = 2 * kThreads;  // elements of a block: each thread has a pair
constexpr unsigned kBanks = 32;

// BEGIN SOLUTION
// The place of element i of the tree: there is an empty word after every 32 words.
__device__ constexpr unsigned place(unsigned i) { return i + i / kBanks; }

// ELSE STARTER
// END SOLUTION

// Scans the 512 elements of a block, and writes their sum to d_sums[blockIdx.x].
template <typename T>
__global__ void scan_block_v3(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_sums) {
  // BEGIN SOLUTION
  __shared__ T tree[kElements + kElements / kBanks];
  const unsigned tid = threadIdx.x;
  const size_t first = size_t{blockIdx.x} * kElements + tid;  // a warp loads neighbours, twice
  const size_t second = first + kThreads;
  const T first_value = first < n ? d_in[first] : 0;
  const T second_value = second < n ? d_in[second] : 0;
  tree[place(tid)] = first_value;
  tree[place(tid + kThreads)] = second_value;

  // Up: of two neighbours, `distance` apart, the right one becomes the sum of both.
  unsigned distance = 1;
  for (unsigned pairs = kThreads; pairs > 0; pairs /= 2) {
    __syncthreads();  // the level below is complete
    if (tid < pairs) {
      const unsigned right = distance * (2 * tid + 2) - 1;
      tree[place(right)] += tree[place(right - distance)];
    }
    distance *= 2;
  }

  // The sum of all elements is in the last place. Replace it by 0, since nothing comes before the whole tree.
  if (tid == 0) {  // this thread has just written it
    d_sums[blockIdx.x] = tree[place(kElements - 1)];
    tree[place(kElements - 1)] = 0;
  }

  // Down: each place holds the sum of everything before its part of the tree. The left half of the part gets this sum.
  // The right half gets this sum plus the sum of the left half.
  for (unsigned pairs = 1; pairs <= kThreads; pairs *= 2) {
    distance /= 2;
    __syncthreads();  // the level above is complete
    if (tid < pairs) {
      const unsigned right = distance * (2 * tid + 2) - 1;
      const unsigned left = right - distance;
      const T left_sum = tree[place(left)];
      tree[place(left)] = tree[place(right)];
      tree[place(right)] += left_sum;
    }
  }
  __syncthreads();  // the sum of everything before each element is stored

  const bool inclusive = kind == ScanKind::kInclusive;
  if (first < n) d_out[first] = inclusive ? tree[place(tid)] + first_value : tree[place(tid)];
  if (second < n) d_out[second] = inclusive ? tree[place(tid + kThreads)] + second_value : tree[place(tid + kThreads)];
  // ELSE STARTER
  //| // TODO(v3) Produce: what v2 produced, without bank conflicts.
  //| //   Constraint: shared_bank_conflicts is 0 on the way up, on the way down, and when you fill and read the tree.
  //| //   Hint: the bank of a word is its index modulo 32. Write down the banks of 32 pairs that are 2, 4, ... 64
  //| //     words apart. Where would an empty word now and then help?
  //| //   Check: ./warpgrade check lab5 v3
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
                   scan_block_v3<<<blocks, kThreads, 0, stream>>>(in, out, count, k, sums);
                 });
}

LAB5_INSTANTIATE();
