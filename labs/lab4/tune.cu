// Times all rungs of lab4, and shapes of v7's and v8's kernels, next to a device copy and to cuBLAS's SGEMM, to choose
// `TunedLine`, `TunedSmall` and `TunedLarge` in solutions/lab4. No part of the build; by hand, on a machine with the
// GPU
// (-arch: its own):
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I. labs/lab4/tune.cu -lcublas -o tune && ./tune [beginnings of names, e.g. v8 r4]
//
// One line for each: GB/s of 8 bytes for each element, its share of a copy (in turn with it), TFLOP/s of two for each
// product, its share of the rate that SGEMM reaches at 4096 in pedantic FP32, and the spread (slowest - fastest, of the
// median). The L2 cache is flushed before every call. Each answer is compared with that of a kernel written here, in
// double precision, bit by bit: the values have so few bits that all sums are exact.
#include <cublas_v2.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "labs/lab4/lab4.h"

// The rungs side by side: what each defines for the grader is left out.
#undef LAB4_LINE_RUNG
#undef LAB4_IMAGE_RUNG
#undef LAB4_SEPARABLE_RUNG
#define LAB4_LINE_RUNG() static_assert(true, "")
#define LAB4_IMAGE_RUNG() static_assert(true, "")
#define LAB4_SEPARABLE_RUNG() static_assert(true, "")
namespace v1 {
#include "solutions/lab4/v1_naive.cu"
}
namespace v2 {
#include "solutions/lab4/v2_constant.cu"
}
namespace v3 {
#include "solutions/lab4/v3_tiled.cu"
}
namespace v4 {
#include "solutions/lab4/v4_image.cu"
}
namespace v5 {
#include "solutions/lab4/v5_image_tiled.cu"
}
namespace v6 {
#include "solutions/lab4/v6_separable.cu"
}
namespace v7 {
#include "solutions/lab4/v7_open_1d.cu"
}
namespace v8 {
#include "solutions/lab4/v8_open_2d.cu"
}

namespace {

constexpr int kWarmUps = 2;
constexpr int kTimes = 15;                     // odd
constexpr size_t kElements = size_t{1} << 28;  // of the largest line
constexpr size_t kSide = 8192;                 // of the largest image
constexpr int kMaskFloats = 31 * 31;           // of the largest mask

std::vector<std::string> wanted;  // beginnings of words of names; empty: all

void Must(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(cudaGetLastError()));
  std::exit(1);
}
void Must(cudaError_t error, const char* what) { Must(error == cudaSuccess, what); }

// Halves between -7.5 and 7.5, never 0: sums of 961 products of two or three of them are exact.
__global__ void Fill(float* to, size_t n, unsigned seed) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = static_cast<unsigned>(i) * 2654435761u + seed;
  x = (x ^ x >> 15) * 2246822519u;
  to[i] = static_cast<float>(static_cast<int>((x ^ x >> 13) % 16) - 8) + 0.5f;
}

// What lab4.h says, in double precision. A separable mask is the product of `mask` and `row_mask`.
__global__ void Reference(const float* in, const float* mask, const float* row_mask, float* out, long long rows,
                          long long columns, int mask_rows, int mask_columns) {
  const long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= rows * columns) return;
  const long long row = at / columns, column = at % columns;
  double sum = 0;
  for (int i = 0; i < mask_rows; ++i) {
    const long long y = row - mask_rows / 2 + i;
    if (y < 0 || y >= rows) continue;
    for (int j = 0; j < mask_columns; ++j) {
      const long long x = column - mask_columns / 2 + j;
      if (x < 0 || x >= columns) continue;
      const double factor =
          row_mask == nullptr ? double{mask[i * mask_columns + j]} : double{mask[i]} * double{row_mask[j]};
      sum += factor * double{in[y * columns + x]};
    }
  }
  out[at] = static_cast<float>(sum);
}

__global__ void CountDifferences(const float* x, const float* y, size_t n, unsigned* count) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && !(x[i] == y[i])) atomicAdd(count, 1u);
}

unsigned Blocks(size_t n) { return static_cast<unsigned>((n + 255) / 256); }

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

struct Size {
  size_t rows, columns;
  int mask_rows, mask_columns;
  size_t Elements() const { return rows * columns; }
};

// Arrays for the largest size, and a clock.
class Bench {
 public:
  Bench() {
    Must(cudaMalloc(&in, kElements * sizeof(float)), "cudaMalloc");
    Must(cudaMalloc(&out, kElements * sizeof(float)), "cudaMalloc");
    Must(cudaMalloc(&workspace, kElements * sizeof(float)), "cudaMalloc");
    Must(cudaMalloc(&reference_, kElements * sizeof(float)), "cudaMalloc");
    Must(cudaMalloc(&mask, kMaskFloats * sizeof(float)), "cudaMalloc");
    Must(cudaMalloc(&row_mask, kMaskFloats * sizeof(float)), "cudaMalloc");
    Must(cudaMalloc(&count_, sizeof(unsigned)), "cudaMalloc");
    int l2 = 0;
    Must(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0), "cudaDeviceGetAttribute");
    flush_bytes_ = 2 * static_cast<size_t>(l2);
    Must(cudaMalloc(&flush_, flush_bytes_), "cudaMalloc");
    Fill<<<Blocks(kElements), 256>>>(in, kElements, 1);
    Fill<<<Blocks(kMaskFloats), 256>>>(mask, kMaskFloats, 2);
    Fill<<<Blocks(kMaskFloats), 256>>>(row_mask, kMaskFloats, 3);
    Must(cudaEventCreate(&start_), "cudaEventCreate");
    Must(cudaEventCreate(&stop_), "cudaEventCreate");
    Must(cudaDeviceSynchronize(), "Fill");
    sgemm_teraflops_ = Sgemm();
  }

  // What the answers of the next calls of Time are compared with.
  void Expect(const Size& size, bool separable) {
    size_ = size;
    separable_ = separable;
    Reference<<<Blocks(size.Elements()), 256>>>(in, mask, separable ? row_mask : nullptr, reference_,
                                                static_cast<long long>(size.rows), static_cast<long long>(size.columns),
                                                size.mask_rows, size.mask_columns);
    Must(cudaDeviceSynchronize(), "Reference");
  }

  template <typename Work>
  void Time(const std::string& name, Work work) {
    if (!IsWanted(name)) return;
    Must(cudaMemset(out, 0xCB, size_.Elements() * sizeof(float)), "cudaMemset");
    work();
    const cudaError_t at_launch = cudaGetLastError();
    const cudaError_t at_end = cudaDeviceSynchronize();
    if (at_launch != cudaSuccess || at_end != cudaSuccess) {
      std::printf("%-58s %s\n", name.c_str(), cudaGetErrorString(at_launch != cudaSuccess ? at_launch : at_end));
      Must(at_end, "cannot go on");
      return;
    }
    const unsigned differences = Differences();
    const auto copy = [this] {
      cudaMemcpyAsync(workspace, in, size_.Elements() * sizeof(float), cudaMemcpyDeviceToDevice, nullptr);
    };
    for (int i = 0; i < kWarmUps; ++i) {
      Seconds(work);
      Seconds(copy);
    }
    std::vector<double> ours, copies;
    for (int i = 0; i < kTimes; ++i) {
      ours.push_back(Seconds(work));
      copies.push_back(Seconds(copy));
    }
    const double time = Median(ours), elements = static_cast<double>(size_.Elements());
    const double products = separable_ ? size_.mask_rows + size_.mask_columns : size_.mask_rows * size_.mask_columns;
    const double teraflops = 2 * products * elements / time * 1e-12;
    const auto [fastest, slowest] = std::minmax_element(ours.begin(), ours.end());
    std::printf("%-58s %7.0f GB/s  %.3f of copy %5.0f  %6.2f TFLOP/s  %.3f of SGEMM  spread %4.1f%%%s\n", name.c_str(),
                8 * elements / time * 1e-9, Median(copies) / time, 8 * elements / Median(copies) * 1e-9, teraflops,
                teraflops / sgemm_teraflops_, 100 * (*slowest - *fastest) / time,
                differences > 0 ? ("  WRONG " + std::to_string(differences)).c_str() : "");
    std::fflush(stdout);
  }

  float *in = nullptr, *out = nullptr, *workspace = nullptr, *mask = nullptr, *row_mask = nullptr;

 private:
  static bool IsWanted(const std::string& name) {
    return std::all_of(wanted.begin(), wanted.end(),
                       [&](const std::string& word) { return (" " + name).find(" " + word) != std::string::npos; });
  }

  unsigned Differences() {
    Must(cudaMemset(count_, 0, sizeof(unsigned)), "cudaMemset");
    CountDifferences<<<Blocks(size_.Elements()), 256>>>(out, reference_, size_.Elements(), count_);
    unsigned count = 0;
    Must(cudaMemcpy(&count, count_, sizeof count, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return count;
  }

  template <typename Work>
  double Seconds(Work work) {
    Must(cudaMemsetAsync(flush_, 0, flush_bytes_, nullptr), "cudaMemsetAsync");
    Must(cudaEventRecord(start_), "cudaEventRecord");
    work();
    Must(cudaEventRecord(stop_), "cudaEventRecord");
    Must(cudaEventSynchronize(stop_), "the timed call");
    float ms = 0;
    Must(cudaEventElapsedTime(&ms, start_, stop_), "cudaEventElapsedTime");
    return ms * 1e-3;
  }

  // The FP32 rate that can be had: cuBLAS, FFMA only.
  double Sgemm() {
    constexpr int kSgemmSide = 4096;
    cublasHandle_t cublas = nullptr;
    Must(cublasCreate(&cublas) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
    Must(cublasSetMathMode(cublas, CUBLAS_PEDANTIC_MATH) == CUBLAS_STATUS_SUCCESS, "cublasSetMathMode");
    const auto multiply = [&] {
      const float one = 1, zero = 0;
      const int n = kSgemmSide;
      Must(cublasSgemm(cublas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, in, n, in + n * n, n, &zero, out, n) ==
               CUBLAS_STATUS_SUCCESS,
           "cublasSgemm");
    };
    std::vector<double> times;
    for (int i = 0; i < kWarmUps + kTimes; ++i) times.push_back(Seconds(multiply));
    cublasDestroy(cublas);
    const double teraflops = 2.0 * kSgemmSide * kSgemmSide * kSgemmSide / Median(times) * 1e-12;
    std::printf("SGEMM %d: %.2f TFLOP/s\n", kSgemmSide, teraflops);
    return teraflops;
  }

  float *reference_ = nullptr, *flush_ = nullptr;
  unsigned* count_ = nullptr;
  size_t flush_bytes_ = 0;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
  Size size_ = {};
  bool separable_ = false;
  double sgemm_teraflops_ = 0;
};

std::string Label(const char* what, int radius, const std::string& shape = "") {
  return "r" + std::to_string(radius) + " " + what + (shape.empty() ? "" : " " + shape);
}

// v7's kernel for a mask of 2 * kRadius + 1, without the 7 others of its shape.
template <int kRadius, class S>
void TimeLine(Bench& b, size_t n) {
  constexpr int kWidth = 2 * kRadius + 1;
  b.Time(Label("v7", kRadius, "Line<" + std::to_string(S::kThreads) + ", " + std::to_string(S::kQuads) + ">"),
         [&b, n] { v7::LaunchRest<S, kWidth % v7::kChunk>(b.in, b.mask, b.out, n, kWidth, nullptr); });
}

template <int kRadius, class... S>
void TimeLines(Bench& b, size_t n) {
  (TimeLine<kRadius, S>(b, n), ...);
}

void LineAsItIs(Bench& b, size_t n, int radius) {
  const int width = 2 * radius + 1;
  b.Expect({1, n, 1, width}, false);
  b.Time(Label("v7", radius, "as it is, " + std::to_string(n)),
         [&] { v7::convolve_1d(b.in, b.mask, b.out, n, width, nullptr); });
}

// All rungs, then shapes of v7.
template <int kRadius>
void Lines(Bench& b, size_t n) {
  constexpr int kWidth = 2 * kRadius + 1;
  b.Expect({1, n, 1, kWidth}, false);
  b.Time(Label("v1", kRadius), [&] { v1::convolve_1d(b.in, b.mask, b.out, n, kWidth, nullptr); });
  b.Time(Label("v2", kRadius), [&] { v2::convolve_1d(b.in, b.mask, b.out, n, kWidth, nullptr); });
  b.Time(Label("v3", kRadius), [&] { v3::convolve_1d(b.in, b.mask, b.out, n, kWidth, nullptr); });
  LineAsItIs(b, n, kRadius);
  using v7::Line;
  TimeLines<kRadius, Line<256, 3>, Line<128, 3>, Line<512, 3>, Line<64, 3>, Line<1024, 3>, Line<128, 5>, Line<256, 5>,
            Line<512, 5>, Line<128, 7>, Line<256, 7>, Line<128, 1>, Line<256, 1>, Line<512, 1>, Line<1024, 1>>(b, n);
}

template <int kRadius, class S>
void TimeImage(Bench& b, size_t side) {
  constexpr int kWidth = 2 * kRadius + 1;
  constexpr int kRest = kWidth % v8::kChunk;
  const auto kernel = v8::convolve_v8<S, kRest>;
  cudaFuncAttributes attributes = {};
  cudaFuncGetAttributes(&attributes, kernel);
  const int bytes = static_cast<int>(sizeof(float)) *
                    (v8::kMaskFloats + (S::kBlockRows + kWidth - 1) * v8::TileQuads<S, kRest>(kWidth) * 4);
  int blocks = 0;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, S::kThreads, bytes);
  cudaGetLastError();  // too much shared memory: the launch will say so
  char shape[96];
  std::snprintf(shape, sizeof shape, "Image<%d, %d, %d, %d, %d> %d registers%s, %d blocks", S::kAcross, S::kDown,
                S::kQuads, S::kRows, S::kBlocksPerSm, attributes.numRegs,
                attributes.localSizeBytes > 0 ? " SPILLS" : "", blocks);
  b.Time(Label("v8", kRadius, shape),
         [&b, side] { v8::LaunchRest<S, kRest>(b.in, b.mask, b.out, side, side, kWidth, kWidth, nullptr); });
}

template <int kRadius, class... S>
void TimeImages(Bench& b, size_t side) {
  (TimeImage<kRadius, S>(b, side), ...);
}

void ImageAsItIs(Bench& b, size_t side, int radius) {
  const int width = 2 * radius + 1;
  b.Expect({side, side, width, width}, false);
  b.Time(Label("v8", radius, "as it is, " + std::to_string(side)),
         [&] { v8::convolve_2d(b.in, b.mask, b.out, side, side, width, width, nullptr); });
}

// All rungs, then shapes of v8.
template <int kRadius>
void Images(Bench& b, size_t side) {
  constexpr int kWidth = 2 * kRadius + 1;
  b.Expect({side, side, kWidth, kWidth}, false);
  b.Time(Label("v4", kRadius), [&] { v4::convolve_2d(b.in, b.mask, b.out, side, side, kWidth, kWidth, nullptr); });
  b.Time(Label("v5", kRadius), [&] { v5::convolve_2d(b.in, b.mask, b.out, side, side, kWidth, kWidth, nullptr); });
  ImageAsItIs(b, side, kRadius);
  using v8::Image;
  TimeImages<kRadius,  // across, down, quads, rows, blocks on a multiprocessor
             Image<16, 16, 3, 4, 2>, Image<16, 16, 3, 4, 1>, Image<16, 16, 3, 2, 4>, Image<16, 16, 3, 2, 3>,
             Image<16, 16, 3, 3, 2>, Image<16, 16, 3, 6, 1>, Image<16, 16, 3, 8, 1>, Image<16, 8, 3, 4, 4>,
             Image<16, 8, 3, 4, 3>, Image<16, 8, 3, 2, 8>, Image<16, 8, 3, 2, 6>, Image<16, 8, 3, 6, 3>,
             Image<16, 8, 3, 8, 2>, Image<32, 8, 3, 4, 2>, Image<32, 8, 3, 2, 4>, Image<32, 4, 3, 4, 4>,
             Image<8, 16, 3, 4, 4>, Image<8, 32, 3, 4, 2>, Image<8, 16, 3, 8, 2>, Image<16, 16, 5, 2, 2>,
             Image<16, 8, 5, 2, 4>, Image<16, 8, 5, 4, 2>, Image<8, 16, 5, 4, 2>, Image<8, 16, 5, 3, 3>,
             Image<8, 16, 7, 2, 3>, Image<16, 16, 1, 4, 4>, Image<16, 16, 1, 8, 3>, Image<32, 8, 1, 8, 3>>(b, side);
}

void Separable(Bench& b, size_t side, int width) {
  b.Expect({side, side, width, width}, true);
  b.Time(Label("v6", width / 2), [&] {
    v6::convolve_separable(b.in, b.mask, b.row_mask, b.workspace, b.out, side, side, width, width, nullptr);
  });
}

}  // namespace

int main(int argc, char** argv) {
  wanted.assign(argv + 1, argv + argc);
  Bench b;
  std::printf("\nlines of 2^28\n");
  Lines<1>(b, kElements);
  Lines<4>(b, kElements);
  Lines<15>(b, kElements);
  for (const int radius : {2, 8, 31, 63}) LineAsItIs(b, kElements, radius);
  std::printf("\nlines of 2^24\n");
  for (const int radius : {1, 4, 15}) LineAsItIs(b, size_t{1} << 24, radius);
  std::printf("\nimages of %zu x %zu\n", kSide, kSide);
  Images<1>(b, kSide);
  Images<4>(b, kSide);
  Images<15>(b, kSide);
  for (const int radius : {2, 3, 5, 7, 8, 11}) ImageAsItIs(b, kSide, radius);
  for (const int width : {3, 9, 31}) Separable(b, kSide, width);
  std::printf("\nimages of 4096 x 4096, and of rows that are no multiple of 4\n");
  for (const size_t side : {size_t{4096}, size_t{4095}}) {
    for (const int radius : {1, 4, 15}) ImageAsItIs(b, side, radius);
  }
  return 0;
}
