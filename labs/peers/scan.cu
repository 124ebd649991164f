#include <cuda_pipeline.h>

#include <algorithm>
#include <cub/device/device_scan.cuh>

#include "labs/lab5/lab5.h"
#include "labs/lab5/levels.h"
#include "labs/peers/comparison.h"
#include "labs/peers/values.cuh"

namespace peers_v6 {
#include "solutions/lab5/v6_look_back.cu"
}

namespace peers {
namespace {

void Compare(Comparison& table, int exponent) {
  const size_t n = size_t{1} << exponent;
  Array<float> in(n), ours(n), theirs(n), work(WorkElements(n));
  in.FillWithSmallNumbers(9);
  size_t temporary_bytes = 0;
  cub::DeviceScan::InclusiveSum(nullptr, temporary_bytes, in.data(), theirs.data(), n);
  const lab::DeviceArray temporary(temporary_bytes);
  const cudaStream_t stream = table.stream();
  const auto scan = [&] {
    peers_v6::scan<float>(in.data(), ours.data(), n, ScanKind::kInclusive, work.data(), stream);
  };
  const auto cub_scan = [&] {
    cub::DeviceScan::InclusiveSum(temporary.data(), temporary_bytes, in.data(), theirs.data(), n, stream);
  };
  scan();
  cub_scan();
  const double gigabytes = 8e-9 * static_cast<double>(n);
  table.Time({.what = "lab5 v6, inclusive scan of floats",
              .size = "2^" + std::to_string(exponent),
              .peer = "CUB",
              .unit = "GB/s",
              .ours = gigabytes,
              .theirs = gigabytes,
              .goal = 1.00},
             ours.Equals(theirs), scan, cub_scan);
}

}  // namespace

void CompareScans(Comparison& table) {
  Compare(table, 24);
  Compare(table, 28);
}

}  // namespace peers
