#include <cstdint>
#include <cub/device/device_histogram.cuh>
#include <string>

#include "labs/lab7/lab7.h"
#include "labs/peers/comparison.h"
#include "labs/peers/values.cuh"

#undef LAB7_RUNG
#define LAB7_RUNG() static_assert(true, "")
namespace peers_v4 {
#include "solutions/lab7/v4_open.cu"
}

namespace peers {
namespace {

constexpr size_t kElements = size_t{1} << 28;
constexpr int kBins = 256;

enum class Values { kUniform, kAllEqual };

template <typename T>
__global__ void FillBins(T* to, size_t n, bool all_equal) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) to[i] = static_cast<T>(all_equal ? kBins / 3 : Mix(i) % kBins);
}

template <typename T>
void Compare(Comparison& table, const char* type, Values values) {
  Array<T> in(kElements);
  FillBins<<<FillBlocks(kElements), kFillThreads>>>(in.data(), kElements, values == Values::kAllEqual);
  Array<unsigned> ours(kBins), theirs(kBins);
  size_t temporary_bytes = 0;
  const auto cub_histogram = [&](void* temporary) {
    cub::DeviceHistogram::HistogramEven(temporary, temporary_bytes, static_cast<const T*>(in.data()), theirs.data(),
                                        kBins + 1, 0, kBins, static_cast<long long>(kElements), table.stream());
  };
  cub_histogram(nullptr);
  const lab::DeviceArray temporary(temporary_bytes);
  const auto count = [&] { peers_v4::histogram<T>(in.data(), kElements, ours.data(), kBins, table.stream()); };
  count();
  cub_histogram(temporary.data());
  const double gigabytes = 1e-9 * sizeof(T) * kElements;
  table.Time({.what = std::string("lab7 v4, histogram of ") + type + (values == Values::kAllEqual ? ", all equal" : ""),
              .size = "2^28",
              .peer = "CUB",
              .unit = "GB/s",
              .ours = gigabytes,
              .theirs = gigabytes,
              .goal = 1.00},
             ours.Equals(theirs), count, [&] { cub_histogram(temporary.data()); });
}

}  // namespace

void CompareHistograms(Comparison& table) {
  for (const Values values : {Values::kUniform, Values::kAllEqual}) {
    Compare<uint8_t>(table, "bytes", values);
    Compare<int>(table, "ints", values);
  }
}

}  // namespace peers
