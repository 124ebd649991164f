// Right: the kernel waits for the memset in another stream.
#include "tests/judge/cuda/two_streams.h"

void double_elements(const int* d_in, size_t n, int* d_out, int*, cudaStream_t stream) {
  DoubleInTwoStreams(d_in, n, d_out, stream, /*waits=*/true);
}
