// lab4's best solutions (v7 for lines, v8 for images) in the table of peers, beside a copy for small masks and cuBLAS
// for large ones. Each result is first compared with a slow convolution in double precision.
#include <algorithm>
#include <string>

#include "labs/lab4/lab4.h"
#include "labs/peers/comparison.h"
#include "labs/peers/cublas.h"
#include "labs/peers/values.cuh"

#undef LAB4_LINE_RUNG
#undef LAB4_IMAGE_RUNG
#define LAB4_LINE_RUNG() static_assert(true, "")
#define LAB4_IMAGE_RUNG() static_assert(true, "")
namespace peers_v7 {
#include "solutions/lab4/v7_open_1d.cu"
}
namespace peers_v8 {
#include "solutions/lab4/v8_open_2d.cu"
}

namespace peers {
namespace {

constexpr size_t kProductSide = 4096;  // of the SGEMM whose rate an arithmetic-bound convolution is held against

// What lab4.h says, in double precision; a line is an image of one row.
__global__ void ConvolveSlowly(const float* in, const float* mask, float* out, long long rows, long long columns,
                               int mask_rows, int mask_columns) {
  const long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= rows * columns) return;
  const long long row = at / columns, column = at % columns;
  double sum = 0;
  for (int i = 0; i < mask_rows; ++i) {
    const long long y = row - mask_rows / 2 + i;
    if (y < 0 || y >= rows) continue;
    for (int j = 0; j < mask_columns; ++j) {
      const long long x = column - mask_columns / 2 + j;
      if (x >= 0 && x < columns) sum += double{mask[i * mask_columns + j]} * double{in[y * columns + x]};
    }
  }
  out[at] = static_cast<float>(sum);
}

struct Problem {
  size_t rows, columns;
  int mask_rows, mask_columns;
  size_t Elements() const { return rows * columns; }
  int MaskElements() const { return mask_rows * mask_columns; }
};

struct Arrays {
  explicit Arrays(const Problem& p)
      : in(p.Elements()), mask(p.MaskElements()), ours(p.Elements()), other(p.Elements()) {
    in.FillWithSmallNumbers(5);
    mask.FillWithSmallNumbers(6);
    ConvolveSlowly<<<FillBlocks(p.Elements()), kFillThreads>>>(
        in.data(), mask.data(), other.data(), static_cast<long long>(p.rows), static_cast<long long>(p.columns),
        p.mask_rows, p.mask_columns);
    lab::Require(cudaDeviceSynchronize(), "the reference");
  }
  Array<float> in, mask, ours, other;  // other: first what is right, then the copy's
};

// Memory is the floor: 8 bytes for each element.
template <typename Call>
void BesideCopy(Comparison& table, const std::string& what, const std::string& size, const Problem& p, Arrays& arrays,
                Call call) {
  call();
  const double gigabytes = 8e-9 * static_cast<double>(p.Elements());
  const bool is_right = arrays.ours.Equals(arrays.other);
  table.Time({.what = what,
              .size = size,
              .peer = "copy",
              .unit = "GB/s",
              .ours = gigabytes,
              .theirs = gigabytes,
              .goal = 0.90},
             is_right, call, DeviceCopy(arrays.in, arrays.other, table.stream()));
}

// Arithmetic is the floor: two operations for each element and element of the mask, held against the rate that SGEMM
// reaches.
template <typename Call>
void BesideProduct(Comparison& table, const std::string& what, const std::string& size, const Problem& p,
                   Arrays& arrays, Call call) {
  call();
  const bool is_right = arrays.ours.Equals(arrays.other);
  Array<float> a(kProductSide * kProductSide), b(a.size()), c(a.size());
  a.FillWithSmallNumbers(7);
  b.FillWithSmallNumbers(8);
  Cublas cublas;
  const double side = kProductSide;
  table.Time({.what = what,
              .size = size,
              .peer = "SGEMM 4096",
              .unit = "TFLOP/s",
              .ours = 2e-12 * p.MaskElements() * static_cast<double>(p.Elements()),
              .theirs = 2e-12 * side * side * side,
              .goal = 0.75},
             is_right, call, [&] { cublas.Multiply(a.data(), b.data(), c.data(), kProductSide, table.stream()); });
}

void CompareLine(Comparison& table, int mask_width) {
  const Problem p = {1, size_t{1} << 28, 1, mask_width};
  Arrays arrays(p);
  BesideCopy(table, "lab4 v7, line, mask of " + std::to_string(mask_width), "2^28", p, arrays, [&] {
    peers_v7::convolve_1d(arrays.in.data(), arrays.mask.data(), arrays.ours.data(), p.columns, p.mask_columns,
                          table.stream());
  });
}

void CompareImage(Comparison& table, int mask_side, bool memory_is_the_floor) {
  const Problem p = {8192, 8192, mask_side, mask_side};
  Arrays arrays(p);
  const auto call = [&] {
    peers_v8::convolve_2d(arrays.in.data(), arrays.mask.data(), arrays.ours.data(), p.rows, p.columns, p.mask_rows,
                          p.mask_columns, table.stream());
  };
  const std::string side = std::to_string(mask_side), what = "lab4 v8, image, " + side + " x " + side;
  if (memory_is_the_floor) return BesideCopy(table, what, "8192^2", p, arrays, call);
  BesideProduct(table, what, "8192^2", p, arrays, call);
}

}  // namespace

void CompareConvolutions(Comparison& table) {
  for (const int width : {3, 9, 31}) CompareLine(table, width);
  CompareImage(table, 3, true);
  CompareImage(table, 9, false);
  CompareImage(table, 31, false);
}

}  // namespace peers
