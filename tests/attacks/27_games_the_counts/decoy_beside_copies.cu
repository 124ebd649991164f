// A decoy that has few threads and copies the matrix to where nobody reads it. Copies with a pitch alone, which the
// driver does, bring each element to where it belongs.
#include "labs/lab2/lab2.h"

constexpr size_t kCounted = 512;  // rows and columns of the case that is counted

template <typename T>
__global__ void decoy(const T* d_in, T* d_scratch) {
  const size_t i = blockIdx.x * size_t{256} + threadIdx.x;
  for (size_t k = 0; k < 4; ++k) d_scratch[k * kCounted * kCounted / 4 + i] = d_in[k * kCounted * kCounted / 4 + i];
}

template <typename T>
__global__ void naive(const T* d_in, T* d_out, size_t rows, size_t columns) {
  const size_t i = blockIdx.x * size_t{256} + threadIdx.x;
  if (i < rows * columns) d_out[i % columns * rows + i / columns] = d_in[i];
}

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  if (rows == 0 || columns == 0) return;
  if (rows != kCounted || columns != kCounted) {
    naive<<<static_cast<unsigned>((rows * columns + 255) / 256), 256, 0, stream>>>(d_in, d_out, rows, columns);
    return;
  }
  T* d_scratch = nullptr;
  cudaMalloc(&d_scratch, kCounted * kCounted * sizeof(T));
  decoy<<<kCounted * kCounted / 4 / 256, 256, 0, stream>>>(d_in, d_scratch);
  for (size_t row = 0; row < kCounted; ++row) {
    cudaMemcpy2DAsync(d_out + row, kCounted * sizeof(T), d_in + row * kCounted, sizeof(T), sizeof(T), kCounted,
                      cudaMemcpyDeviceToDevice, stream);
  }
  cudaFree(d_scratch);
}

LAB2_INSTANTIATE();
