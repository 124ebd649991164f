// How fast the emulator runs: kernel time and thread-instructions per second of six kernels (kernels.cu), with checks
// on and off and 1 or 2 host threads, and of the reduction from 2^16 to 2^24 elements. Every kernel's result is
// compared with a plain loop on the host before it is timed. Time is Device::Launch alone, copies left out; best_cpu_ms
// is what all host threads spent, which other work on the machine disturbs less. Thread-instructions are counted as
// other emulators do, once for each active lane even if its guard is false.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "grader/emulator/device.h"

namespace warpgrade::emulator {
namespace {

[[noreturn]] void Die(const std::string& what) {
  std::fprintf(stderr, "emulator_bench: %s\n", what.c_str());
  std::exit(1);
}

template <typename T>
T Must(Result<T> result) {
  if (!result) Die(result.error().message);
  return *result;
}

const std::string& Ptx() {
  static const std::string* text = [] {
    std::ifstream file(EMULATOR_BENCH_PTX);
    if (!file) Die("cannot read " EMULATOR_BENCH_PTX "; build the target emulator_bench again");
    std::stringstream all;
    all << file.rdbuf();
    return new std::string(all.str());
  }();
  return *text;
}

double CpuSeconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// A device with the kernels loaded, and the kernel time of the launches made since ResetTime().
class Bench {
 public:
  Bench(bool checks, int host_threads) : device_(Options(checks, host_threads)) {
    module_ = Must(device_.LoadModule(Ptx(), "kernels.ptx"));
  }

  template <typename T>
  DevicePtr Upload(const std::vector<T>& values) {
    DevicePtr at = Allocate(values.size() * sizeof(T));
    if (!device_.CopyToDevice(at, values.data(), values.size() * sizeof(T)).ok()) Die("a copy to the device failed");
    return at;
  }
  DevicePtr Allocate(uint64_t bytes) {
    DevicePtr at = Must(device_.Allocate(bytes));
    if (!device_.Fill(at, 0, bytes).ok()) Die("a fill failed");
    return at;
  }
  void Zero(DevicePtr at, uint64_t bytes) {
    if (!device_.Fill(at, 0, bytes).ok()) Die("a fill failed");
  }
  template <typename T>
  std::vector<T> Download(DevicePtr from, size_t count) {
    std::vector<T> values(count);
    if (!device_.CopyFromDevice(values.data(), from, count * sizeof(T)).ok()) Die("a copy from the device failed");
    return values;
  }
  template <typename T>
  void SetVariable(const char* name, const std::vector<T>& values) {
    AllocationInfo to = Must(device_.FindVariable(module_, name));
    if (!device_.CopyToDevice(to.base, values.data(), values.size() * sizeof(T)).ok()) Die("a copy failed");
  }

  template <typename... Parameters>
  void Launch(const char* kernel, Dim3 grid, Dim3 block, Parameters... parameters) {
    LaunchRequest request;
    request.kernel = Must(device_.FindKernel(module_, kernel));
    request.grid = grid;
    request.block = block;
    const KernelInfo& info = device_.Kernel(request.kernel);
    request.parameters.resize(info.parameter_bytes);
    size_t k = 0;
    ((std::memcpy(request.parameters.data() + info.parameter_offsets[k], &parameters, info.parameter_sizes[k]), ++k),
     ...);
    device_.ResetObservations();
    double cpu = CpuSeconds();
    auto start = std::chrono::steady_clock::now();
    LaunchStatus status = device_.Launch(request);
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    cpu_seconds_ += CpuSeconds() - cpu;
    if (status != LaunchStatus::kOk || !device_.Findings().empty()) {
      Die(std::string(kernel) + (device_.Findings().empty() ? ": failed" : ": " + device_.Findings()[0].message));
    }
    thread_instructions_ += device_.Launches().back().counters.active_lane_sum;
    warp_instructions_ += device_.Launches().back().counters.warp_instructions;
  }

  void ResetTime() { seconds_ = cpu_seconds_ = 0, thread_instructions_ = warp_instructions_ = 0; }
  double seconds() const { return seconds_; }
  double cpu_seconds() const { return cpu_seconds_; }
  uint64_t thread_instructions() const { return thread_instructions_; }
  uint64_t warp_instructions() const { return warp_instructions_; }

 private:
  static DeviceOptions Options(bool checks, int host_threads) {
    DeviceOptions options;
    options.checks = checks;
    options.host_threads = host_threads;
    return options;
  }

  Device device_;
  ModuleId module_ = 0;
  double seconds_ = 0, cpu_seconds_ = 0;
  uint64_t thread_instructions_ = 0, warp_instructions_ = 0;
};

// Small integers, so that sums of them are exact in any order.
std::vector<float> Floats(size_t n) {
  std::vector<float> v(n);
  for (size_t k = 0; k < n; ++k) v[k] = static_cast<float>(static_cast<int>((k * 2654435761u) >> 7 & 15) - 7);
  return v;
}

template <typename T>
void Expect(const std::vector<T>& got, const std::vector<T>& want, const char* kernel) {
  for (size_t k = 0; k < want.size(); ++k) {
    if (got[k] == want[k]) continue;
    Die(std::string(kernel) + ": element " + std::to_string(k) + " is " + std::to_string(got[k]) + ", not " +
        std::to_string(want[k]));
  }
}

// Each of these allocates and fills its buffers, and gives what one timed run does, and what checks its result.
struct Case {
  std::function<void()> run, verify;
};

Case Reduction(Bench& b, size_t n) {
  auto in = std::make_shared<std::vector<float>>(Floats(n));
  const uint32_t blocks = static_cast<uint32_t>((n + 255) / 256);
  DevicePtr d_in = b.Upload(*in), d_out = b.Allocate(blocks * sizeof(float));
  return {[=, &b] { b.Launch("reduce_tree", {blocks}, {256}, d_in, n, d_out); },
          [=, &b] {
            std::vector<float> want(blocks, 0.0f);
            for (size_t k = 0; k < n; ++k) want[k / 256] += (*in)[k];
            Expect(b.Download<float>(d_out, blocks), want, "reduce_tree");
          }};
}

Case Transpose(Bench& b, size_t n) {
  auto in = std::make_shared<std::vector<float>>(Floats(n * n));
  const uint32_t tiles = static_cast<uint32_t>(n / 32);
  DevicePtr d_in = b.Upload(*in), d_out = b.Allocate(n * n * sizeof(float));
  return {[=, &b] {
            b.Launch("transpose_tiled", {tiles, tiles}, {32, 8}, d_in, static_cast<uint32_t>(n), d_out);
          },
          [=, &b] {
            std::vector<float> want(n * n);
            for (size_t y = 0; y < n; ++y) {
              for (size_t x = 0; x < n; ++x) want[x * n + y] = (*in)[y * n + x];
            }
            Expect(b.Download<float>(d_out, n * n), want, "transpose_tiled");
          }};
}

Case Matmul(Bench& b, size_t n) {
  auto in = std::make_shared<std::vector<float>>(Floats(n * n));
  const uint32_t tiles = static_cast<uint32_t>(n / 32);
  DevicePtr d_in = b.Upload(*in), d_out = b.Allocate(n * n * sizeof(float));
  return {[=, &b] {
            b.Launch("matmul_tiled", {tiles, tiles}, {32, 32}, d_in, d_in, static_cast<uint32_t>(n), d_out);
          },
          [=, &b] {
            std::vector<float> want(n * n, 0.0f);
            for (size_t y = 0; y < n; ++y) {
              for (size_t k = 0; k < n; ++k) {
                for (size_t x = 0; x < n; ++x) want[y * n + x] += (*in)[y * n + k] * (*in)[k * n + x];
              }
            }
            Expect(b.Download<float>(d_out, n * n), want, "matmul_tiled");
          }};
}

Case Convolution(Bench& b, int n) {
  constexpr int kRadius = 4, kWidth = 2 * kRadius + 1;
  auto in = std::make_shared<std::vector<float>>(Floats(static_cast<size_t>(n) * static_cast<size_t>(n)));
  auto mask = std::make_shared<std::vector<float>>(Floats(kWidth * kWidth));
  DevicePtr d_in = b.Upload(*in), d_out = b.Allocate(in->size() * sizeof(float));
  b.SetVariable("mask", *mask);
  Dim3 grid{static_cast<uint32_t>((n + 31) / 32), static_cast<uint32_t>((n + 7) / 8)};
  return {[=, &b] {
            b.Launch("convolve_2d", grid, {32, 8}, d_in, n, d_out);
          },
          [=, &b] {
            std::vector<float> want(in->size(), 0.0f);
            auto at = [n](int y, int x) {
              return static_cast<size_t>(y) * static_cast<size_t>(n) + static_cast<size_t>(x);
            };
            for (int y = 0; y < n; ++y) {
              for (int x = 0; x < n; ++x) {
                for (int dy = -kRadius; dy <= kRadius; ++dy) {
                  for (int dx = -kRadius; dx <= kRadius; ++dx) {
                    if (y + dy < 0 || y + dy >= n || x + dx < 0 || x + dx >= n) continue;
                    want[at(y, x)] += (*mask)[static_cast<size_t>((dy + kRadius) * kWidth + dx + kRadius)] *
                                      (*in)[at(y + dy, x + dx)];
                  }
                }
              }
            }
            Expect(b.Download<float>(d_out, in->size()), want, "convolve_2d");
          }};
}

Case Scan(Bench& b, size_t n) {
  auto in = std::make_shared<std::vector<uint32_t>>(n);
  for (size_t k = 0; k < n; ++k) (*in)[k] = static_cast<uint32_t>(k * 2654435761u >> 20 & 1023);
  const uint32_t blocks = static_cast<uint32_t>(n / 1024);
  DevicePtr d_in = b.Upload(*in), d_out = b.Allocate(n * 4), d_sums = b.Allocate(1024 * 4), none = 0;
  return {[=, &b] {
            b.Launch("scan_blocks", {blocks}, {1024}, d_in, d_out, d_sums);
            b.Launch("scan_blocks", {1}, {1024}, d_sums, d_sums, none);
            b.Launch("scan_add", {blocks}, {1024}, d_out, d_sums);
          },
          [=, &b] {
            std::vector<uint32_t> want(n);
            uint32_t sum = 0;
            for (size_t k = 0; k < n; ++k) want[k] = sum += (*in)[k];
            Expect(b.Download<uint32_t>(d_out, n), want, "scan");
          }};
}

Case Histogram(Bench& b, size_t n) {
  auto in = std::make_shared<std::vector<uint8_t>>(n);
  for (size_t k = 0; k < n; ++k) (*in)[k] = static_cast<uint8_t>(k * 2654435761u >> 11);
  DevicePtr d_in = b.Upload(*in), d_bins = b.Allocate(256 * 4);
  return {[=, &b] {
            b.Zero(d_bins, 256 * 4);
            b.Launch("histogram_shared", {256}, {256}, d_in, static_cast<uint32_t>(n), d_bins);
          },
          [=, &b] {
            std::vector<uint32_t> want(256, 0);
            for (uint8_t v : *in) ++want[v];
            Expect(b.Download<uint32_t>(d_bins, 256), want, "histogram_shared");
          }};
}

void Run(benchmark::State& state, bool checks, int host_threads, const std::function<Case(Bench&)>& make) {
  Bench bench(checks, host_threads);
  Case c = make(bench);
  c.run();
  c.verify();
  double best = 1e30, best_cpu = 1e30, instructions = 0, warp_instructions = 0;
  for (auto _ : state) {
    bench.ResetTime();
    c.run();
    state.SetIterationTime(bench.seconds());
    best = std::min(best, bench.seconds());
    best_cpu = std::min(best_cpu, bench.cpu_seconds());
    instructions = static_cast<double>(bench.thread_instructions());
    warp_instructions = static_cast<double>(bench.warp_instructions());
  }
  state.counters["best_ms"] = 1e3 * best;
  state.counters["best_cpu_ms"] = 1e3 * best_cpu;
  state.counters["thread_instr"] = instructions;
  state.counters["instr_per_s"] = instructions / best;
  state.counters["ns_per_warp_instr"] = 1e9 * best_cpu / warp_instructions;
}

void Add(const std::string& name, const std::function<Case(Bench&)>& make) {
  for (bool checks : {false, true}) {
    for (int threads : {1, 2}) {
      std::string full = name + (checks ? "/checks" : "/no_checks") + "/cores:" + std::to_string(threads);
      benchmark::RegisterBenchmark(full.c_str(), [=](benchmark::State& state) { Run(state, checks, threads, make); })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace
}  // namespace warpgrade::emulator

int main(int argc, char** argv) {
  using namespace warpgrade::emulator;
  Add("reduction/2^20", [](Bench& b) { return Reduction(b, size_t{1} << 20); });
  Add("transpose/2048^2", [](Bench& b) { return Transpose(b, 2048); });
  Add("matmul/512^3", [](Bench& b) { return Matmul(b, 512); });
  Add("convolution/1024^2,radius4", [](Bench& b) { return Convolution(b, 1024); });
  Add("scan/2^20", [](Bench& b) { return Scan(b, size_t{1} << 20); });
  Add("histogram/2^22", [](Bench& b) { return Histogram(b, size_t{1} << 22); });
  for (int power = 16; power <= 24; power += 2) {
    if (power == 20) continue;
    Add("reduction/2^" + std::to_string(power), [power](Bench& b) { return Reduction(b, size_t{1} << power); });
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
