// Wrong: the kernel does not wait for the memset in another stream.
// What is done at its call comes out right all the same.
#include "tests/judge/cuda/two_streams.h"

void double_elements(const int* d_in, size_t n, int* d_out, int*, cudaStream_t stream) {
  DoubleInTwoStreams(d_in, n, d_out, stream, /*waits=*/false);
}
