// How fast one rung of lab1 is, next to CUB and to a device copy in the same run:
//
//   lab1.v9_one_pass.bench [--benchmark_filter=...]
//
// Float sums of 2^10 .. 2^28 elements. Times are CUDA events around one call; before each call the L2 cache is flushed.
// of_copy is the share of the bandwidth that a device-to-device copy reached (bytes read + bytes written). Every
// answer is checked once. Exits with 77 when there is no GPU: the emulator's times mean nothing.
#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "grader/worker/call.h"
#include "labs/lab1/bench_peers.h"
#include "labs/lab1/lab1_judge.h"
#include "labs/lab1/layout.h"
#include "labs/not_written.h"

namespace {

using namespace warpgrade::lab1;

constexpr int kExitSkipped = 77;
constexpr int kWarmUps = 5;
constexpr int64_t kLeast = 1 << 10, kMost = 1 << 28;
constexpr uint64_t kSeed = 20240229;

void Must(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

template <typename T>
T* Allocate(size_t elements) {
  void* pointer = nullptr;
  Must(cudaMalloc(&pointer, elements * sizeof(T)), "cudaMalloc");
  return static_cast<T*>(pointer);
}

// Input for the largest size, workspace, and what is needed to time a call. One for the whole run.
struct Bench {
  Bench() {
    cudaDeviceProp device{};
    Must(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
    flush_bytes = std::max<size_t>(2 * static_cast<size_t>(device.l2CacheSize), size_t{64} << 20);
    d_flush = Allocate<std::byte>(flush_bytes);
    d_in = Allocate<float>(kMost);
    d_copy = Allocate<float>(kMost);
    d_out = Allocate<float>(1);
    d_work = Allocate<float>(WorkElements(kMost));
    temporary_bytes = lab1_bench::CubSumTemporaryBytes(kMost);
    d_temporary = Allocate<std::byte>(temporary_bytes);
    Must(cudaStreamCreate(&stream), "cudaStreamCreate");
    Must(cudaEventCreate(&start), "cudaEventCreate");
    Must(cudaEventCreate(&stop), "cudaEventCreate");
    std::printf("%s, L2 flushed with %zu MiB before each call\n", device.name, flush_bytes >> 20);
  }

  // Seconds of one call of `work`, which launches on `stream`.
  double Time(const std::function<void()>& work) {
    Must(cudaMemsetAsync(d_flush, 0, flush_bytes, stream), "flush");
    Must(cudaEventRecord(start, stream), "cudaEventRecord");
    work();
    Must(cudaEventRecord(stop, stream), "cudaEventRecord");
    Must(cudaEventSynchronize(stop), "the timed call");
    float ms = 0;
    Must(cudaEventElapsedTime(&ms, start, stop), "cudaEventElapsedTime");
    return static_cast<double>(ms) / 1e3;
  }

  size_t flush_bytes = 0, temporary_bytes = 0;
  std::byte *d_flush = nullptr, *d_temporary = nullptr;
  float *d_in = nullptr, *d_copy = nullptr, *d_out = nullptr, *d_work = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t start = nullptr, stop = nullptr;
  double copy_bytes_per_second = 0;
};
Bench* bench = nullptr;  // made by main, when there is a GPU

warpgrade::judge::Case FloatSum(uint64_t n) {
  warpgrade::judge::Random random(kSeed);
  auto c = warpgrade::judge::Lab1().Cases("", warpgrade::judge::CaseSet::kThroughput, random).front();
  c.name = "n = " + std::to_string(n) + ", float, sum";
  c.sizes[kCount] = n;
  return c;
}

void CallRung(uint64_t n) {
  const auto c = FloatSum(n);
  warpgrade::LabCall call;
  call.variant = c.variant;
  call.buffer_count = kBuffers;
  call.buffers[kInBuffer] = bench->d_in;
  call.buffers[kOutBuffer] = bench->d_out;
  call.buffers[kWorkBuffer] = bench->d_work;
  call.size_count = kSizes;
  std::copy(c.sizes.begin(), c.sizes.end(), call.sizes);
  call.stream = bench->stream;
  warpgrade_lab_call(&call);
}

void CallCub(uint64_t n) {
  Must(lab1_bench::CubSum(bench->d_temporary, bench->temporary_bytes, bench->d_in, n, bench->d_out, bench->stream),
       "cub::DeviceReduce::Sum");
}

void CallCopy(uint64_t n) {
  Must(cudaMemcpyAsync(bench->d_copy, bench->d_in, n * sizeof(float), cudaMemcpyDeviceToDevice, bench->stream), "copy");
}

// What is wrong with the answer in d_out, or "".
std::string WrongAnswer(uint64_t n, const std::vector<std::byte>& input) {
  std::byte out[sizeof(float)];
  Must(cudaMemcpy(out, bench->d_out, sizeof out, cudaMemcpyDeviceToHost), "cudaMemcpy");
  const std::span<const std::byte> spans[kBuffers] = {{input.data(), n * sizeof(float)}, out, {}};
  const auto mismatch = warpgrade::judge::Lab1().Check(FloatSum(n), spans);
  return mismatch ? mismatch->message : "";
}

// `input` is null for work that leaves nothing to check.
void Run(benchmark::State& state, void (*work)(uint64_t), const std::vector<std::byte>* input, int bytes_per_element) {
  const auto n = static_cast<uint64_t>(state.range(0));
  for (int i = 0; i < kWarmUps; ++i) bench->Time([&] { work(n); });
  if (input != nullptr) {
    if (const std::string wrong = WrongAnswer(n, *input); !wrong.empty()) {
      state.SkipWithError(wrong.c_str());
      return;
    }
  }
  double seconds = 0;
  for (auto _ : state) {
    const double s = bench->Time([&] { work(n); });
    state.SetIterationTime(s);
    seconds += s;
  }
  const double bytes = static_cast<double>(n) * bytes_per_element;
  state.SetBytesProcessed(static_cast<int64_t>(bytes) * state.iterations());
  const double bytes_per_second = bytes * static_cast<double>(state.iterations()) / seconds;
  state.counters["GB/s"] = bytes_per_second / 1e9;
  state.counters["of_copy"] = bytes_per_second / bench->copy_bytes_per_second;
}

// Bytes per second of a copy of the largest size: the median of a few.
double MeasureCopy() {
  std::vector<double> seconds;
  for (int i = 0; i < 15; ++i) seconds.push_back(bench->Time([] { CallCopy(kMost); }));
  std::nth_element(seconds.begin(), seconds.begin() + 7, seconds.end());
  return 2.0 * kMost * sizeof(float) / seconds[7];
}

bool HasGpu() {
  cudaDeviceProp device{};
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) return false;
  return std::string(device.name).find("emulator") == std::string::npos;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (!HasGpu()) {
    std::printf("skipped: no GPU\n");
    return kExitSkipped;
  }
  bench = new Bench;  // lives until the process ends
  try {
    CallRung(0);
  } catch (const lab::NotWrittenYet&) {
    std::printf("skipped: not written yet\n");
    return kExitSkipped;
  }
  std::vector<std::byte> input(kMost * sizeof(float));
  warpgrade::judge::Random random(kSeed);
  warpgrade::judge::Lab1().DrawInput(FloatSum(kMost), kInBuffer, random, input);
  Must(cudaMemcpy(bench->d_in, input.data(), input.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  bench->copy_bytes_per_second = MeasureCopy();
  std::printf("device copy of 2^28 floats: %.0f GB/s read + written\n", bench->copy_bytes_per_second / 1e9);

  struct Row {
    const char* name;
    void (*work)(uint64_t);
    const std::vector<std::byte>* input;
    int bytes_per_element;
  };
  const Row rows[] = {{"rung", CallRung, &input, 4},
                      {"cub::DeviceReduce::Sum", CallCub, &input, 4},
                      {"device_copy", CallCopy, nullptr, 8}};
  for (const Row& row : rows) {
    benchmark::RegisterBenchmark(row.name, Run, row.work, row.input, row.bytes_per_element)
        ->RangeMultiplier(4)
        ->Range(kLeast, kMost)
        ->ArgName("n")
        ->Unit(benchmark::kMicrosecond)
        ->UseManualTime();
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
