// Reads device memory from the host.
#include "tests/judge/cuda/toy.h"

void double_elements(const int* d_in, size_t n, int* d_out, int*, cudaStream_t) {
  for (size_t i = 0; i < n; ++i) d_out[i] = 2 * d_in[i];
}
