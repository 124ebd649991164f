// Times the rungs of lab7 and shapes of v4's kernel next to CUB, to choose `Tuned` in solutions/lab7/v4_open.cu. No
// part of the build; by hand, on a machine with the GPU (-arch: its own):
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -I. labs/lab7/tune.cu -o tune && ./tune [rungs|shapes]
//
// One line for each configuration, type, values and size: GB/s of elements read (median of several calls, L2 flushed
// before each, cub::DeviceHistogram::HistogramEven in turn with it), its ratio to CUB, and the spread of its middle
// 80%. `read` only reads, `copy` is a device copy (its GB/s are bytes read alone; it writes as many). Every answer is
// compared with that of a kernel that does nothing but global atomics.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cub/device/device_histogram.cuh>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "labs/lab7/lab7.h"

// The rungs, each in a namespace of its own: they use the same names.
#undef LAB7_RUNG
#define LAB7_RUNG() static_assert(true, "")
namespace v1 {
#include "solutions/lab7/v1_global.cu"
}
namespace v2 {
#include "solutions/lab7/v2_shared.cu"
}
namespace v3 {
#include "solutions/lab7/v3_warp.cu"
}
namespace v4 {
#include "solutions/lab7/v4_open.cu"
}

namespace {

constexpr int kWarmUps = 2;
constexpr int kTimes = 15;         // odd
constexpr float kSlowMs = 20;      // a call that takes longer is timed fewer times
constexpr int kTimesWhenSlow = 3;  // odd

void Must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

enum class Values { kUniform, kEqual, kSorted, kTwo, kSkewed };
constexpr const char* kValueNames[] = {"uniform", "equal", "sorted", "two", "skewed"};

template <typename T>
__global__ void Fill(T* to, size_t n, int bins, Values values) {
  const size_t stride = size_t{gridDim.x} * blockDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    uint64_t x = i * 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    const unsigned bits = static_cast<unsigned>(x >> 40);
    int value = bits % bins;
    if (values == Values::kEqual) value = bins / 3;
    if (values == Values::kSorted) value = static_cast<int>(i * bins / n);
    if (values == Values::kTwo) value = bits & 1 ? bins / 3 : bins / 2;
    if (values == Values::kSkewed) value = (bins / 3 + __clz(bits << 8 | 128)) % bins;
    to[i] = static_cast<T>(value);
  }
}

template <typename T>
__global__ void CountSlowly(const T* in, size_t n, unsigned* bins, int count) {
  const size_t stride = size_t{gridDim.x} * blockDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    const int value = in[i];
    if (value >= 0 && value < count) atomicAdd(&bins[value], 1u);
  }
}

// The ceiling: reads everything, adds it up, writes next to nothing.
__global__ void ReadOnly(const uint4* in, size_t packs, unsigned* out) {
  constexpr int kLoads = 4;
  unsigned sum = 0;
  const size_t stride = size_t{gridDim.x} * blockDim.x;
  size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i + (kLoads - 1) * stride < packs; i += kLoads * stride) {
    uint4 pack[kLoads];
    for (int l = 0; l < kLoads; ++l) pack[l] = in[i + l * stride];
    for (int l = 0; l < kLoads; ++l) sum ^= pack[l].x ^ pack[l].y ^ pack[l].z ^ pack[l].w;
  }
  for (; i < packs; i += stride) sum ^= in[i].x ^ in[i].w;
  if (sum == 0x12345678) *out = sum;
}

// v2 with lanes that hold the same value counted by one of them: what __match_any_sync costs.
template <typename T>
__global__ void CountWithMatch(const T* in, size_t n, unsigned* bins, int count) {
  extern __shared__ unsigned counts[];
  for (int bin = threadIdx.x; bin < count; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const size_t stride = size_t{gridDim.x} * blockDim.x;
  const unsigned lane = threadIdx.x % 32;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i - lane < n; i += stride) {
    const int value = i < n ? static_cast<int>(in[i]) : -1;
    const unsigned peers = __match_any_sync(0xffffffffu, value);
    if (lane == __ffs(peers) - 1 && value >= 0 && value < count) atomicAdd(&counts[value], __popc(peers));
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < count; bin += blockDim.x) atomicAdd(&bins[bin], counts[bin]);
}

// Elements of one type, size and kind, with room for answers, and a clock.
template <typename T>
class Bench {
 public:
  Bench(size_t n, int bins, Values values) : n_(n), count_(bins), values_(values) {
    Must(cudaMalloc(&in_, n * sizeof(T)), "cudaMalloc");
    Must(cudaMalloc(&copy_, n * sizeof(T)), "cudaMalloc");
    Must(cudaMalloc(&bins_, bins * sizeof(unsigned)), "cudaMalloc");
    int l2 = 0;
    Must(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0), "cudaDeviceGetAttribute");
    flush_bytes_ = 2 * static_cast<size_t>(l2);
    Must(cudaMalloc(&flush_, flush_bytes_), "cudaMalloc");
    Must(cudaEventCreate(&start_), "cudaEventCreate");
    Must(cudaEventCreate(&stop_), "cudaEventCreate");
    Fill<<<4096, 256>>>(in_, n, bins, values);
    Must(cudaMemset(bins_, 0, bins * sizeof(unsigned)), "cudaMemset");
    CountSlowly<<<4096, 256>>>(in_, n, bins_, bins);
    want_ = Read();
    Cub(nullptr);
    Must(cudaMalloc(&temporary_, temporary_bytes_), "cudaMalloc");
    Forget();
    Cub(temporary_);
    if (Read() != want_) std::printf("CUB and the reference differ\n");
  }
  ~Bench() {
    for (void* array : {static_cast<void*>(in_), static_cast<void*>(copy_), static_cast<void*>(bins_),
                        static_cast<void*>(flush_), temporary_}) {
      cudaFree(array);
    }
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  const T* in() const { return in_; }
  size_t n() const { return n_; }
  unsigned* bins() const { return bins_; }
  int count() const { return count_; }

  void Copy() { cudaMemcpyAsync(copy_, in_, n_ * sizeof(T), cudaMemcpyDeviceToDevice); }

  // One line about `work`, with CUB in turn. `is_histogram`: its answer is compared.
  void Time(const std::string& name, const std::function<void()>& work, bool is_histogram = true) {
    Forget();
    work();
    const cudaError_t launched = cudaGetLastError(), ended = cudaDeviceSynchronize();
    if (launched != cudaSuccess || ended != cudaSuccess) {
      std::printf("%s  %s\n", Label(name).c_str(), cudaGetErrorString(launched != cudaSuccess ? launched : ended));
      return;
    }
    const bool is_right = !is_histogram || Read() == want_;
    float slowest = 0;
    for (int i = 0; i < kWarmUps; ++i) {
      slowest = std::max(slowest, Milliseconds(work));
      Milliseconds([this] { Cub(temporary_); });
    }
    std::vector<float> ours, theirs;
    for (int i = 0; i < (slowest > kSlowMs ? kTimesWhenSlow : kTimes); ++i) {
      ours.push_back(Milliseconds(work));
      theirs.push_back(Milliseconds([this] { Cub(temporary_); }));
    }
    std::sort(ours.begin(), ours.end());
    std::sort(theirs.begin(), theirs.end());
    const size_t tenth = ours.size() / 10;
    const float median = ours[ours.size() / 2], cub = theirs[theirs.size() / 2];
    const double bytes = static_cast<double>(n_) * sizeof(T);
    std::printf("%s %7.1f GB/s  CUB %7.1f  ratio %.3f  spread %.1f%%%s\n", Label(name).c_str(), bytes / median * 1e-6,
                bytes / cub * 1e-6, cub / median, 100 * (ours[ours.size() - 1 - tenth] - ours[tenth]) / median,
                is_right ? "" : "  WRONG");
    std::fflush(stdout);
  }

 private:
  std::string Label(const std::string& name) const {
    char text[160];
    std::snprintf(text, sizeof text, "%-4s %10zu %4d bins %-8s %-46s", sizeof(T) == 1 ? "byte" : "int", n_, count_,
                  kValueNames[static_cast<int>(values_)], name.c_str());
    return text;
  }

  void Cub(void* temporary) {
    const cudaError_t error =
        cub::DeviceHistogram::HistogramEven(temporary, temporary_bytes_, static_cast<const T*>(in_), bins_, count_ + 1,
                                            0, count_, static_cast<long long>(n_));
    Must(error, "cub::DeviceHistogram::HistogramEven");
  }

  std::vector<unsigned> Read() {
    std::vector<unsigned> counts(count_);
    Must(cudaMemcpy(counts.data(), bins_, counts.size() * sizeof(unsigned), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return counts;
  }

  void Forget() { Must(cudaMemset(bins_, 0xCB, count_ * sizeof(unsigned)), "cudaMemset"); }

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

  size_t n_;
  int count_;
  Values values_;
  T *in_ = nullptr, *copy_ = nullptr;
  unsigned* bins_ = nullptr;
  char* flush_ = nullptr;
  void* temporary_ = nullptr;
  size_t flush_bytes_ = 0, temporary_bytes_ = 0;
  std::vector<unsigned> want_;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

template <typename T>
void TimeRungs(size_t n, int bins, Values values) {
  Bench<T> b(n, bins, values);
  b.Time(
      "read", [&] { ReadOnly<<<132 * 8, 256>>>(reinterpret_cast<const uint4*>(b.in()), n * sizeof(T) / 16, b.bins()); },
      false);
  b.Time(
      "copy", [&] { b.Copy(); }, false);
  b.Time("v1", [&] { v1::histogram(b.in(), n, b.bins(), bins, nullptr); });
  b.Time("v2", [&] { v2::histogram(b.in(), n, b.bins(), bins, nullptr); });
  b.Time("v2 with __match_any_sync", [&] {
    cudaMemsetAsync(b.bins(), 0, bins * sizeof(unsigned));
    CountWithMatch<<<132 * 8, 256, bins * sizeof(unsigned)>>>(b.in(), n, b.bins(), bins);
  });
  b.Time("v3", [&] { v3::histogram(b.in(), n, b.bins(), bins, nullptr); });
  b.Time("v4", [&] { v4::histogram(b.in(), n, b.bins(), bins, nullptr); });
}

template <class S>
std::string Name() {
  char text[96];
  std::snprintf(text, sizeof text, "%d threads x %d, loads %d, copies %d%s%s", S::kThreads, S::kBlocksPerMultiprocessor,
                S::kLoads, S::kCopies, S::kMergeRuns ? ", merge" : "", S::kIncrement ? ", inc" : "");
  return text;
}

template <class... Shapes>
struct List {
  template <typename T>
  static void Time(Bench<T>& bench) {
    (TimeOne<T, Shapes>(bench), ...);
  }
  template <typename T, class S>
  static void TimeOne(Bench<T>& b) {
    b.Time(Name<S>(), [&] {
      cudaMemsetAsync(b.bins(), 0, b.count() * sizeof(unsigned));
      v4::LaunchWith<T, S, S::kCopies>(b.in(), b.n(), b.bins(), b.count(), nullptr);
    });
  }
};

// Threads, blocks per multiprocessor, loads, copies, merge, increment. Best guesses first.
using Candidates = List<
    v4::Tuned,
    // The same in all four ways of adding.
    v4::Shape<512, 3, 2, 32, true, false>, v4::Shape<512, 3, 2, 32, false, true>,
    v4::Shape<512, 3, 2, 32, false, false>,
    // Threads and blocks.
    v4::Shape<1024, 2, 2, 32, true, true>, v4::Shape<1024, 2, 2, 32, true, false>, v4::Shape<512, 4, 2, 32, true, true>,
    v4::Shape<512, 4, 2, 32, true, false>, v4::Shape<256, 6, 2, 32, true, true>, v4::Shape<256, 6, 2, 32, true, false>,
    v4::Shape<256, 4, 2, 32, true, true>, v4::Shape<512, 2, 2, 32, true, true>, v4::Shape<1024, 1, 2, 32, true, true>,
    v4::Shape<768, 2, 2, 32, true, true>, v4::Shape<128, 6, 4, 32, true, true>,
    // Packs on their way.
    v4::Shape<512, 3, 1, 32, true, true>, v4::Shape<512, 3, 1, 32, true, false>, v4::Shape<512, 3, 4, 32, true, true>,
    v4::Shape<512, 3, 4, 32, true, false>, v4::Shape<512, 2, 4, 32, true, true>, v4::Shape<512, 2, 8, 32, true, true>,
    v4::Shape<512, 4, 1, 32, true, true>, v4::Shape<512, 4, 4, 32, true, true>, v4::Shape<1024, 2, 1, 32, true, true>,
    v4::Shape<1024, 2, 4, 32, true, true>, v4::Shape<1024, 2, 4, 32, true, false>, v4::Shape<256, 6, 4, 32, true, true>,
    v4::Shape<256, 6, 8, 32, true, true>, v4::Shape<256, 4, 4, 32, true, true>, v4::Shape<1024, 1, 8, 32, true, true>,
    // Fewer copies: less to clear and to add up, more lanes that meet.
    v4::Shape<512, 3, 2, 16, true, true>, v4::Shape<512, 3, 2, 16, true, false>, v4::Shape<512, 3, 2, 8, true, true>,
    v4::Shape<512, 3, 2, 4, true, true>, v4::Shape<512, 3, 2, 2, true, true>, v4::Shape<512, 3, 2, 1, true, true>,
    v4::Shape<512, 3, 2, 1, false, true>, v4::Shape<512, 3, 2, 1, false, false>, v4::Shape<256, 8, 4, 16, true, true>,
    v4::Shape<256, 8, 2, 8, true, true>, v4::Shape<512, 4, 4, 16, true, true>, v4::Shape<512, 4, 2, 8, true, true>>;

template <typename T>
void TimeShapes(size_t n, int bins, Values values) {
  Bench<T> bench(n, bins, values);
  Candidates::Time(bench);
}

void TimeAllRungs() {
  for (const size_t n : {size_t{1} << 20, size_t{1} << 24, size_t{1} << 28}) {
    for (const Values values : {Values::kUniform, Values::kEqual}) {
      TimeRungs<uint8_t>(n, 256, values);
      TimeRungs<int>(n, 256, values);
    }
  }
  for (const Values values : {Values::kSorted, Values::kTwo, Values::kSkewed}) {
    TimeRungs<uint8_t>(size_t{1} << 28, 256, values);
    TimeRungs<int>(size_t{1} << 28, 256, values);
  }
  for (const Values values : {Values::kUniform, Values::kEqual}) {
    TimeRungs<int>(size_t{1} << 28, 4096, values);
    TimeRungs<uint8_t>(size_t{1} << 30, 256, values);  // what the judge times
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what != "rungs") {
    for (const Values values : {Values::kUniform, Values::kEqual, Values::kSkewed}) {
      TimeShapes<uint8_t>(size_t{1} << 28, 256, values);
      TimeShapes<int>(size_t{1} << 28, 256, values);
    }
    TimeShapes<uint8_t>(size_t{1} << 30, 256, Values::kUniform);
  }
  if (what != "shapes") TimeAllRungs();
  return 0;
}
