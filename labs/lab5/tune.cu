// Times every rung of solutions/lab5, and shapes of v6, next to CUB and to a device copy, to choose `Tuned` in
// solutions/lab5/v6_look_back.cu. No part of the build; by hand, on a machine with the GPU (-arch: its own):
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I. labs/lab5/tune.cu -o tune && ./tune [rungs|shapes] [exponent ...]
//
// For 2^20, 2^24, 2^26 and 2^28 floats it prints a line for each: GB/s (8 bytes per element over the median time, CUB
// in turn with it), the share of CUB, the spread of our times, and the slowest call; then the best of all sizes. The L2
// cache is flushed before each call. Every answer is compared on the GPU with CUB's, bit by bit: values are small whole
// numbers, whose sums are exact in any order. What fails says so, and the next one has its turn.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cub/device/device_scan.cuh>
#include <map>
#include <string>
#include <vector>

#include "labs/lab5/lab5.h"
#include "labs/lab5/levels.h"

// The rungs as they are. Each file's names are its own; the headers that they include are above.
namespace v1 {
#include "solutions/lab5/v1_hillis_steele.cu"
}
namespace v2 {
#include "solutions/lab5/v2_blelloch.cu"
}
namespace v3 {
#include "solutions/lab5/v3_padded.cu"
}
namespace v4 {
#include "solutions/lab5/v4_shuffle.cu"
}
namespace v5 {
#include "solutions/lab5/v5_three_phases.cu"
}
namespace v6 {
#include "solutions/lab5/v6_look_back.cu"
}

namespace {

constexpr int kWarmUps = 2;
constexpr int kTimes = 15;  // odd

// Ends the program: without these calls nothing can be measured.
void Must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

// Whole numbers from -8 to 8: sums of 2^28 of them stay far below 2^24.
__global__ void Fill(float* to, size_t n) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = static_cast<unsigned>(i) * 2654435761u + 12345;
  x = (x ^ x >> 15) * 2246822519u;
  to[i] = static_cast<float>(static_cast<int>((x ^ x >> 13) % 17) - 8);
}

__global__ void CountDifferences(const float* x, const float* y, size_t n, unsigned long long* count) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && !(x[i] == y[i])) atomicAdd(count, 1ull);
}

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

using Scan = void (*)(const float* d_in, float* d_out, size_t n, ScanKind kind, float* d_work, cudaStream_t stream);

// Arrays of one size, and a clock.
class Bench {
 public:
  explicit Bench(size_t n) : n_(n) {
    int l2_bytes = 0;
    Must(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0), "cudaDeviceGetAttribute");
    flush_bytes_ = 2 * static_cast<size_t>(std::max(l2_bytes, 1 << 20));
    cub::DeviceScan::InclusiveSum(nullptr, cub_bytes_, in_, reference_, n_);
    for (float** array : {&in_, &out_, &reference_}) Must(cudaMalloc(array, n_ * sizeof(float)), "cudaMalloc");
    Must(cudaMalloc(&work_, WorkElements(n_) * sizeof(float)), "cudaMalloc");
    Must(cudaMalloc(&cub_, cub_bytes_), "cudaMalloc");
    Must(cudaMalloc(&flush_, flush_bytes_), "cudaMalloc");
    Must(cudaMalloc(&count_, sizeof(unsigned long long)), "cudaMalloc");
    Must(cudaEventCreate(&start_), "cudaEventCreate");
    Must(cudaEventCreate(&stop_), "cudaEventCreate");
    Must(cudaMemset(work_, 0xCB, WorkElements(n_) * sizeof(float)), "cudaMemset");
    Fill<<<Blocks(), 256>>>(in_, n_);
    Cub();
    Must(cudaDeviceSynchronize(), "CUB");
  }
  ~Bench() {
    for (void* memory : {static_cast<void*>(in_), static_cast<void*>(out_), static_cast<void*>(reference_),
                         static_cast<void*>(work_), cub_, flush_, static_cast<void*>(count_)}) {
      cudaFree(memory);
    }
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  cudaError_t Cub() { return cub::DeviceScan::InclusiveSum(cub_, cub_bytes_, in_, reference_, n_); }
  void Copy() { cudaMemcpyAsync(out_, in_, n_ * sizeof(float), cudaMemcpyDeviceToDevice); }
  void Run(Scan scan, ScanKind kind = ScanKind::kInclusive) { scan(in_, out_, n_, kind, work_, nullptr); }

  // Elements that differ from CUB's.
  unsigned long long Differences(Scan scan) {
    Must(cudaMemset(out_, 0xCB, n_ * sizeof(float)), "cudaMemset");
    Run(scan);
    Must(cudaMemset(count_, 0, sizeof(unsigned long long)), "cudaMemset");
    CountDifferences<<<Blocks(), 256>>>(out_, reference_, n_, count_);
    unsigned long long count = 0;
    if (cudaMemcpy(&count, count_, sizeof count, cudaMemcpyDeviceToHost) != cudaSuccess) return n_;
    return count;
  }

  template <typename Work>
  double Milliseconds(Work work) {
    cudaMemsetAsync(flush_, 0, flush_bytes_);
    cudaEventRecord(start_);
    work();
    cudaEventRecord(stop_);
    cudaEventSynchronize(stop_);
    float ms = 0;
    cudaEventElapsedTime(&ms, start_, stop_);
    return ms;
  }
  double GigabytesPerSecond(double ms) const { return 8e-6 * static_cast<double>(n_) / ms; }

 private:
  unsigned Blocks() const { return static_cast<unsigned>((n_ + 255) / 256); }

  size_t n_, flush_bytes_ = 0, cub_bytes_ = 0;
  float *in_ = nullptr, *out_ = nullptr, *reference_ = nullptr, *work_ = nullptr;
  void *cub_ = nullptr, *flush_ = nullptr;
  unsigned long long* count_ = nullptr;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

struct Candidate {
  std::string name;
  Scan scan;
  const void* kernel;  // of which registers are told; null: nothing is told
};

// The product of the shares of CUB at all sizes, and how many sizes it ran at.
struct Total {
  double share = 1;
  int sizes = 0;
};

void Time(Bench& bench, int exponent, const Candidate& candidate, Total& total) {
  const unsigned long long differences = bench.Differences(candidate.scan);
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
    std::printf("2^%d  %-44s failed: %s\n", exponent, candidate.name.c_str(), cudaGetErrorString(error));
    if (cudaDeviceSynchronize() != cudaSuccess) std::exit(1);  // the device has gone down: nothing will run any more
    return;
  }
  std::vector<double> ours, cub;
  for (int i = -kWarmUps; i < kTimes; ++i) {
    const double mine = bench.Milliseconds([&] { bench.Run(candidate.scan); });
    const double theirs = bench.Milliseconds([&] { bench.Cub(); });
    if (i < 0) continue;
    ours.push_back(mine);
    cub.push_back(theirs);
  }
  const double ms = Median(ours), cub_ms = Median(cub);
  const auto [least, most] = std::minmax_element(ours.begin(), ours.end());
  std::printf("2^%d  %-44s %7.1f GB/s  CUB %7.1f  share %.3f  spread %4.1f%%  slowest %.4f ms", exponent,
              candidate.name.c_str(), bench.GigabytesPerSecond(ms), bench.GigabytesPerSecond(cub_ms), cub_ms / ms,
              (*most - *least) / ms * 100, *most);
  cudaFuncAttributes attributes;
  if (candidate.kernel != nullptr && cudaFuncGetAttributes(&attributes, candidate.kernel) == cudaSuccess) {
    std::printf("  %3d registers%s", attributes.numRegs, attributes.localSizeBytes > 0 ? "  SPILLS" : "");
  }
  std::printf("%s\n", differences > 0 ? "  WRONG" : "");
  std::fflush(stdout);
  if (differences > 0) return;
  total.share *= cub_ms / ms;
  ++total.sizes;
}

template <class S>
void ScanWith(const float* d_in, float* d_out, size_t n, ScanKind, float* d_work, cudaStream_t stream) {
  v6::Launch<S, ScanKind::kInclusive>(d_in, d_out, n, d_work, stream);
}

template <class S>
Candidate Of() {
  char name[96];
  std::snprintf(name, sizeof name, "v6 %ux%u blocks %u stages %u %s wait %u", S::kThreads, S::kPacks * 4, S::kBlocks,
                S::kStages, S::kStreaming ? "streaming" : "cached", S::kWaitNs);
  const void* const kernel = S::kStages == 0
                                 ? reinterpret_cast<const void*>(v6::scan_v6<float, ScanKind::kInclusive, S>)
                                 : reinterpret_cast<const void*>(v6::scan_v6_ahead<float, ScanKind::kInclusive, S>);
  return {name, ScanWith<S>, kernel};
}

template <class... Shapes>
std::vector<Candidate> ListOf() {
  return {Of<Shapes>()...};
}

// Threads, packs of 4, blocks that a multiprocessor shall hold, stages, streaming, ns to wait.
std::vector<Candidate> Shapes() {
  using v6::Shape;
  return ListOf<
      // A block for each tile: 64 to 128 KB of the array in a multiprocessor's registers at once.
      Shape<512, 4, 2, 0, false, 0>, Shape<512, 4, 3, 0, false, 0>, Shape<512, 4, 3, 0, true, 0>,
      Shape<512, 4, 3, 0, false, 40>, Shape<512, 4, 3, 0, false, 200>, Shape<512, 6, 2, 0, false, 0>,
      Shape<512, 6, 2, 0, true, 0>, Shape<512, 3, 3, 0, false, 0>, Shape<512, 8, 2, 0, false, 0>,
      Shape<384, 4, 4, 0, false, 0>, Shape<384, 5, 3, 0, false, 0>, Shape<384, 6, 3, 0, false, 0>,
      Shape<384, 6, 3, 0, true, 0>, Shape<384, 6, 3, 0, false, 40>, Shape<256, 4, 6, 0, false, 0>,
      Shape<256, 4, 5, 0, false, 0>, Shape<256, 5, 5, 0, false, 0>, Shape<256, 6, 4, 0, false, 0>,
      Shape<256, 6, 4, 0, true, 40>, Shape<256, 8, 4, 0, false, 0>, Shape<256, 8, 3, 0, true, 0>,
      Shape<256, 2, 8, 0, false, 0>, Shape<128, 6, 9, 0, false, 0>, Shape<128, 4, 12, 0, false, 0>,
      Shape<1024, 4, 1, 0, false, 0>, Shape<1024, 3, 2, 0, false, 0>,
      // Blocks that stay: the next tiles are on their way to shared memory meanwhile (tile x stages x blocks <= 227
      // KB).
      Shape<512, 4, 2, 2, false, 0>, Shape<512, 4, 3, 2, false, 0>, Shape<512, 4, 2, 3, false, 0>,
      Shape<512, 4, 2, 2, true, 0>, Shape<512, 4, 2, 2, false, 40>, Shape<512, 6, 2, 2, false, 0>,
      Shape<512, 3, 3, 3, false, 0>, Shape<512, 8, 1, 3, false, 0>, Shape<384, 4, 4, 2, false, 0>,
      Shape<384, 4, 3, 3, false, 0>, Shape<384, 6, 3, 2, false, 0>, Shape<384, 6, 2, 3, false, 0>,
      Shape<256, 4, 4, 3, false, 0>, Shape<256, 4, 6, 2, false, 0>, Shape<256, 6, 4, 2, false, 0>,
      Shape<256, 6, 4, 2, true, 40>, Shape<256, 6, 3, 3, false, 0>, Shape<256, 8, 3, 2, false, 0>,
      Shape<256, 8, 2, 3, false, 0>, Shape<256, 4, 3, 4, false, 0>, Shape<1024, 4, 1, 3, false, 0>>();
}

std::vector<Candidate> Rungs() {
  return {{"v1_hillis_steele", v1::scan<float>, nullptr}, {"v2_blelloch", v2::scan<float>, nullptr},
          {"v3_padded", v3::scan<float>, nullptr},        {"v4_shuffle", v4::scan<float>, nullptr},
          {"v5_three_phases", v5::scan<float>, nullptr},  {"v6_look_back", v6::scan<float>, nullptr}};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int> exponents;
  bool wants_rungs = false, wants_shapes = false;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "rungs") == 0) {
      wants_rungs = true;
    } else if (std::strcmp(argv[i], "shapes") == 0) {
      wants_shapes = true;
    } else {
      exponents.push_back(std::atoi(argv[i]));
    }
  }
  if (exponents.empty()) exponents = {24, 28, 26, 20};
  std::vector<Candidate> candidates;
  if (wants_rungs || !wants_shapes) candidates = Rungs();
  if (wants_shapes || !wants_rungs) {
    for (const Candidate& shape : Shapes()) candidates.push_back(shape);
  }

  std::map<std::string, Total> totals;
  for (const int exponent : exponents) {
    Bench bench(size_t{1} << exponent);
    std::vector<double> copy;
    for (int i = 0; i < kTimes; ++i) copy.push_back(bench.Milliseconds([&] { bench.Copy(); }));
    std::printf("2^%d  device copy %.1f GB/s\n", exponent, bench.GigabytesPerSecond(Median(copy)));
    for (const Candidate& candidate : candidates) Time(bench, exponent, candidate, totals[candidate.name]);
  }

  // The geometric mean over all sizes.
  std::vector<std::pair<double, std::string>> ranking;
  for (const auto& [name, total] : totals) {
    if (total.sizes == static_cast<int>(exponents.size())) {
      ranking.emplace_back(std::pow(total.share, 1.0 / total.sizes), name);
    }
  }
  std::sort(ranking.rbegin(), ranking.rend());
  std::printf("\nshare of CUB over all sizes, best first\n");
  for (size_t i = 0; i < std::min<size_t>(10, ranking.size()); ++i) {
    std::printf("%.3f  %s\n", ranking[i].first, ranking[i].second.c_str());
  }
  return 0;
}
