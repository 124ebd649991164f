// Wrong: its work is in a stream of its own, which waits for the given stream, but the given stream never waits for it.
#include "tests/judge/cuda/toy.h"

__global__ void double_kernel(const int* d_in, size_t n, int* d_out) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) d_out[i] = 2 * d_in[i];
}

void double_elements(const int* d_in, size_t n, int* d_out, int*, cudaStream_t stream) {
  if (n == 0) return;
  static cudaStream_t own = nullptr;
  static cudaEvent_t event = nullptr;
  if (own == nullptr) cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  if (event == nullptr) cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  cudaEventRecord(event, stream);
  cudaStreamWaitEvent(own, event);
  double_kernel<<<(n + 127) / 128, 128, 0, own>>>(d_in, n, d_out);
}
