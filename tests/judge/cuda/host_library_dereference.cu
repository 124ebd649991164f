// Has a library read device memory on the host.
#include <cstring>
#include <vector>

#include "tests/judge/cuda/toy.h"

void double_elements(const int* d_in, size_t n, int* d_out, int*, cudaStream_t stream) {
  std::vector<int> doubled(n);
  if (n > 0) std::memcpy(doubled.data(), d_in, n * sizeof(int));
  for (int& value : doubled) value *= 2;
  cudaMemcpyAsync(d_out, doubled.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream);
}
