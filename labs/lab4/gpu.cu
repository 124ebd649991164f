// The judge's kernels for lines and images of 13 bits and masks of few: all timed cases of lab4. All sums are exact in
// double, in any order. Masks are small, and drawn on the host. Tested by tests/course/gpu_work_test.cc.
#include "labs/lab4/elements.h"
#include "labs/lab4/lab4.h"
#include "labs/support/gpu_kernels.h"

using warpgrade::GpuArguments;

extern "C" __global__ void draw(GpuArguments a) {
  auto* const in = lab::Array<float>(a, 0);
  lab::ForEach(a.sizes[0] * a.sizes[1], [&](uint64_t i) { in[i] = lab4::ThirteenBits(lab::Noise(a.seed, i)); });
}

extern "C" __global__ void check(GpuArguments a) {
  const auto rows = static_cast<int64_t>(a.sizes[0]), columns = static_cast<int64_t>(a.sizes[1]);
  const int mask_rows = static_cast<int>(a.sizes[2]), mask_columns = static_cast<int>(a.sizes[3]);
  const bool separable = a.variant == lab4::kSeparable;
  const auto* const in = lab::Array<const float>(a, 0);
  const auto* const mask = lab::Array<const float>(a, 1);
  const auto* const row_mask = lab::Array<const float>(a, 2);  // of separable masks only
  const auto* const out = lab::Array<const float>(a, separable ? 4 : 2);
  lab::CheckEach(a, a.sizes[0] * a.sizes[1], [&](uint64_t index) {
    const int64_t row = static_cast<int64_t>(index) / columns, column = static_cast<int64_t>(index) % columns;
    double sum = 0;
    for (int i = 0; i < mask_rows; ++i) {
      const int64_t y = row - mask_rows / 2 + i;
      if (y < 0 || y >= rows) continue;
      for (int j = 0; j < mask_columns; ++j) {
        const int64_t x = column - mask_columns / 2 + j;
        if (x < 0 || x >= columns) continue;
        const double factor = separable ? static_cast<double>(mask[i]) * static_cast<double>(row_mask[j])
                                        : static_cast<double>(mask[i * mask_columns + j]);
        sum += factor * static_cast<double>(in[y * columns + x]);
      }
    }
    return static_cast<double>(out[index]) == sum;
  });
}
