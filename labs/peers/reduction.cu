#include <cstdint>
#include <cstring>
#include <cub/device/device_reduce.cuh>

#include "labs/lab1/lab1.h"
#include "labs/peers/comparison.h"
#include "labs/peers/values.cuh"

namespace peers_v9 {
#include "solutions/lab1/v9_one_pass.cu"
}

namespace peers {
namespace {

void Compare(Comparison& table, int exponent, double goal) {
  const size_t n = size_t{1} << exponent;
  Array<float> in(n), work(WorkElements(n)), ours(1), theirs(1);
  in.FillWithSmallNumbers(1);
  size_t temporary_bytes = 0;
  cub::DeviceReduce::Sum(nullptr, temporary_bytes, in.data(), theirs.data(), n);
  const lab::DeviceArray temporary(temporary_bytes);
  const cudaStream_t stream = table.stream();
  const auto reduce = [&] { peers_v9::reduce<float, Sum<float>>(in.data(), n, ours.data(), work.data(), stream); };
  const auto cub_sum = [&] {
    cub::DeviceReduce::Sum(temporary.data(), temporary_bytes, in.data(), theirs.data(), n, stream);
  };
  reduce();
  cub_sum();
  const double gigabytes = 4e-9 * static_cast<double>(n);
  table.Time({.what = "lab1 v9, sum of floats",
              .size = "2^" + std::to_string(exponent),
              .peer = "CUB",
              .unit = "GB/s",
              .ours = gigabytes,
              .theirs = gigabytes,
              .goal = goal},
             ours.Equals(theirs), reduce, cub_sum);
}

}  // namespace

void CompareReductions(Comparison& table) {
  Compare(table, 24, 1.05);
  Compare(table, 28, 1.00);
}

}  // namespace peers
