// A kernel makes the answer with scattered stores, and then waits for a value that nobody writes. Resetting the device
// throws it away. What is left to be counted is a kernel that stores the answer again, where it is.
#include <cuda_runtime.h>

#include "labs/lab2/lab2.h"

constexpr size_t kCounted = 512;  // rows and columns of the case that is counted

template <typename T>
__global__ void naive(const T* d_in, T* d_out, size_t rows, size_t columns) {
  const size_t i = blockIdx.x * size_t{256} + threadIdx.x;
  if (i < rows * columns) d_out[i % columns * rows + i / columns] = d_in[i];
}

template <typename T>
__global__ void naive_and_wait(const T* d_in, T* d_out, const volatile int* never) {
  const size_t i = blockIdx.x * size_t{256} + threadIdx.x;
  d_out[i % kCounted * kCounted + i / kCounted] = d_in[i];
  if (i == 0) {
    while (*never == 0) {
    }
  }
}

template <typename T>
__global__ void again(volatile T* d_out) {
  const size_t i = blockIdx.x * size_t{256} + threadIdx.x;
  d_out[i] = d_out[i];
}

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  if (rows == 0 || columns == 0) return;
  if (rows != kCounted || columns != kCounted) {
    naive<<<static_cast<unsigned>((rows * columns + 255) / 256), 256, 0, stream>>>(d_in, d_out, rows, columns);
    return;
  }
  int* never = nullptr;
  cudaMallocHost(&never, sizeof(int));
  *never = 0;
  naive_and_wait<<<kCounted * kCounted / 256, 256, 0, stream>>>(d_in, d_out, never);
  cudaDeviceReset();
  again<<<kCounted * kCounted / 256, 256>>>(d_out);
}

LAB2_INSTANTIATE();
