// Wrong: it relies on the block with the last number to run last.
#include "tests/judge/cuda/last_number.h"

void double_elements(const int* d_in, size_t n, int* d_out, int* d_work, cudaStream_t stream) {
  DoubleAndCopy<Copies::kLastNumber>(d_in, n, d_out, d_work, stream);
}
