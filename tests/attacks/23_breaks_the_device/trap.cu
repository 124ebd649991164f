// Stops the device with a trap.
#include <cuda_runtime.h>

#include "labs/lab2/lab2.h"

namespace {

__global__ void stop() { asm volatile("trap;"); }

}  // namespace

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  stop<<<1, 1, 0, stream>>>();
}

LAB2_INSTANTIATE();
