// Prints without end.
#include <cstdio>

#include "labs/lab2/lab2.h"

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  while (std::puts("here I am, and here, and here, and here, and here") >= 0) {
  }
}

LAB2_INSTANTIATE();
