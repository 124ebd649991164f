// Hides the path in a macro.
#include "labs/lab2/lab2.h"
#define WHERE </etc/passwd>
#include WHERE

template <typename T>
void transpose(const T*, T*, size_t, size_t, cudaStream_t) {}

LAB2_INSTANTIATE();
