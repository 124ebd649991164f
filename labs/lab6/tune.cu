// Times the rungs of lab6 and shapes of v4's kernel next to a device copy, to choose `Tuned` in
// solutions/lab6/v4_open.cu. No part of the build; by hand, on a machine with the GPU (-arch: its own):
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I. labs/lab6/tune.cu -o tune && ./tune [rungs|shapes]
//
// One line for each configuration, size, number of points and of steps: GB/s (8 bytes for each element and step, median
// of several calls, L2 flushed before each, a device copy in turn with it), its ratio to the copy's (reads and writes),
// GFLOP/s and the spread of its middle 80%. A pass that does several steps moves less than 8 bytes for each, so the
// ratio may pass 1. Every answer is compared with that of a kernel that does nothing but the definition, in double.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "labs/lab6/lab6.h"
#include "labs/lab6/weights.h"

// The rungs, each in a namespace of its own: they use the same names.
#undef LAB6_RUNG
#define LAB6_RUNG() static_assert(true, "")
namespace v1 {
#include "solutions/lab6/v1_naive.cu"
}
namespace v2 {
#include "solutions/lab6/v2_shared.cu"
}
namespace v3 {
#include "solutions/lab6/v3_rolling.cu"
}
namespace v4 {
#include "solutions/lab6/v4_open.cu"
}

namespace {

constexpr int kWarmUps = 2;
constexpr int kTimes = 15;           // odd
constexpr double kTolerance = 1e-5;  // weights sum to 1, values are below 1: see labs/lab6/tolerance.h

void Must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

__global__ void Fill(float* to, size_t n) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = static_cast<unsigned>(i) * 2654435761u;
  x = (x ^ x >> 15) * 2246822519u;
  to[i] = static_cast<float>((x ^ x >> 13) >> 8) / (1 << 24);
}

// One step by the definition, sums in double. Fields are kept in float.
__global__ void Reference(const float* from, float* to, size_t rows, size_t columns, lab6::Weights weights) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= rows * columns) return;
  const size_t row = i / columns, column = i % columns;
  double sum = 0;
  if (row == 0 || row == rows - 1 || column == 0 || column == columns - 1) {
    sum = from[i];
  } else {
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) sum += double{weights.at[r][c]} * from[(row + r - 1) * columns + column + c - 1];
    }
  }
  to[i] = static_cast<float>(sum);
}

__global__ void CountDifferences(const float* x, const float* y, size_t n, unsigned* count) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && !(fabs(double{x[i]} - y[i]) <= kTolerance)) atomicAdd(count, 1u);
}

// One field, with room for answers, and a clock.
class Bench {
 public:
  Bench(size_t rows, size_t columns, int points, int steps)
      : rows_(rows), columns_(columns), n_(rows * columns), points_(points), steps_(steps) {
    weights_ = lab6::MakeWeights(points, 3);
    for (float** field : {&in_, &out_, &work_, &want_}) Must(cudaMalloc(field, n_ * sizeof(float)), "cudaMalloc");
    Must(cudaMalloc(&count_, sizeof(unsigned)), "cudaMalloc");
    int l2 = 0;
    Must(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0), "cudaDeviceGetAttribute");
    flush_bytes_ = 2 * static_cast<size_t>(l2);
    Must(cudaMalloc(&flush_, flush_bytes_), "cudaMalloc");
    Must(cudaEventCreate(&start_), "cudaEventCreate");
    Must(cudaEventCreate(&stop_), "cudaEventCreate");
    Fill<<<Blocks(), 256>>>(in_, n_);
    const float* from = in_;
    for (int step = 0; step < steps; ++step) {
      float* const to = (steps - step) % 2 == 1 ? want_ : work_;
      Reference<<<Blocks(), 256>>>(from, to, rows, columns, weights_);
      from = to;
    }
    Must(cudaDeviceSynchronize(), "the reference");
  }
  ~Bench() {
    for (float* field : {in_, out_, work_, want_}) cudaFree(field);
    cudaFree(count_);
    cudaFree(flush_);
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  using Function = void (*)(const float*, float*, float*, size_t, size_t, int, lab6::Weights, int, cudaStream_t);

  // One line about `stencil`, with a copy in turn.
  void Time(const std::string& name, Function stencil) {
    const auto work = [&] { stencil(in_, out_, work_, rows_, columns_, points_, weights_, steps_, nullptr); };
    char label[128];
    std::snprintf(label, sizeof label, "%5zu x %5zu %d points %2d steps  %-44s", rows_, columns_, points_, steps_,
                  name.c_str());
    Must(cudaMemset(out_, 0xCB, n_ * sizeof(float)), "cudaMemset");
    Must(cudaMemset(work_, 0xCB, n_ * sizeof(float)), "cudaMemset");
    work();
    const cudaError_t launched = cudaGetLastError(), ended = cudaDeviceSynchronize();
    if (launched != cudaSuccess || ended != cudaSuccess) {
      std::printf("%s  %s\n", label, cudaGetErrorString(launched != cudaSuccess ? launched : ended));
      return;
    }
    const unsigned differences = Differences();
    const auto copy = [this] { cudaMemcpyAsync(out_, in_, n_ * sizeof(float), cudaMemcpyDeviceToDevice); };
    for (int i = 0; i < kWarmUps; ++i) {
      Milliseconds(work);
      Milliseconds(copy);
    }
    std::vector<float> ours, copies;
    for (int i = 0; i < kTimes; ++i) {
      ours.push_back(Milliseconds(work));
      copies.push_back(Milliseconds(copy));
    }
    std::sort(ours.begin(), ours.end());
    std::sort(copies.begin(), copies.end());
    const size_t tenth = ours.size() / 10;
    const float median = ours[ours.size() / 2], copied = copies[copies.size() / 2];
    const double updates = static_cast<double>(n_) * steps_;
    std::printf("%s %7.1f GB/s  copy %7.1f  ratio %.3f  %8.1f GFLOP/s  spread %.1f%%%s\n", label,
                8 * updates / median * 1e-6, 8 * static_cast<double>(n_) / copied * 1e-6, copied * steps_ / median,
                (2 * points_ - 1) * updates / median * 1e-6,
                100 * (ours[ours.size() - 1 - tenth] - ours[tenth]) / median, differences > 0 ? "  WRONG" : "");
    std::fflush(stdout);
  }

 private:
  unsigned Blocks() const { return static_cast<unsigned>((n_ + 255) / 256); }

  unsigned Differences() {
    Must(cudaMemset(count_, 0, sizeof(unsigned)), "cudaMemset");
    CountDifferences<<<Blocks(), 256>>>(out_, want_, n_, count_);
    unsigned count = 0;
    Must(cudaMemcpy(&count, count_, sizeof count, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return count;
  }

  float Milliseconds(const std::function<void()>& work) {
    Must(cudaMemsetAsync(flush_, 0, flush_bytes_), "cudaMemsetAsync");
    Must(cudaEventRecord(start_), "cudaEventRecord");
    work();
    Must(cudaEventRecord(stop_), "cudaEventRecord");
    Must(cudaEventSynchronize(stop_), "the timed call");
    float ms = 0;
    Must(cudaEventElapsedTime(&ms, start_, stop_), "cudaEventElapsedTime");
    return ms;
  }

  size_t rows_, columns_, n_;
  int points_, steps_;
  lab6::Weights weights_;
  float *in_ = nullptr, *out_ = nullptr, *work_ = nullptr, *want_ = nullptr;
  unsigned* count_ = nullptr;
  char* flush_ = nullptr;
  size_t flush_bytes_ = 0;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

void TimeRungs(size_t rows, size_t columns, int points, int steps) {
  Bench bench(rows, columns, points, steps);
  bench.Time("v1", v1::stencil);
  bench.Time("v2", v2::stencil);
  bench.Time("v3", v3::stencil);
  bench.Time("v4", v4::stencil);
}

template <class S>
void StencilWith(const float* d_in, float* d_out, float* d_work, size_t rows, size_t columns, int points,
                 lab6::Weights weights, int steps, cudaStream_t stream) {
  if (points == 5) {
    v4::Launch<S, 5>(d_in, d_out, d_work, rows, columns, weights, steps, stream);
  } else {
    v4::Launch<S, 9>(d_in, d_out, d_work, rows, columns, weights, steps, stream);
  }
}

template <class... Shapes>
struct List {
  static void Time(Bench& bench) { (TimeOne<Shapes>(bench), ...); }
  template <class S>
  static void TimeOne(Bench& bench) {
    char name[96];
    std::snprintf(name, sizeof name, "%d warps, %d rows, %d ahead, %d steps in a pass", S::kWarps, S::kRows, S::kAhead,
                  S::kMostSteps);
    bench.Time(name, StencilWith<S>);
  }
};

// Warps, rows, rows ahead, steps in a pass. Best guesses first.
using Candidates =
    List<v4::Tuned,
         // Rows of a march: fewer begin anew, or more warps.
         v4::Shape<4, 16, 2, 4>, v4::Shape<4, 32, 2, 4>, v4::Shape<4, 128, 2, 4>, v4::Shape<4, 256, 2, 4>,
         // Rows on their way.
         v4::Shape<4, 64, 1, 4>, v4::Shape<4, 64, 3, 4>, v4::Shape<4, 64, 4, 4>, v4::Shape<4, 128, 4, 4>,
         v4::Shape<4, 128, 1, 4>, v4::Shape<4, 32, 4, 4>,
         // Warps of a block.
         v4::Shape<1, 64, 2, 4>, v4::Shape<2, 64, 2, 4>, v4::Shape<8, 64, 2, 4>, v4::Shape<8, 128, 2, 4>,
         v4::Shape<8, 32, 2, 4>, v4::Shape<2, 128, 4, 4>,
         // Two steps in a pass.
         v4::Shape<4, 16, 4, 2>, v4::Shape<4, 32, 2, 2>, v4::Shape<4, 32, 4, 2>, v4::Shape<4, 64, 2, 2>,
         v4::Shape<4, 64, 4, 2>, v4::Shape<4, 128, 4, 2>, v4::Shape<8, 64, 4, 2>, v4::Shape<2, 64, 4, 2>,
         // One: what a step by itself can reach.
         v4::Shape<4, 8, 2, 1>, v4::Shape<4, 16, 2, 1>, v4::Shape<4, 16, 4, 1>, v4::Shape<4, 32, 1, 1>,
         v4::Shape<4, 32, 2, 1>, v4::Shape<4, 32, 4, 1>, v4::Shape<4, 32, 8, 1>, v4::Shape<4, 64, 2, 1>,
         v4::Shape<4, 64, 4, 1>, v4::Shape<4, 64, 8, 1>, v4::Shape<4, 128, 4, 1>, v4::Shape<8, 32, 4, 1>,
         v4::Shape<8, 16, 4, 1>, v4::Shape<8, 64, 4, 1>, v4::Shape<2, 32, 4, 1>, v4::Shape<1, 32, 4, 1>>;

void TimeShapes(int points, int steps) {
  Bench bench(8192, 8192, points, steps);
  Candidates::Time(bench);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what != "shapes") {
    for (const int points : {9, 5}) {
      for (const size_t side : {1024, 4096, 8192, 8191, 16384}) TimeRungs(side, side, points, 1);
      for (const int steps : {2, 4, 16}) TimeRungs(8192, 8192, points, steps);
    }
  }
  if (what != "rungs") {
    TimeShapes(9, 4);
    TimeShapes(9, 1);
    TimeShapes(5, 4);
    TimeShapes(5, 1);
  }
  return 0;
}
