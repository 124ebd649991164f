// Includes a file by its absolute path.
#include "/etc/passwd"
#include "labs/lab2/lab2.h"

template <typename T>
void transpose(const T*, T*, size_t, size_t, cudaStream_t) {}

LAB2_INSTANTIATE();
