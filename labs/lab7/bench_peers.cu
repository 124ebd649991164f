// Apart from bench.cc because CUB takes nvcc long to compile.
#include <cub/device/device_histogram.cuh>

#include "labs/lab7/bench_peers.h"
#include "labs/lab7/lab7.h"

namespace lab7 {
namespace {

template <typename T>
cudaError_t Call(void* d_temporary, size_t& temporary_bytes, const T* d_in, size_t n, unsigned* d_bins, int bins,
                 cudaStream_t stream) {
  return cub::DeviceHistogram::HistogramEven(d_temporary, temporary_bytes, d_in, d_bins, bins + 1, 0, bins,
                                             static_cast<long long>(n), stream);
}

cudaError_t CallAs(int32_t variant, void* d_temporary, size_t& temporary_bytes, const void* d_in, size_t n,
                   unsigned* d_bins, int bins, cudaStream_t stream) {
  if (variant == kInt) {
    return Call(d_temporary, temporary_bytes, static_cast<const int*>(d_in), n, d_bins, bins, stream);
  }
  return Call(d_temporary, temporary_bytes, static_cast<const uint8_t*>(d_in), n, d_bins, bins, stream);
}

}  // namespace

size_t CubTemporaryBytes(int32_t variant, size_t n, int bins) {
  size_t bytes = 0;
  CallAs(variant, nullptr, bytes, nullptr, n, nullptr, bins, nullptr);
  return bytes;
}

cudaError_t CubHistogram(int32_t variant, void* d_temporary, size_t temporary_bytes, const void* d_in, size_t n,
                         unsigned* d_bins, int bins, cudaStream_t stream) {
  return CallAs(variant, d_temporary, temporary_bytes, d_in, n, d_bins, bins, stream);
}

}  // namespace lab7
