// Generated from solutions/lab1/v3_sequential.cu by `warpgrade make-starter`; yours to edit.
// Lab 1, v3: sequential addressing.
//
// Fault of v2: bank conflicts. Neighbouring lanes touch elements 2 * step apart: with step = 1 two lanes share each of
// the 32 banks of shared memory, with step = 2 four do, up to 32, and they are served one after another. Here
// neighbouring lanes touch neighbouring elements, each in a bank of its own, and the distance shrinks instead of grows:
//
//   step 128:  0<-128  1<-129  2<-130 ... 127<-255
//   step  64:  0<-64   1<-65   ...  63<-127
//   step   1:  0<-1
#include "labs/lab1/lab1.h"

inline constexpr unsigned kThreads = 256;

// Block b writes Op over its kThreads elements of d_in to d_out[b].
template <typename T, typename Op>
__global__ void reduce_v3(const T* d_in, size_t n, T* d_out) {
  // TODO(v3): The tree without bank conflicts.
  //   Produce:    d_out[blockIdx.x] = Op over this block's kThreads elements of d_in.
  //   Constraint: no shared memory request of a warp takes more than one turn for float.
  //   Hint:       which two elements a thread combines is yours to choose; lanes next to each other want elements
  //               next to each other.
  //   Check:      ./warpgrade check lab1 v3
}

template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream) {
  NOT_WRITTEN_YET();  // delete this line, and launch reduce_v3 through reduce_in_passes (labs/lab1/lab1.h)
}

LAB1_INSTANTIATE();
