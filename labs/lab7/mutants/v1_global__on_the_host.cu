// A wrong answer to lab7 v1, for tests/course: the host counts, and a kernel runs that changes nothing.
#include <vector>

#include "labs/lab7/lab7.h"

__global__ void histogram_v1() {}

template <typename T>
void histogram(const T* d_in, size_t n, unsigned* d_bins, int bins, cudaStream_t stream) {
  std::vector<T> in(n);
  cudaMemcpyAsync(in.data(), d_in, n * sizeof(T), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  std::vector<unsigned> counts(static_cast<size_t>(bins), 0);
  for (const T element : in) {
    const int value = element;
    if (0 <= value && value < bins) ++counts[static_cast<size_t>(value)];
  }
  histogram_v1<<<1, 1, 0, stream>>>();
  cudaMemcpyAsync(d_bins, counts.data(), counts.size() * sizeof(unsigned), cudaMemcpyHostToDevice, stream);
  cudaStreamSynchronize(stream);
}

LAB7_RUNG();
