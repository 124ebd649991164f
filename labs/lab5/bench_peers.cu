// Apart from bench.cc because CUB takes nvcc some twenty seconds to compile.
#include <cub/device/device_scan.cuh>

#include "labs/lab5/bench_peers.h"
#include "labs/lab5/lab5.h"

namespace lab5 {
namespace {

template <typename T>
cudaError_t ScanAs(ScanKind kind, void* d_temporary, size_t& bytes, const void* d_in, void* d_out, size_t n,
                   cudaStream_t stream) {
  const auto* const in = static_cast<const T*>(d_in);
  auto* const out = static_cast<T*>(d_out);
  if (kind == ScanKind::kInclusive) return cub::DeviceScan::InclusiveSum(d_temporary, bytes, in, out, n, stream);
  return cub::DeviceScan::ExclusiveSum(d_temporary, bytes, in, out, n, stream);
}

cudaError_t Scan(int32_t variant, void* d_temporary, size_t& bytes, const void* d_in, void* d_out, size_t n,
                 cudaStream_t stream) {
  if (IsFloat(variant)) return ScanAs<float>(KindOf(variant), d_temporary, bytes, d_in, d_out, n, stream);
  return ScanAs<int>(KindOf(variant), d_temporary, bytes, d_in, d_out, n, stream);
}

}  // namespace

size_t CubBytes(int32_t variant, size_t n) {
  size_t bytes = 0;
  Scan(variant, nullptr, bytes, nullptr, nullptr, n, nullptr);
  return bytes;
}

cudaError_t CubScan(int32_t variant, void* d_temporary, size_t temporary_bytes, const void* d_in, void* d_out, size_t n,
                    cudaStream_t stream) {
  return Scan(variant, d_temporary, temporary_bytes, d_in, d_out, n, stream);
}

}  // namespace lab5
