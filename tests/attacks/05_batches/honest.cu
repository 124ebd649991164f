// Works in two launches, one for each half of the columns, which both belong to the call.
#include <cuda_runtime.h>

#include "labs/lab2/lab2.h"

template <typename T>
__global__ void transpose_v1(const T* d_in, T* d_out, size_t rows, size_t columns, size_t begin, size_t end) {
  const size_t row = (blockIdx.y + size_t{gridDim.y} * blockIdx.z) * blockDim.y + threadIdx.y;
  const size_t column = begin + size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (row < rows && column < end) d_out[column * rows + row] = d_in[row * columns + column];
}

template <typename T>
void WorkOnColumns(const T* d_in, T* d_out, size_t rows, size_t columns, size_t begin, size_t end,
                   cudaStream_t stream) {
  if (rows == 0 || begin == end) return;
  const size_t across = (end - begin + 31) / 32, down = (rows + 31) / 32;
  const unsigned layers = static_cast<unsigned>(down / lab2::kMaxGridY + 1);
  const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>((down + layers - 1) / layers), layers);
  transpose_v1<<<grid, dim3(32, 32), 0, stream>>>(d_in, d_out, rows, columns, begin, end);
}

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  const size_t half = columns / 2 / 32 * 32;
  WorkOnColumns(d_in, d_out, rows, columns, 0, half, stream);
  WorkOnColumns(d_in, d_out, rows, columns, half, columns, stream);
}

LAB2_INSTANTIATE();
