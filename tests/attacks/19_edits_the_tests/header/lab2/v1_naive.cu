// Includes the lab's header, and hopes to get the one beside it.
#include "labs/lab2/lab2.h"

#ifndef MINE
template <typename T>
void transpose(const T*, T*, size_t, size_t, cudaStream_t) {}
#endif

LAB2_INSTANTIATE();
