// Kernels without races whose results, findings and counters depend neither on the order of blocks and warps nor on the
// number of host threads; and locks of several shapes. Run by schedule_test.cc.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

extern "C" __global__ void reduce(const unsigned* d_in, unsigned n, unsigned* d_out) {
  __shared__ unsigned partial[256];
  unsigned sum = 0;
  for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) sum += d_in[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned step = 128; step > 0; step /= 2) {
    if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(d_out, partial[0]);
}

// Inclusive sums of 128 elements per block; a block waits for the total of the one before it. d_state is zero before.
extern "C" __global__ void scan_chained(const unsigned* d_in, unsigned n, unsigned* d_out,
                                        unsigned long long* d_state) {
  __shared__ unsigned sums[128], before;
  const unsigned i = blockIdx.x * 128 + threadIdx.x;
  sums[threadIdx.x] = i < n ? d_in[i] : 0;
  __syncthreads();
  for (unsigned distance = 1; distance < 128; distance *= 2) {
    const unsigned below = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += below;
    __syncthreads();
  }
  if (threadIdx.x == 127) {
    volatile unsigned long long* state = d_state;
    unsigned long long previous = 1ull << 32;
    if (blockIdx.x > 0) {
      do {
        previous = state[blockIdx.x - 1];
      } while (previous >> 32 == 0);
    }
    state[blockIdx.x] = previous + sums[127];
    before = static_cast<unsigned>(previous);
  }
  __syncthreads();
  if (i < n) d_out[i] = before + sums[threadIdx.x];
}

// The same with the blocks in the other order: each waits for the one after it.
extern "C" __global__ void chain_backwards(volatile unsigned* d_state, unsigned* d_out) {
  if (threadIdx.x == 0) {
    unsigned sum = 0;
    if (blockIdx.x + 1 < gridDim.x) {
      while ((sum = d_state[blockIdx.x + 1]) == 0) {
      }
    }
    d_state[blockIdx.x] = sum + blockIdx.x + 1;
  }
  __syncthreads();
  atomicAdd(&d_out[blockIdx.x], threadIdx.x);
}

extern "C" __global__ void histogram(const unsigned* d_in, unsigned n, unsigned* d_bins) {
  __shared__ unsigned bins[64];
  if (threadIdx.x < 64) bins[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[d_in[i] % 64], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&d_bins[threadIdx.x], bins[threadIdx.x]);
}

// Each phase reads what other blocks wrote in the one before.
extern "C" __global__ void grid_phases(unsigned* d_a, unsigned* d_b, unsigned n) {
  cg::grid_group grid = cg::this_grid();
  const unsigned i = static_cast<unsigned>(grid.thread_rank());
  for (int phase = 0; phase < 4; ++phase) {
    if (i < n) d_b[i] = d_a[n - 1 - i] + i;
    grid.sync();
    unsigned* swap = d_a;
    d_a = d_b;
    d_b = swap;
  }
}

// A barrier over the grid of the student's own making; d_arrived is zero before.
extern "C" __global__ void own_barrier(unsigned* d_arrived, unsigned* d_out) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(d_arrived, 1u);
    while (atomicAdd(d_arrived, 0u) < gridDim.x) {
    }
  }
  __syncthreads();
  d_out[blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x;
}

__device__ unsigned Collatz(unsigned v) {
  unsigned steps = 0;
  for (; v != 1; ++steps) {
    if (steps == 90) return 90;
    v = v % 2 == 0 ? v / 2 : 3 * v + 1;
  }
  return steps;
}
extern "C" __global__ void divergent(const unsigned* d_in, unsigned n, unsigned* d_out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v = d_in[i] % 1000 + 1;
  switch (v % 5) {
    case 0:
      v = Collatz(v);
      break;
    case 1:
      v = __popc(v) * 3;
      break;
    case 2:
      if (v > 500) v = Collatz(v + 1) * 2;
      break;
    default:
      break;
  }
  d_out[i] = v;
}

extern "C" __global__ void prints() {
  if (threadIdx.x == 0) printf("block %u\n", blockIdx.x);
}

// Every thread misses the array by one element.
extern "C" __global__ void out_of_bounds(unsigned* d_out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_out[i + 1] = i;
}

// One lane of each warp takes the lock.
extern "C" __global__ void lock_per_warp(int* d_lock, volatile int* d_counter) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(d_lock, 0, 1) != 0) {
    }
    __threadfence();
    *d_counter = *d_counter + 1;
    __threadfence();
    atomicExch(d_lock, 0);
  }
}
// Every thread does.
extern "C" __global__ void lock_per_thread(int* d_lock, volatile int* d_counter) {
  while (atomicExch(d_lock, 1) != 0) {
  }
  __threadfence();
  *d_counter = *d_counter + 1;
  __threadfence();
  atomicExch(d_lock, 0);
}
// Every thread does, and waits longer each time.
extern "C" __global__ void lock_with_backoff(int* d_lock, volatile int* d_counter) {
  unsigned nanoseconds = 8;
  while (atomicCAS(d_lock, 0, 1) != 0) {
    __nanosleep(nanoseconds);
    if (nanoseconds < 256) nanoseconds *= 2;
  }
  __threadfence();
  *d_counter = *d_counter + 1;
  __threadfence();
  atomicExch(d_lock, 0);
}
// First come, first served.
extern "C" __global__ void lock_by_ticket(unsigned* d_lock, volatile unsigned* d_counter) {
  if (threadIdx.x % 32 == 0) {
    const unsigned ticket = atomicAdd(&d_lock[0], 1u);
    while (*(volatile unsigned*)&d_lock[1] != ticket) {
    }
    __threadfence();
    *d_counter = *d_counter + 1;
    __threadfence();
    atomicAdd(&d_lock[1], 1u);
  }
}

// Waits for what nobody writes.
extern "C" __global__ void waits_for_ever(volatile int* d_flag, int* d_out) {
  if (threadIdx.x == 40) {
    while (d_flag[blockIdx.x] == 0) {
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) d_out[blockIdx.x] = 1;
}
