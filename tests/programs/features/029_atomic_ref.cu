// cuda::atomic_ref with acquire and release: one block passes a message to the next through a flag, down a chain.
#include <cuda/atomic>

#include "feature.h"

using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void Chain(int* message, int* flags, int* arrived) {
  // Blocks take their place by arrival, so that the one waited for has always started.
  __shared__ int place;
  if (threadIdx.x == 0) {
    place = cuda::atomic_ref<int, cuda::thread_scope_device>(*arrived).fetch_add(1, cuda::memory_order_relaxed);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    while (Flag(flags[place]).load(cuda::memory_order_acquire) == 0) {
    }
    message[place + 1] = message[place] * 3 + place;
    Flag(flags[place + 1]).store(1, cuda::memory_order_release);
  }
}

__global__ void Orders(long long* cells) {
  cuda::atomic_ref<long long, cuda::thread_scope_block> block(cells[0]);
  cuda::atomic_ref<long long, cuda::thread_scope_system> system(cells[1]);
  block.fetch_add(threadIdx.x, cuda::memory_order_acq_rel);
  system.fetch_max(1ll << threadIdx.x % 50, cuda::memory_order_seq_cst);
  long long seen = system.load();
  while (!cuda::atomic_ref<long long>(cells[2]).compare_exchange_weak(seen, seen + 2)) {
  }
}

int main() {
  constexpr int kBlocks = 20;
  int message[kBlocks + 1], want[kBlocks + 1] = {1};
  for (int b = 0; b < kBlocks; ++b) want[b + 1] = static_cast<int>(want[b] * 3u + b);
  DeviceArray<int> d_message(kBlocks + 1), flags(kBlocks + 1), arrived(1);
  d_message.Fill(0);
  flags.Fill(0);
  arrived.Fill(0);
  const int one = 1;
  CHECK(cudaMemcpy(d_message, &one, sizeof one, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(flags, &one, sizeof one, cudaMemcpyHostToDevice));
  Chain<<<kBlocks, 64>>>(d_message, flags, arrived);
  FINISH();
  d_message.CopyTo(message);
  ExpectSame("message", message, want, kBlocks + 1);

  long long cells[3] = {0, 0, 0};
  DeviceArray<long long> d_cells(cells, 3);
  Orders<<<1, 128>>>(d_cells);
  FINISH();
  d_cells.CopyTo(cells);
  const long long wanted_cells[3] = {127 * 128 / 2, 1ll << 49, 256};
  ExpectSame("cells", cells, wanted_cells, 3);
  Out(message, sizeof message);
  Out(cells, sizeof cells);
  return Verdict();
}
