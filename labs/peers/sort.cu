#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <string>

#include "labs/lab10/lab10.h"
#include "labs/peers/comparison.h"
#include "labs/peers/values.cuh"

#undef LAB10_RUNG
#define LAB10_RUNG() static_assert(true, "")
namespace peers_lab10_v5 {
#include "solutions/lab10/v5_one_sweep.cu"
}

namespace peers {
namespace {

enum class Keys { kRandom, kAllEqual };

__global__ void FillKeys(uint32_t* to, size_t n, bool all_equal) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) to[i] = static_cast<uint32_t>(Mix(all_equal ? 0 : i) >> 32);
}

void Compare(Comparison& table, int exponent, Keys keys) {
  const size_t n = size_t{1} << exponent;
  Array<uint32_t> in(n), ours(n), theirs(n), work(WorkElements(n));
  FillKeys<<<FillBlocks(n), kFillThreads>>>(in.data(), n, keys == Keys::kAllEqual);
  size_t temporary_bytes = 0;
  const auto cub_sort = [&](void* temporary) {
    cub::DeviceRadixSort::SortKeys(temporary, temporary_bytes, in.data(), theirs.data(), n, 0, 32, table.stream());
  };
  cub_sort(nullptr);
  const lab::DeviceArray temporary(temporary_bytes);
  const auto sort = [&] { peers_lab10_v5::sort_keys(in.data(), ours.data(), n, 32, work.data(), table.stream()); };
  sort();
  cub_sort(temporary.data());
  const double gigabytes = 8e-9 * static_cast<double>(n);
  table.Time({.what = std::string("lab10 v5, sort of 32-bit keys") + (keys == Keys::kAllEqual ? ", all equal" : ""),
              .size = "2^" + std::to_string(exponent),
              .peer = "CUB",
              .unit = "GB/s",
              .ours = gigabytes,
              .theirs = gigabytes,
              .goal = keys == Keys::kAllEqual ? 0.90 : 1.00},
             ours.Equals(theirs), sort, [&] { cub_sort(temporary.data()); });
}

}  // namespace

void CompareSorts(Comparison& table) {
  Compare(table, 24, Keys::kRandom);
  Compare(table, 27, Keys::kRandom);
  Compare(table, 27, Keys::kAllEqual);
}

}  // namespace peers
