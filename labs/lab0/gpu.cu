// The judge's kernels for lab0: vectors, images, links and classes. Tested by
// tests/course/gpu_work_test.cc.
#include "labs/lab0/elements.h"
#include "labs/lab0/lab0.h"
#include "labs/support/gpu_kernels.h"

using warpgrade::GpuArguments;

namespace {

__device__ void DrawLinks(const GpuArguments& a) {
  const uint64_t n = a.sizes[0], segment = a.sizes[1];
  lab::ForEach(n, [&](uint64_t i) {
    const uint64_t noise = lab::Noise(a.seed, i);
    if (a.array == 0) {
      lab::Array<uint8_t>(a, 0)[i] = static_cast<uint8_t>(noise & 1);
    } else if (a.array == 1) {
      lab::Array<uint16_t>(a, 1)[i] = static_cast<uint16_t>(noise % lab0::SegmentLength(n, segment, i));
    } else {
      lab::Array<double>(a, 2)[i] = lab0::OrdinaryDouble(noise);
    }
  });
}

}  // namespace

extern "C" __global__ void draw(GpuArguments a) {
  auto* const bytes = lab::Array<uint8_t>(a, 0);
  if (a.variant == lab0::kLinks) return DrawLinks(a);
  if (a.variant == lab0::kVectorAdd || a.variant == lab0::kStreams) {
    auto* const to = lab::Array<float>(a, static_cast<int>(a.array));
    return lab::ForEach(a.sizes[0], [&](uint64_t i) { to[i] = lab0::OrdinaryFloat(lab::Noise(a.seed, i)); });
  }
  if (a.variant == lab0::kImage) {
    return lab::ForEach(3 * a.sizes[0] * a.sizes[1],
                        [&](uint64_t i) { bytes[i] = lab0::ColourByte(lab::Noise(a.seed, i)); });
  }
  lab::ForEach(a.sizes[0], [&](uint64_t i) { bytes[i] = static_cast<uint8_t>(lab::Noise(a.seed, i) % a.sizes[1]); });
}

// The last element is what the function returned.
extern "C" __global__ void check_sums(GpuArguments a) {
  const uint64_t n = a.sizes[0];
  const auto* const left = lab::Array<const float>(a, 0);
  const auto* const right = lab::Array<const float>(a, 1);
  const auto* const sum = lab::Array<const float>(a, 2);
  const auto* const result = lab::Array<const int32_t>(a, 3);
  lab::CheckEach(a, n + 1, [&](uint64_t i) {
    return i == n ? *result == 0 : __float_as_uint(sum[i]) == __float_as_uint(left[i] + right[i]);
  });
}

extern "C" __global__ void check_image(GpuArguments a) {
  const auto* const rgb = lab::Array<const uint8_t>(a, 0);
  const auto* const grey = lab::Array<const uint8_t>(a, 1);
  lab::CheckEach(a, a.sizes[0] * a.sizes[1],
                 [&](uint64_t i) { return grey[i] == lab0::Grey(rgb[3 * i], rgb[3 * i + 1], rgb[3 * i + 2]); });
}

// Values are never 0 or NaN, so == compares all of an element.
extern "C" __global__ void check_links(GpuArguments a) {
  const auto* const flag = lab::Array<const uint8_t>(a, 0);
  const auto* const next = lab::Array<const uint16_t>(a, 1);
  const auto* const value = lab::Array<const double>(a, 2);
  const auto* const out = lab::Array<const double>(a, 3);
  lab::CheckEach(a, a.sizes[0],
                 [&](uint64_t i) { return out[i] == lab0::TwoLinksOn(a.sizes[1], flag, next, value, i); });
}

extern "C" __global__ void start_counts(GpuArguments a) { lab::StartByteCounts(a); }

// A class is a byte.
extern "C" __global__ void count_classes(GpuArguments a) { lab::CountBytes(a, a.sizes[0]); }

extern "C" __global__ void check_classes(GpuArguments a) {
  lab::CheckEach(a, a.sizes[1],
                 [&](uint64_t c) { return lab::Array<const uint64_t>(a, 1)[c] == lab::ByteCounts(a)[c]; });
}
