// A single pass without look-back: a block takes what the block before it has left, and waits for nobody. On a GPU it
// is not there yet. The emulator runs the blocks in the order of their numbers.
#include "labs/lab5/lab5.h"

constexpr unsigned kThreads = 1024, kWarps = kThreads / 32, kAllLanes = 0xffffffffu;

template <typename T>
__device__ T warp_scan(T value) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const T before = __shfl_up_sync(kAllLanes, value, distance);
    if (lane >= distance) value = before + value;
  }
  return value;
}

template <typename T>
__global__ void scan_and_hope(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_until, unsigned* d_flag) {
  __shared__ T sums[kWarps];
  __shared__ T before_block;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const size_t i = size_t{blockIdx.x} * kThreads + threadIdx.x;
  const T own = i < n ? d_in[i] : T(0);
  const T inclusive = warp_scan<T>(own);
  if (lane == 31) sums[warp] = inclusive;
  __syncthreads();
  if (warp == 0) sums[lane] = warp_scan<T>(sums[lane]);
  __syncthreads();
  if (threadIdx.x == 0) {
    T before = 0;
    if (blockIdx.x > 0) {
      atomicAdd(&d_flag[0], 0u);  // whatever it says
      __threadfence();
      before = d_until[blockIdx.x - 1];
    }
    before_block = before;
    d_until[blockIdx.x] = before + sums[kWarps - 1];
    __threadfence();
    atomicAdd(&d_flag[0], 1u);
  }
  __syncthreads();
  const T before_warp = before_block + (warp > 0 ? sums[warp - 1] : T(0));
  T before = __shfl_up_sync(kAllLanes, inclusive, 1);
  if (lane == 0) before = 0;
  if (i < n) d_out[i] = kind == ScanKind::kInclusive ? before_warp + inclusive : before_warp + before;
}

template <typename T>
void scan(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_work, cudaStream_t stream) {
  if (n == 0) return;
  unsigned* const d_flag = reinterpret_cast<unsigned*>(d_work);
  cudaMemsetAsync(d_flag, 0, sizeof(unsigned), stream);
  scan_and_hope<T><<<static_cast<unsigned>(divide_up(n, kThreads)), kThreads, 0, stream>>>(d_in, d_out, n, kind,
                                                                                           d_work + 1, d_flag);
}

LAB5_INSTANTIATE();
