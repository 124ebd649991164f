// Includes itself without end.
#include "labs/lab2/lab2.h"
#include __FILE__

template <typename T>
void transpose(const T*, T*, size_t, size_t, cudaStream_t) {}

LAB2_INSTANTIATE();
