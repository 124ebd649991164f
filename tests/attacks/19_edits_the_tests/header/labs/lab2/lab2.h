#pragma once
#define MINE 1
#include <cstddef>
typedef struct CUstream_st* cudaStream_t;
template <typename T>
void transpose(const T*, T*, size_t, size_t, cudaStream_t) {}
#define LAB2_INSTANTIATE() \
  extern "C" void warpgrade_lab_call(const void*) {}
