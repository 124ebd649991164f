// Where the time goes: threads that meet by block barriers (in two launches, or in passes in place), by grid sync or by
// shuffles; each over managed memory, explicit copies, and data made on the device; with floats and with doubles.
//
//   total       from data that the host has (or, made on the device, from nothing) to the answer on the host
//   execution   the kernels that add, alone
//
// `make lab1_sync_study` builds it and runs it, on the GPU if there is one. An argument is log2 of the size. With
// --rows as the last argument it prints rows for `warpgrade study sync` (grader/study/rows.h) instead of a table. Exit
// code: 1 when an answer is wrong or a call fails.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
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
constexpr unsigned kLog2OnGpu = 24, kLog2OnEmulator = 14;

template <typename T>
__global__ void make_data(T* d_out, size_t n) {
  const size_t stride = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride) {
    d_out[i] = T(study::small_integer(i));
  }
}

// A way to add: launches on the default stream, d_out gets the sum. It may change d_in.
template <typename T>
struct Way {
  const char* name;
  void (*launch)(T* d_in, size_t n, T* d_partial, T* d_out);
};

template <typename T>
struct Study {
  explicit Study(size_t elements)
      : n(elements), host(n), d_in(n * sizeof(T)), d_partial(study::Blocks<T>(n) * sizeof(T)), d_out(sizeof(T)) {
    for (size_t i = 0; i < n; ++i) host[i] = T(study::small_integer(i));
    for (const T x : host) expected += double(x);
  }

  static std::vector<Way<T>> Ways() {
    return {{"block barriers",
             [](T* d_in, size_t n, T* d_partial, T* d_out) {
               study::LaunchTwice<T, study::sum_with_barriers>(d_in, n, d_partial, d_out, nullptr);
             }},
            {"passes in place", [](T* d_in, size_t n, T* /*d_partial*/,
                                   T* d_out) { study::LaunchPassesInPlace(d_in, n, d_out, nullptr); }},
            {"grid sync", [](T* d_in, size_t n, T* d_partial,
                             T* d_out) { study::LaunchGridSync<T>(d_in, n, d_partial, d_out, nullptr); }},
            {"shuffles", [](T* d_in, size_t n, T* d_partial, T* d_out) {
               study::LaunchTwice<T, study::sum_with_shuffles>(d_in, n, d_partial, d_out, nullptr);
             }}};
  }

  T* in() const { return static_cast<T*>(d_in.data()); }
  T* partial() const { return static_cast<T*>(d_partial.data()); }
  T* out() const { return static_cast<T*>(d_out.data()); }

  size_t n;
  std::vector<T> host;
  double expected = 0;
  lab::DeviceArray d_in, d_partial, d_out;
};

template <typename T>
void MakeOnDevice(T* d_out, size_t n) {
  make_data<<<study::Blocks<T>(n), study::kThreads>>>(d_out, n);
  lab::Require(cudaGetLastError(), "launch");
}

// The host writes the array, so its pages are in the host's memory; they move when the kernel touches them.
template <typename T>
Times OverManagedMemory(const Study<T>& s, const Way<T>& way) {
  T *in = nullptr, *out = nullptr;
  lab::Require(cudaMallocManaged(&in, s.n * sizeof(T)), "cudaMallocManaged");
  lab::Require(cudaMallocManaged(&out, sizeof(T)), "cudaMallocManaged");
  std::copy(s.host.begin(), s.host.end(), in);
  *out = 0;
  Marks marks(nullptr);
  Times times;
  const HostClock clock;
  marks.Begin();
  way.launch(in, s.n, s.partial(), out);
  marks.End();
  lab::Require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");  // before the host looks
  times.answer = double(*out);
  times.total_us = clock.Microseconds();
  times.execution_us = marks.Microseconds();
  lab::Require(cudaFree(in), "cudaFree");
  lab::Require(cudaFree(out), "cudaFree");
  return times;
}

// What is between the two: `bring` puts the data into `in`, the answer is copied back.
template <typename T>
Times BringAddFetch(const Study<T>& s, const Way<T>& way, T* in, const std::function<void()>& bring) {
  Marks marks(nullptr);
  Times times;
  const HostClock clock;
  bring();
  marks.Begin();
  way.launch(in, s.n, s.partial(), s.out());
  marks.End();
  T answer = 0;
  lab::Require(cudaMemcpy(&answer, s.out(), sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
  times.answer = double(answer);
  times.total_us = clock.Microseconds();
  times.execution_us = marks.Microseconds();
  return times;
}

// Managed memory that the host never touches: no page is ever in the host's memory.
template <typename T>
Times OverManagedMemoryOfTheDevice(const Study<T>& s, const Way<T>& way) {
  T* in = nullptr;
  lab::Require(cudaMallocManaged(&in, s.n * sizeof(T)), "cudaMallocManaged");
  const Times times = BringAddFetch<T>(s, way, in, [&s, in] { MakeOnDevice(in, s.n); });
  lab::Require(cudaFree(in), "cudaFree");
  return times;
}

template <typename T>
Times OverExplicitCopies(const Study<T>& s, const Way<T>& way) {
  return BringAddFetch<T>(s, way, s.in(), [&s] {
    lab::Require(cudaMemcpy(s.in(), s.host.data(), s.n * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  });
}

template <typename T>
Times OverDataMadeOnTheDevice(const Study<T>& s, const Way<T>& way) {
  return BringAddFetch<T>(s, way, s.in(), [&s] { MakeOnDevice(s.in(), s.n); });
}

template <typename T>
struct Source {
  const char* name;
  Times (*run)(const Study<T>& s, const Way<T>& way);
};

struct Output {
  bool has_times = false, as_rows = false;
};

void PrintBar(const char* what, const char* type, const char* way, const char* source, double y) {
  std::printf("bar\t%s, %s\t%s\t%s\t%.17g\t%.17g\t%.17g\n", what, type, way, source, y, y, y);
}

template <typename T>
void Measure(const Study<T>& s, const char* type, const Way<T>& way, const Source<T>& source, const Output& output) {
  const std::string who = std::string(type) + ", " + way.name + " over " + source.name;
  std::vector<double> totals, executions;
  for (int i = 0; i < (output.has_times ? kWarmUps + kRuns : 1); ++i) {
    const Times times = source.run(s, way);
    study::RequireAnswer(times.answer, s.expected, who);
    if (output.has_times && i < kWarmUps) continue;
    totals.push_back(times.total_us);
    executions.push_back(times.execution_us);
  }
  const double total = lab::Median(totals), execution = lab::Median(executions);
  if (output.as_rows) {
    PrintBar("right", type, way.name, source.name, 1);
    if (!output.has_times) return;
    PrintBar("total", type, way.name, source.name, total);
    PrintBar("execution", type, way.name, source.name, execution);
    return;
  }
  std::printf("%-6s  %-15s  %-27s", type, way.name, source.name);
  if (output.has_times) {
    std::printf("  %10.1f us  %10.1f us  %5.1f%%\n", total, execution, 100 * execution / total);
  } else {
    std::printf("  right\n");
  }
}

template <typename T>
void MeasureAll(size_t n, const char* type, const Output& output) {
  const Study<T> s(n);
  const Source<T> sources[] = {{"managed memory", OverManagedMemory<T>},
                               {"explicit copies", OverExplicitCopies<T>},
                               {"made on the device", OverDataMadeOnTheDevice<T>},
                               {"managed, made on the device", OverManagedMemoryOfTheDevice<T>}};
  for (const Way<T>& way : Study<T>::Ways()) {
    for (const Source<T>& source : sources) Measure(s, type, way, source, output);
  }
}

int Main(int argc, char** argv) {
  const std::string device = lab::DeviceName();
  if (device.empty()) throw std::runtime_error("there is no CUDA device; run it through ./warpgrade run");
  Output output;
  output.as_rows = argc > 1 && std::strcmp(argv[argc - 1], "--rows") == 0;
  if (output.as_rows) {
    --argc;
    output.has_times = !lab::IsEmulator(device);
    std::printf("device\t%s\t%d\n", device.c_str(), output.has_times ? 1 : 0);
  } else {
    std::printf("lab1: how threads meet, and where the data comes from, on %s\n", device.c_str());
    output.has_times = !study::HasNoTimes(device);
  }
  const long log2 = argc > 1 ? std::atol(argv[1]) : output.has_times ? kLog2OnGpu : kLog2OnEmulator;
  if (log2 < 0 || log2 > 28) throw std::runtime_error("the argument is log2 of the size, from 0 to 28");
  if (!output.as_rows) {
    std::printf("The sum of 2^%ld numbers%s\n\n", log2, output.has_times ? ", median of 15 runs" : "");
    std::printf("%-6s  %-15s  %-27s", "type", "threads meet by", "data");
    std::printf(output.has_times ? "  %13s  %13s  %6s\n" : "  answer\n", "total", "execution", "share");
  }
  MeasureAll<float>(size_t{1} << log2, "float", output);
  MeasureAll<double>(size_t{1} << log2, "double", output);
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
