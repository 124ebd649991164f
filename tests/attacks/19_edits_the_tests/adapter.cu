// Defines the adapter through which the grader calls the rung, so that no call ever reaches a rung.
#include "labs/lab2/lab2.h"

extern "C" void warpgrade_lab_call(const void*) {}

template <typename T>
void transpose(const T*, T*, size_t, size_t, cudaStream_t) {}

LAB2_INSTANTIATE();
