// Times shapes of v6's kernel next to cuBLAS, to choose `Tuned` in solutions/lab3/v6_open.cu. No part of the build; by
// hand, on a machine with the GPU (-arch: its own):
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I. labs/lab3/tune.cu -lcublas -o tune && ./tune [shapes, e.g. 256x128x8]
//
// For 4096 and for 8192 it prints one line for each shape: GFLOP/s (median of several calls, cuBLAS in turn with it)
// and the share of cuBLAS in pedantic FP32 mode, then the best of both. Every shape's answer is compared with cuBLAS's
// bit by bit: the values are small integers, so that all orders of addition give the same.
#include <cublas_v2.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "solutions/lab3/v6_open.cu"

namespace {

constexpr int kWarmUps = 2;
constexpr int kTimes = 9;  // odd

void Must(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(cudaGetLastError()));
  std::exit(1);
}
void Must(cudaError_t error, const char* what) { Must(error == cudaSuccess, what); }

// Small integers: sums of 2^13 products of them are exact.
__global__ void Fill(float* to, size_t n, unsigned seed) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = static_cast<unsigned>(i) * 2654435761u + seed;
  x = (x ^ x >> 15) * 2246822519u;
  to[i] = static_cast<float>(static_cast<int>((x ^ x >> 13) % 17) - 8);
}

__global__ void CountDifferences(const float* x, const float* y, size_t n, unsigned* count) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && !(x[i] == y[i])) atomicAdd(count, 1u);
}

// A, B and two C of one size, and a clock.
class Bench {
 public:
  explicit Bench(size_t side) : side_(side), elements_(side * side) {
    for (float** matrix : {&a_, &b_, &c_, &reference_})
      Must(cudaMalloc(matrix, elements_ * sizeof(float)), "cudaMalloc");
    Must(cudaMalloc(&count_, sizeof(unsigned)), "cudaMalloc");
    Fill<<<Blocks(), 256>>>(a_, elements_, 1);
    Fill<<<Blocks(), 256>>>(b_, elements_, 2);
    Must(cudaEventCreate(&start_), "cudaEventCreate");
    Must(cudaEventCreate(&stop_), "cudaEventCreate");
    Must(cublasCreate(&cublas_) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
    Must(cublasSetMathMode(cublas_, CUBLAS_PEDANTIC_MATH) == CUBLAS_STATUS_SUCCESS, "cublasSetMathMode");
    Cublas();
  }
  ~Bench() {
    cublasDestroy(cublas_);
    for (float* matrix : {a_, b_, c_, reference_}) cudaFree(matrix);
    cudaFree(count_);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  size_t side() const { return side_; }

  // C^T = B^T * A^T: cuBLAS reads columns where we have rows.
  void Cublas() {
    const float one = 1, zero = 0;
    const int n = static_cast<int>(side_);
    Must(cublasSgemm(cublas_, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b_, n, a_, n, &zero, reference_, n) ==
             CUBLAS_STATUS_SUCCESS,
         "cublasSgemm");
  }

  template <class S>
  void Shape() {
    Launch<S>(a_, b_, c_, side_, side_, side_, nullptr);
  }

  unsigned Differences() {
    Must(cudaMemset(count_, 0, sizeof(unsigned)), "cudaMemset");
    CountDifferences<<<Blocks(), 256>>>(c_, reference_, elements_, count_);
    unsigned count = 0;
    Must(cudaMemcpy(&count, count_, sizeof count, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return count;
  }

  void Forget() { Must(cudaMemset(c_, 0xCB, elements_ * sizeof(float)), "cudaMemset"); }

  template <typename Work>
  double Gigaflops(Work work) {
    Must(cudaEventRecord(start_), "cudaEventRecord");
    work();
    Must(cudaEventRecord(stop_), "cudaEventRecord");
    Must(cudaEventSynchronize(stop_), "the timed call");
    float ms = 0;
    Must(cudaEventElapsedTime(&ms, start_, stop_), "cudaEventElapsedTime");
    const double n = static_cast<double>(side_);
    return 2 * n * n * n / ms * 1e-6;
  }

 private:
  unsigned Blocks() const { return static_cast<unsigned>((elements_ + 255) / 256); }

  size_t side_, elements_;
  float *a_ = nullptr, *b_ = nullptr, *c_ = nullptr, *reference_ = nullptr;
  unsigned* count_ = nullptr;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
  cublasHandle_t cublas_ = nullptr;
};

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

struct Outcome {
  std::string name;
  double gigaflops = 0, share = 0;
};

template <class S>
std::string Name() {
  char text[96];
  std::snprintf(text, sizeof text, "%dx%dx%d warp %dx%d thread %dx%d stages %d %s group %d", S::kBlockM, S::kBlockN,
                S::kDepth, S::kWarpM, S::kWarpN, S::kThreadM, S::kThreadN, S::kStages,
                S::kTurnInRegisters ? "registers" : "async", S::kGroup);
  return text;
}

template <class S>
Outcome Time(Bench& bench) {
  cudaFuncAttributes attributes;
  Must(cudaFuncGetAttributes(&attributes, matmul_v6<S, true>), "cudaFuncGetAttributes");
  bench.Forget();
  bench.Shape<S>();
  Must(cudaDeviceSynchronize(), Name<S>().c_str());
  const unsigned differences = bench.Differences();
  for (int i = 0; i < kWarmUps; ++i) {
    bench.Shape<S>();
    bench.Cublas();
  }
  std::vector<double> ours, theirs;
  for (int i = 0; i < kTimes; ++i) {
    ours.push_back(bench.Gigaflops([&] { bench.Shape<S>(); }));
    theirs.push_back(bench.Gigaflops([&] { bench.Cublas(); }));
  }
  const Outcome outcome = {Name<S>(), Median(ours), Median(ours) / Median(theirs)};
  std::printf("%5zu  %-72s %8.0f GFLOP/s  cuBLAS %8.0f  share %.3f  %3d registers%s%s\n", bench.side(),
              outcome.name.c_str(), outcome.gigaflops, Median(theirs), outcome.share, attributes.numRegs,
              attributes.localSizeBytes > 0 ? "  SPILLS" : "", differences > 0 ? "  WRONG" : "");
  std::fflush(stdout);
  return outcome;
}

// Those whose name begins with one of `wanted`, or all.
template <class S>
void TimeIf(Bench& bench, const std::vector<std::string>& wanted, std::vector<Outcome>& outcomes) {
  const std::string name = Name<S>();
  const bool is_wanted = wanted.empty() || std::any_of(wanted.begin(), wanted.end(), [&](const std::string& beginning) {
                           return name.compare(0, beginning.size(), beginning) == 0;
                         });
  if (is_wanted) outcomes.push_back(Time<S>(bench));
}

template <class... Shapes>
struct List {
  static void Time(Bench& bench, const std::vector<std::string>& wanted, std::vector<Outcome>& outcomes) {
    (TimeIf<Shapes>(bench, wanted, outcomes), ...);
  }
};

// Block M, N, depth, warp M, N, thread M, N, stages, through registers, group.
using Candidates = List<
    // 8 warps, 128 results per thread: one block on a multiprocessor.
    Shape<256, 128, 8, 64, 64, 16, 8, 2, true, 8>, Shape<256, 128, 8, 64, 64, 16, 8, 3, true, 8>,
    Shape<256, 128, 8, 64, 64, 16, 8, 4, true, 8>, Shape<256, 128, 8, 64, 64, 16, 8, 3, true, 4>,
    Shape<256, 128, 8, 64, 64, 16, 8, 3, true, 16>, Shape<256, 128, 8, 64, 64, 16, 8, 3, true, 1>,
    Shape<256, 128, 8, 64, 64, 16, 8, 3, false, 8>, Shape<256, 128, 8, 64, 64, 16, 8, 4, false, 8>,
    Shape<256, 128, 8, 64, 64, 16, 8, 5, false, 8>, Shape<256, 128, 8, 64, 64, 8, 16, 3, true, 8>,
    Shape<256, 128, 8, 64, 64, 8, 16, 3, false, 8>, Shape<256, 128, 8, 128, 32, 16, 8, 3, true, 8>,
    Shape<256, 128, 8, 32, 128, 8, 16, 3, true, 8>, Shape<256, 128, 16, 64, 64, 16, 8, 2, true, 8>,
    Shape<256, 128, 16, 64, 64, 16, 8, 3, true, 8>, Shape<256, 128, 16, 64, 64, 16, 8, 3, false, 8>,
    Shape<256, 128, 16, 64, 64, 8, 16, 3, true, 8>,  //
    Shape<128, 256, 8, 64, 64, 16, 8, 3, true, 8>, Shape<128, 256, 8, 64, 64, 16, 8, 3, true, 16>,
    Shape<128, 256, 8, 64, 64, 16, 8, 3, false, 8>, Shape<128, 256, 8, 64, 64, 8, 16, 3, true, 8>,
    Shape<128, 256, 8, 64, 64, 8, 16, 4, true, 16>, Shape<128, 256, 16, 64, 64, 16, 8, 3, true, 8>,
    Shape<128, 256, 16, 64, 64, 8, 16, 3, true, 8>,
    // 4 warps, 128 results per thread: two blocks on a multiprocessor.
    Shape<128, 128, 8, 64, 64, 16, 8, 3, true, 8>, Shape<128, 128, 8, 64, 64, 16, 8, 4, true, 8>,
    Shape<128, 128, 8, 64, 64, 16, 8, 3, true, 16>, Shape<128, 128, 8, 64, 64, 16, 8, 3, false, 8>,
    Shape<128, 128, 8, 64, 64, 16, 8, 5, false, 8>, Shape<128, 128, 8, 64, 64, 8, 16, 3, true, 8>,
    Shape<128, 128, 8, 64, 64, 8, 16, 3, false, 8>, Shape<128, 128, 16, 64, 64, 16, 8, 2, true, 8>,
    Shape<128, 128, 16, 64, 64, 16, 8, 3, true, 8>, Shape<128, 128, 16, 64, 64, 16, 8, 3, false, 8>,
    Shape<128, 128, 16, 64, 64, 8, 16, 3, true, 8>,
    // 8 warps, 64 results per thread: two or more blocks on a multiprocessor.
    Shape<128, 128, 8, 64, 32, 8, 8, 3, true, 8>, Shape<128, 128, 8, 32, 64, 8, 8, 3, true, 8>,
    Shape<128, 128, 8, 32, 64, 8, 8, 4, false, 8>, Shape<128, 128, 16, 64, 32, 8, 8, 3, true, 8>,
    Shape<128, 128, 16, 32, 64, 8, 8, 3, true, 8>, Shape<256, 64, 16, 64, 32, 8, 8, 3, true, 8>,
    // 16 warps, 64 results per thread. (A thread with 16 x 16 results has no registers left for anything else.)
    Shape<256, 128, 16, 64, 32, 8, 8, 3, true, 8>>;

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  for (const size_t side : {4096, 8192}) {
    Bench bench(side);
    std::vector<Outcome> outcomes;
    Candidates::Time(bench, wanted, outcomes);
    if (outcomes.empty()) continue;
    const Outcome best = *std::max_element(outcomes.begin(), outcomes.end(),
                                           [](const Outcome& x, const Outcome& y) { return x.share < y.share; });
    std::printf("%5zu  best: %s, share %.3f\n\n", side, best.name.c_str(), best.share);
  }
  return 0;
}
