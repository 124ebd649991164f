// Where the time goes: threads that meet by block barriers, by grid sync or by shuffles, each over managed memory,
// explicit copies, and data made on the device.
//
//   total       from data that the host has (or, made on the device, from nothing) to the answer on the host
//   execution   the kernels that add, alone
//
// `make lab1_sync_study` builds it and runs it, on the GPU if there is one. An argument is log2 of the size.
// Exit code: 1 when an answer is wrong or a call fails.
#include <cuda_runtime.h>

#include <cstdlib>
#include <functional>
#include <vector>

#include "labs/lab1/studies/measure.h"
#include "labs/lab1/studies/sums.h"
#include "labs/support/stopwatch.h"

namespace {

using study::HostClock;
using study::Marks;
using study::Times;

constexpr int kRuns = 15, kWarmUps = 2;
constexpr unsigned kLog2OnGpu = 24, kLog2OnEmulator = 16;

__global__ void make_data(float* d_out, size_t n) {
  const size_t stride = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) d_out[i] = study::small_integer(i);
}

// A way to add: launches on the stream, d_out gets the sum.
struct Way {
  const char* name;
  void (*launch)(const float* d_in, size_t n, float* d_partial, float* d_out, cudaStream_t stream);
};
constexpr Way kWays[] = {{"block barriers", study::LaunchTwice<study::sum_with_barriers>},
                         {"grid sync", study::LaunchGridSync},
                         {"shuffles", study::LaunchTwice<study::sum_with_shuffles>}};

struct Study {
  explicit Study(size_t elements)
      : n(elements),
        host(n),
        d_in(n * sizeof(float)),
        d_partial(study::Blocks(n) * sizeof(float)),
        d_out(sizeof(float)) {
    for (size_t i = 0; i < n; ++i) host[i] = study::small_integer(i);
    for (const float x : host) expected += x;
  }

  float* in() const { return static_cast<float*>(d_in.data()); }
  float* partial() const { return static_cast<float*>(d_partial.data()); }
  float* out() const { return static_cast<float*>(d_out.data()); }

  size_t n;
  std::vector<float> host;
  float expected = 0;
  lab::DeviceArray d_in, d_partial, d_out;
};

// The host writes the array, so its pages are in the host's memory; they move when the kernel touches them.
Times OverManagedMemory(const Study& s, const Way& way) {
  float *in = nullptr, *out = nullptr;
  lab::Require(cudaMallocManaged(&in, s.n * sizeof(float)), "cudaMallocManaged");
  lab::Require(cudaMallocManaged(&out, sizeof(float)), "cudaMallocManaged");
  std::copy(s.host.begin(), s.host.end(), in);
  *out = 0;
  Marks marks(nullptr);
  Times times;
  const HostClock clock;
  marks.Begin();
  way.launch(in, s.n, s.partial(), out, nullptr);
  marks.End();
  lab::Require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");  // before the host looks
  times.answer = *out;
  times.total_us = clock.Microseconds();
  times.execution_us = marks.Microseconds();
  lab::Require(cudaFree(in), "cudaFree");
  lab::Require(cudaFree(out), "cudaFree");
  return times;
}

// What is between the two: `bring` puts the data into s.in(), the answer is copied back.
Times BringAddFetch(const Study& s, const Way& way, const std::function<void()>& bring) {
  Marks marks(nullptr);
  Times times;
  const HostClock clock;
  bring();
  marks.Begin();
  way.launch(s.in(), s.n, s.partial(), s.out(), nullptr);
  marks.End();
  lab::Require(cudaMemcpy(&times.answer, s.out(), sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
  times.total_us = clock.Microseconds();
  times.execution_us = marks.Microseconds();
  return times;
}

Times OverExplicitCopies(const Study& s, const Way& way) {
  return BringAddFetch(s, way, [&s] {
    lab::Require(cudaMemcpy(s.in(), s.host.data(), s.n * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
  });
}

Times OverDataMadeOnTheDevice(const Study& s, const Way& way) {
  return BringAddFetch(s, way, [&s] {
    make_data<<<study::Blocks(s.n), study::kThreads>>>(s.in(), s.n);
    lab::Require(cudaGetLastError(), "launch");
  });
}

struct Source {
  const char* name;
  Times (*run)(const Study& s, const Way& way);
};
constexpr Source kSources[] = {{"managed memory", OverManagedMemory},
                               {"explicit copies", OverExplicitCopies},
                               {"made on the device", OverDataMadeOnTheDevice}};

void Row(const Study& s, const Way& way, const Source& source, bool has_times) {
  const std::string who = std::string(way.name) + " over " + source.name;
  std::vector<double> totals, executions;
  for (int i = 0; i < (has_times ? kWarmUps + kRuns : 1); ++i) {
    const Times times = source.run(s, way);
    study::RequireAnswer(times.answer, s.expected, who);
    if (has_times && i < kWarmUps) continue;
    totals.push_back(times.total_us);
    executions.push_back(times.execution_us);
  }
  std::printf("%-15s  %-18s", way.name, source.name);
  if (!has_times) {
    std::printf("  right\n");
    return;
  }
  const double total = lab::Median(totals), execution = lab::Median(executions);
  std::printf("  %10.1f us  %10.1f us  %5.1f%%\n", total, execution, 100 * execution / total);
}

int Main(int argc, char** argv) {
  const std::string device = lab::DeviceName();
  if (device.empty()) throw std::runtime_error("there is no CUDA device; run it through ./warpgrade run");
  std::printf("lab1: how threads meet, and where the data comes from, on %s\n", device.c_str());
  const bool has_times = !study::HasNoTimes(device);
  const long log2 = argc > 1 ? std::atol(argv[1]) : has_times ? kLog2OnGpu : kLog2OnEmulator;
  if (log2 < 0 || log2 > 28) throw std::runtime_error("the argument is log2 of the size, from 0 to 28");
  const Study s(size_t{1} << log2);

  std::printf("The sum of 2^%ld floats%s\n\n", log2, has_times ? ", median of 15 runs" : "");
  std::printf("%-15s  %-18s", "threads meet by", "data");
  std::printf(has_times ? "  %13s  %13s  %6s\n" : "  answer\n", "total", "execution", "share");
  for (const Way& way : kWays) {
    for (const Source& source : kSources) Row(s, way, source, has_times);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return Main(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
