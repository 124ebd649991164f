// The judge's kernels for histograms of bytes in at most 256 bins, whose elements are all alike or all different: all
// timed cases of lab7. Tested by tests/course/gpu_work_test.cc.
#include "labs/lab7/elements.h"
#include "labs/lab7/values.h"
#include "labs/support/gpu_kernels.h"

using warpgrade::GpuArguments;

namespace {

__device__ int Bins(const GpuArguments& a) { return static_cast<int>(a.sizes[1]); }

}  // namespace

// A thread makes four elements at a time, as they come from one Noise.
extern "C" __global__ void draw(GpuArguments a) {
  auto* const in = lab::Array<uint8_t>(a, 0);
  const uint64_t n = a.sizes[0];
  const int range = lab7::RangeOf(a.variant, Bins(a)), favourite = lab7::FavouriteOf(a.seed, range);
  const bool equal = a.pattern == lab7::kEqual;
  lab::ForEach((n + lab7::kPerNoise - 1) / lab7::kPerNoise, [&](uint64_t group) {
    const uint64_t noise = lab::Noise(a.seed, group);
    for (uint64_t i = group * lab7::kPerNoise; i < n && i < (group + 1) * lab7::kPerNoise; ++i) {
      in[i] = static_cast<uint8_t>(equal ? favourite : lab7::UniformElement(lab7::BitsOf(noise, i), range));
    }
  });
}

extern "C" __global__ void start_counts(GpuArguments a) { lab::StartByteCounts(a); }

extern "C" __global__ void count(GpuArguments a) { lab::CountBytes(a, a.sizes[0]); }

extern "C" __global__ void check(GpuArguments a) {
  lab::CheckEach(a, a.sizes[1],
                 [&](uint64_t bin) { return lab::Array<const unsigned>(a, 1)[bin] == lab::ByteCounts(a)[bin]; });
}
