// Apart from bench.cc because CUB takes nvcc long to compile.
#include <cub/device/device_radix_sort.cuh>

#include "labs/lab10/bench_peers.h"

namespace lab10 {

size_t CubBytes(size_t n, int bits) {
  size_t bytes = 0;
  cub::DeviceRadixSort::SortKeys(nullptr, bytes, static_cast<const uint32_t*>(nullptr), static_cast<uint32_t*>(nullptr),
                                 n, 0, bits);
  return bytes;
}

cudaError_t CubSort(void* d_temporary, size_t temporary_bytes, const uint32_t* d_in, uint32_t* d_out, size_t n,
                    int bits, cudaStream_t stream) {
  return cub::DeviceRadixSort::SortKeys(d_temporary, temporary_bytes, d_in, d_out, n, 0, bits, stream);
}

}  // namespace lab10
