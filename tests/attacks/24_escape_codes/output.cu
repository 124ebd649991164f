// Prints codes that clear the screen, set its title and pretend to be markup, then fails.
#include <cstdio>
#include <stdexcept>

#include "labs/lab2/lab2.h"

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  std::puts("\x1b[2J\x1b[H\x1b]0;graded\x07<script>alert(1)</script>\r10/10");
  throw std::runtime_error("\x1b[32mpassed\x1b[0m </failure>]]> =1+1");
}

LAB2_INSTANTIATE();
