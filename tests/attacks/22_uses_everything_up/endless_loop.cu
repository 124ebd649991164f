// Never returns from the host function.
#include "labs/lab2/lab2.h"

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  volatile bool forever = true;
  while (forever) {
  }
}

LAB2_INSTANTIATE();
