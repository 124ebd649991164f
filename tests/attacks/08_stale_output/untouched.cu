// Leaves the output as it is.
#include "labs/lab2/lab2.h"

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {}

LAB2_INSTANTIATE();
