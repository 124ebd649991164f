#include <algorithm>
#include <cstdint>

#include "labs/lab2/lab2.h"
#include "labs/peers/comparison.h"
#include "labs/peers/values.cuh"

namespace peers_v4 {
#include "solutions/lab2/v4_unrolled.cu"
}
namespace peers_v5 {
#include "solutions/lab2/v5_open.cu"
}

namespace peers {
namespace {

using Transpose = void (*)(const float*, float*, size_t, size_t, cudaStream_t);

__global__ void TransposeSlowly(const float* in, float* out, size_t side) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < side * side) out[i % side * side + i / side] = in[i];
}

void Compare(Comparison& table, const char* what, Transpose transpose, size_t side, double goal) {
  const size_t n = side * side;
  Array<float> in(n), ours(n), expected(n), copy(n);
  in.FillWithSmallNumbers(2);
  TransposeSlowly<<<FillBlocks(n), kFillThreads>>>(in.data(), expected.data(), side);
  const cudaStream_t stream = table.stream();
  const auto call = [&] { transpose(in.data(), ours.data(), side, side, stream); };
  call();
  const double gigabytes = 8e-9 * static_cast<double>(n);
  table.Time({.what = what,
              .size = std::to_string(side) + "^2",
              .peer = "copy",
              .unit = "GB/s",
              .ours = gigabytes,
              .theirs = gigabytes,
              .goal = goal},
             ours.Equals(expected), call, DeviceCopy(in, copy, stream));
}

}  // namespace

void CompareTransposes(Comparison& table) {
  Compare(table, "lab2 v4, transpose", peers_v4::transpose<float>, 8192, 0.85);
  Compare(table, "lab2 v5, transpose", peers_v5::transpose<float>, 8192, 0.97);
  Compare(table, "lab2 v5, transpose", peers_v5::transpose<float>, 16384, 0.97);
}

}  // namespace peers
