// What a student of the toy lab implements (tests/judge/toy_lab.h): d_out[i] = 2 * d_in[i] for i < n, with n ints of
// workspace.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

void double_elements(const int* d_in, size_t n, int* d_out, int* d_work, cudaStream_t stream);
