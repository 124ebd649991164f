// Lets Thrust reduce.
#include <thrust/device_ptr.h>
#include <thrust/reduce.h>

#include "labs/lab1/lab1.h"

template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T*, cudaStream_t stream) {
  const thrust::device_ptr<const T> in(d_in);
  const T answer = thrust::reduce(in, in + n, Op::neutral(), Op());
  cudaMemcpyAsync(d_out, &answer, sizeof(T), cudaMemcpyHostToDevice, stream);
}

LAB1_INSTANTIATE();
