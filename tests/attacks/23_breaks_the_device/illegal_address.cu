// Writes to an address that is nobody's.
#include <cuda_runtime.h>

#include "labs/lab2/lab2.h"

namespace {

__global__ void poke(int* where) { *where = 1; }

}  // namespace

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  poke<<<1, 1, 0, stream>>>(reinterpret_cast<int*>(64));
}

LAB2_INSTANTIATE();
