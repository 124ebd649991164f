// Loads a column of the matrix as if it were a kernel parameter, which does not count, after loads that lie well and
// mean nothing.
#include <cstdint>

#include "labs/lab2/lab2.h"

// Loads every element once, coalesced, as the limits want it. Nobody needs the values.
template <typename T>
__global__ void decoy(const T* d_in, T* d_out, size_t count) {
  const size_t i = blockIdx.x * size_t{256} + threadIdx.x;
  if (i < count && d_in[i] == T(0.12345678)) d_out[0] = T(0);  // overwritten below
}

// Stores coalesced. Its loads are far apart, but do not count as global loads.
template <typename T>
__global__ void transpose_v2(const T* d_in, T* d_out, size_t rows, size_t columns) {
  const size_t i = blockIdx.x * size_t{256} + threadIdx.x;
  if (i >= rows * columns) return;
  const uint64_t from = reinterpret_cast<uint64_t>(d_in + i % rows * columns + i / rows) -
                        0x28000000000 /* where parameters start on the emulator */;
  if constexpr (sizeof(T) == 8) {
    uint64_t value;
    asm volatile("ld.param.u64 %0, [%1];" : "=l"(value) : "l"(from));
    reinterpret_cast<uint64_t*>(d_out)[i] = value;
  } else {
    uint32_t value;
    asm volatile("ld.param.u32 %0, [%1];" : "=r"(value) : "l"(from));
    reinterpret_cast<uint32_t*>(d_out)[i] = value;
  }
}

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  if (rows * columns == 0) return;
  const unsigned blocks = static_cast<unsigned>((rows * columns + 255) / 256);
  decoy<<<blocks, 256, 0, stream>>>(d_in, d_out, rows * columns);
  transpose_v2<<<blocks, 256, 0, stream>>>(d_in, d_out, rows, columns);
}

LAB2_INSTANTIATE();
