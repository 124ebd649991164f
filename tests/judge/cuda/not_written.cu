// A starter.
#include "labs/not_written.h"
#include "tests/judge/cuda/toy.h"

void double_elements(const int*, size_t, int*, int*, cudaStream_t) { NOT_WRITTEN_YET(); }
