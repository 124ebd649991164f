// The kernels that the emulator's speed is measured with: what the labs' students write, at sizes known beforehand.
// Compiled to PTX when the benchmark is built.

// 256 threads per block, one element each: sequential addressing, as lab1's v3.
extern "C" __global__ void reduce_tree(const float* d_in, size_t n, float* d_out) {
  __shared__ float partial[256];
  const unsigned tid = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + tid;
  partial[tid] = i < n ? d_in[i] : 0.0f;
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (tid < step) partial[tid] += partial[tid + step];
    __syncthreads();
  }
  if (tid == 0) d_out[blockIdx.x] = partial[0];
}

// Tiles of 32 x 32 by 32 x 8 threads, rows padded; n is a multiple of 32.
extern "C" __global__ void transpose_tiled(const float* d_in, unsigned n, float* d_out) {
  __shared__ float tile[32][33];
  unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (unsigned k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = d_in[(y + k) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (unsigned k = 0; k < 32; k += 8) d_out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

// C = A B, square; one result per thread of a 32 x 32 block; n is a multiple of 32.
extern "C" __global__ void matmul_tiled(const float* d_a, const float* d_b, unsigned n, float* d_c) {
  __shared__ float a[32][32], b[32][32];
  const unsigned row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0.0f;
  for (unsigned first = 0; first < n; first += 32) {
    a[threadIdx.y][threadIdx.x] = d_a[row * n + first + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = d_b[(first + threadIdx.y) * n + column];
    __syncthreads();
    for (unsigned k = 0; k < 32; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  d_c[row * n + column] = sum;
}

constexpr int kRadius = 4;
__constant__ float mask[2 * kRadius + 1][2 * kRadius + 1];

// 32 x 8 threads with a tile and its halo in shared memory; elements outside the image count as zero.
extern "C" __global__ void convolve_2d(const float* d_in, int n, float* d_out) {
  __shared__ float tile[8 + 2 * kRadius][32 + 2 * kRadius];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  for (int ty = threadIdx.y; ty < 8 + 2 * kRadius; ty += 8) {
    for (int tx = threadIdx.x; tx < 32 + 2 * kRadius; tx += 32) {
      const int from_x = int(blockIdx.x) * 32 + tx - kRadius, from_y = int(blockIdx.y) * 8 + ty - kRadius;
      const bool inside = from_x >= 0 && from_x < n && from_y >= 0 && from_y < n;
      tile[ty][tx] = inside ? d_in[from_y * n + from_x] : 0.0f;
    }
  }
  __syncthreads();
  if (x >= n || y >= n) return;
  float sum = 0.0f;
  for (int dy = 0; dy < 2 * kRadius + 1; ++dy) {
    for (int dx = 0; dx < 2 * kRadius + 1; ++dx) sum += mask[dy][dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
  }
  d_out[y * n + x] = sum;
}

// Inclusive scan over blocks of 1024 elements, by shuffles; d_sums gets each block's total unless it is null. Scanning
// 2^20 elements is this, the same over the 1024 totals, and scan_add.
extern "C" __global__ void scan_blocks(const unsigned* d_in, unsigned* d_out, unsigned* d_sums) {
  __shared__ unsigned totals[32];
  const unsigned i = blockIdx.x * 1024 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned sum = d_in[i];
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned below = __shfl_up_sync(0xFFFFFFFFu, sum, distance);
    if (lane >= distance) sum += below;
  }
  if (lane == 31) totals[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    unsigned total = totals[lane];
    for (unsigned distance = 1; distance < 32; distance *= 2) {
      const unsigned below = __shfl_up_sync(0xFFFFFFFFu, total, distance);
      if (lane >= distance) total += below;
    }
    totals[lane] = total;
  }
  __syncthreads();
  if (warp > 0) sum += totals[warp - 1];
  d_out[i] = sum;
  if (d_sums != nullptr && threadIdx.x == 1023) d_sums[blockIdx.x] = sum;
}

extern "C" __global__ void scan_add(unsigned* d_out, const unsigned* d_sums) {
  if (blockIdx.x > 0) d_out[blockIdx.x * 1024 + threadIdx.x] += d_sums[blockIdx.x - 1];
}

// 256 bins, first in shared memory, then added to the global ones.
extern "C" __global__ void histogram_shared(const unsigned char* d_in, unsigned n, unsigned* d_bins) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[d_in[i]], 1u);
  }
  __syncthreads();
  atomicAdd(&d_bins[threadIdx.x], bins[threadIdx.x]);
}
