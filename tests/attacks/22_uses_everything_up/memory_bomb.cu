// Allocates and touches memory without end.
#include <cstring>
#include <vector>

#include "labs/lab2/lab2.h"

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  static std::vector<char*> all;
  for (;;) all.push_back(static_cast<char*>(std::memset(new char[1 << 20], 1, 1 << 20)));
}

LAB2_INSTANTIATE();
