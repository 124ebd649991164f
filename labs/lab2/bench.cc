// The throughput of one rung of lab2, over matrix sizes, next to a device-to-device copy of as many bytes measured in
// the same run, turn by turn. GPU only: an emulator's time says nothing. Exit code 77: skipped.
//
//   GB/s            bytes that must move (each element read once, written once) over the median time
//   ns_per_element  the median time over the elements of the matrix
//   copy_GB/s       the same for the copy
//   share_of_copy   the first over the second: 1.0 is as good as it gets
//
// No test runs it, since it measures time: `make lab2_bench` builds one program for each rung.
#include <benchmark/benchmark.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <string>
#include <vector>

#include "labs/lab2/cases.h"
#include "labs/lab2/explain.h"
#include "labs/lab2/hints.h"
#include "labs/lab2/lab2.h"
#include "labs/lab2/reference.h"
#include "labs/lab2/values.h"
#include "labs/support/device_array.h"
#include "labs/support/rung_bench.h"
#include "labs/support/stopwatch.h"

namespace {

using lab2::MatrixCase;

constexpr int kWarmUps = 3;
constexpr double kMinSeconds = 0.1;  // of measured time for each size

template <typename T>
void Transpose(benchmark::State& state, MatrixCase c) {
  const lab2::Shape shape = c.shape();
  std::vector<std::byte> in(shape.Bytes()), out(shape.Bytes());
  DrawMatrix(shape, c.variant, c.pattern, /*seed=*/1, in.data());
  const lab::DeviceArray d_in(in.size()), d_out(in.size());
  lab::Require(cudaMemcpy(d_in.data(), in.data(), in.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  lab::Require(cudaMemset(d_out.data(), lab2::kPoisonByte, in.size()), "cudaMemset");

  lab::Stopwatch stopwatch;
  const auto transpose_once = [&] {
    transpose(static_cast<const T*>(d_in.data()), static_cast<T*>(d_out.data()), c.rows, c.columns, stopwatch.stream());
  };
  const auto copy_once = [&] {
    lab::Require(cudaMemcpyAsync(d_out.data(), d_in.data(), in.size(), cudaMemcpyDeviceToDevice, stopwatch.stream()),
                 "cudaMemcpyAsync");
  };

  // A wrong transpose has no throughput.
  stopwatch.Seconds(transpose_once);
  lab::Require(cudaMemcpy(out.data(), d_out.data(), out.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  if (const auto wrong = lab2::Explain(shape, c.variant, in.data(), out.data())) {
    state.SkipWithError(("wrong: " + wrong->message).c_str());
    return;
  }
  for (int i = 0; i < kWarmUps; ++i) {
    stopwatch.Seconds(transpose_once);
    stopwatch.Seconds(copy_once);
  }

  std::vector<double> seconds, copy_seconds;
  for (auto _ : state) {
    seconds.push_back(stopwatch.Seconds(transpose_once));
    copy_seconds.push_back(stopwatch.Seconds(copy_once));
    state.SetIterationTime(seconds.back());
  }
  const double bytes_moved = 2.0 * static_cast<double>(shape.Bytes());
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(2 * shape.Bytes()));
  state.counters["GB/s"] = bytes_moved / lab::Median(seconds) * 1e-9;
  state.counters["ns_per_element"] = lab::Median(seconds) / static_cast<double>(shape.Elements()) * 1e9;
  state.counters["copy_GB/s"] = bytes_moved / lab::Median(copy_seconds) * 1e-9;
  state.counters["share_of_copy"] = lab::Median(copy_seconds) / lab::Median(seconds);
}

template <typename T>
void Register(int32_t variant, size_t rows, size_t columns) {
  const MatrixCase c = {.rows = rows, .columns = columns, .variant = variant};
  const std::string name =
      std::string("transpose<") + lab2::Name(variant) + ">/" + std::to_string(rows) + "x" + std::to_string(columns);
  lab::RegisterBench(name, kMinSeconds, [c](benchmark::State& state) { Transpose<T>(state, c); });
}

void RegisterAll() {
  for (size_t n = 32; n <= 16384; n *= 2) Register<float>(lab2::kFloat, n, n);  // 2^10 to 2^28 elements
  Register<float>(lab2::kFloat, 1024, 65536);
  Register<float>(lab2::kFloat, 65536, 1024);
  Register<float>(lab2::kFloat, 8191, 8193);  // no two rows start at the same place in a sector
  Register<double>(lab2::kDouble, 8192, 8192);
  Register<int>(lab2::kInt, 8192, 8192);
}

void CallWithNothing() { transpose<float>(nullptr, nullptr, 0, 0, nullptr); }

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungBench({.call_with_nothing = CallWithNothing, .register_all = RegisterAll}, argc, argv);
}
