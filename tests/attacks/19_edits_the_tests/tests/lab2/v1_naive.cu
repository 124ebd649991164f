// Does nothing; the files beside it say that this is right.
#include "labs/lab2/lab2.h"

template <typename T>
void transpose(const T*, T*, size_t, size_t, cudaStream_t) {}

LAB2_INSTANTIATE();
