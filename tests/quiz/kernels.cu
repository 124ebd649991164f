// Small kernels whose counters say what the quiz functions claim. Each is as the questions describe it.
#include <cuda_runtime.h>

// ---- one step of a reduction
// -----------------------------------------------------------------------------------------

__shared__ volatile float partial[2048];

#define REDUCE_STEP(NAME, CONDITION, TO)                             \
  extern "C" __global__ void NAME(float* out, unsigned step) {       \
    const unsigned tid = threadIdx.x;                                \
    partial[tid] = 1;                                                \
    __syncthreads();                                                 \
    if (CONDITION) partial[TO] = partial[TO] + partial[(TO) + step]; \
    __syncthreads();                                                 \
    out[tid] = partial[tid];                                         \
  }
REDUCE_STEP(reduce_modulo, tid % (2 * step) == 0, tid)
REDUCE_STEP(reduce_strided, 2 * step * tid < blockDim.x, 2 * step * tid)
REDUCE_STEP(reduce_sequential, tid < step, tid)

// ---- one access of a warp
// --------------------------------------------------------------------------------------------

__device__ unsigned position(unsigned lane, unsigned order) {
  const unsigned positions[] = {lane, 31 - lane, lane ^ 1, 13 * lane % 32};
  return positions[order];
}

#define LOAD(NAME, T)                                                                                      \
  extern "C" __global__ void NAME(const T* in, T* out, unsigned stride, unsigned offset, unsigned order) { \
    out[threadIdx.x] = in[offset + stride * position(threadIdx.x, order)];                                 \
  }
LOAD(load1, unsigned char)
LOAD(load2, unsigned short)
LOAD(load4, float)
LOAD(load8, double)
LOAD(load16, float4)

#define SHARED(NAME, T)                                           \
  extern "C" __global__ void NAME(T* out, unsigned stride) {      \
    extern __shared__ float4 memory[];                            \
    volatile T* elements = reinterpret_cast<volatile T*>(memory); \
    out[threadIdx.x] = elements[stride * threadIdx.x];            \
  }
SHARED(shared4, float)
SHARED(shared8, double)
extern "C" __global__ void shared16(float4* out, unsigned stride) {
  extern __shared__ float4 memory[];
  out[threadIdx.x] = reinterpret_cast<float4*>(memory)[stride * threadIdx.x];
}

// ---- who is who
// ------------------------------------------------------------------------------------------------------

// Nine numbers for each thread, at its place: blockIdx, threadIdx, lane, warp, global x.
extern "C" __global__ void who(unsigned* out) {
  unsigned lane, warp;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned* mine = out + 9 * (block * blockDim.x * blockDim.y * blockDim.z + thread);
  mine[0] = blockIdx.x, mine[1] = blockIdx.y, mine[2] = blockIdx.z;
  mine[3] = threadIdx.x, mine[4] = threadIdx.y, mine[5] = threadIdx.z;
  mine[6] = lane, mine[7] = warp, mine[8] = blockIdx.x * blockDim.x + threadIdx.x;
}

// ---- arithmetic against memory
// ---------------------------------------------------------------------------------------

// c = a * b, all n x n; blocks of COLUMNS x ROWS threads, slices of 8 along k in shared memory.
template <int ROWS, int COLUMNS>
__device__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float slice_a[ROWS][8], slice_b[8][COLUMNS];
  const int row0 = blockIdx.y * ROWS, column0 = blockIdx.x * COLUMNS;
  const int me = threadIdx.y * COLUMNS + threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += 8) {
    for (int i = me; i < ROWS * 8; i += ROWS * COLUMNS) slice_a[i / 8][i % 8] = a[(row0 + i / 8) * n + k0 + i % 8];
    for (int i = me; i < COLUMNS * 8; i += ROWS * COLUMNS) {
      slice_b[i / COLUMNS][i % COLUMNS] = b[(k0 + i / COLUMNS) * n + column0 + i % COLUMNS];
    }
    __syncthreads();
    for (int k = 0; k < 8; ++k) sum += slice_a[threadIdx.y][k] * slice_b[k][threadIdx.x];
    __syncthreads();
  }
  c[(row0 + threadIdx.y) * n + column0 + threadIdx.x] = sum;
}
extern "C" __global__ void multiply_1x1(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
extern "C" __global__ void multiply_8x8(const float* a, const float* b, float* c, int n) { multiply<8, 8>(a, b, c, n); }
extern "C" __global__ void multiply_16x16(const float* a, const float* b, float* c, int n) {
  multiply<16, 16>(a, b, c, n);
}
extern "C" __global__ void multiply_8x32(const float* a, const float* b, float* c, int n) {
  multiply<8, 32>(a, b, c, n);
}

// ---- histogram
// -------------------------------------------------------------------------------------------------------

extern "C" __global__ void histogram_direct(unsigned* bins, unsigned n, unsigned count) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[i * 7 % count], 1u);
  }
}
extern "C" __global__ void histogram_private(unsigned* bins, unsigned n, unsigned count) {
  __shared__ unsigned mine[256];
  for (unsigned b = threadIdx.x; b < count; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&mine[i * 7 % count], 1u);
  }
  __syncthreads();
  for (unsigned b = threadIdx.x; b < count; b += blockDim.x) atomicAdd(&bins[b], mine[b]);
}
