// Kernels of the kinds that students write: each is compiled in several ways, and all its instructions must decode.
#include <cstdint>

__constant__ float mask[32];
__device__ int device_total;

template <typename T>
__device__ T WarpSum(T v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xFFFFFFFF, v, d);
  return v;
}

template <typename T>
__device__ void Reduce(const T* in, T* out, int n) {
  __shared__ T partial[32];
  T v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
  v = WarpSum(v);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : T(0);
    v = WarpSum(v);
    if (threadIdx.x == 0) atomicAdd(out, v);
  }
}
extern "C" __global__ void reduce_int(const int* in, int* out, int n) { Reduce(in, out, n); }
extern "C" __global__ void reduce_float(const float* in, float* out, int n) { Reduce(in, out, n); }
extern "C" __global__ void reduce_double(const double* in, double* out, int n) { Reduce(in, out, n); }

extern "C" __global__ void transpose(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) {
    if (x < columns && y + k < rows) tile[threadIdx.y + k][threadIdx.x] = in[(size_t)(y + k) * columns + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) {
    if (x < rows && y + k < columns) out[(size_t)(y + k) * rows + x] = tile[threadIdx.x][threadIdx.y + k];
  }
}

extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float ta[16][16], tb[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    ta[threadIdx.y][threadIdx.x] = row < n && t + threadIdx.x < n ? a[row * n + t + threadIdx.x] : 0.0f;
    tb[threadIdx.y][threadIdx.x] = t + threadIdx.y < n && column < n ? b[(t + threadIdx.y) * n + column] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

// Inclusive scan of one block.
extern "C" __global__ void scan(const unsigned* in, unsigned* out, int n) {
  extern __shared__ unsigned values[];
  unsigned v = threadIdx.x < n ? in[threadIdx.x] : 0;
  values[threadIdx.x] = v;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    unsigned other = threadIdx.x >= d ? values[threadIdx.x - d] : 0;
    __syncthreads();
    values[threadIdx.x] += other;
    __syncthreads();
  }
  if (threadIdx.x < n) out[threadIdx.x] = values[threadIdx.x];
}

extern "C" __global__ void histogram(const unsigned char* in, unsigned* bins, int n) {
  __shared__ unsigned own[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[in[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) {
    if (own[b] > 0) atomicAdd(&bins[b], own[b]);
  }
}

extern "C" __global__ void convolve(const float* in, float* out, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < width; ++k) {
    int at = i + k - width / 2;
    if (at >= 0 && at < n) sum += mask[k] * in[at];
  }
  out[i] = sum;
}
