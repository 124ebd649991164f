// How fast one rung of lab9 is, over matrices with long, short and skewed rows, next to cuSPARSE and to a device copy
// in the same run, turn by turn. GPU only: an emulator's time says nothing. Exit code 77: skipped.
//
//   GB/s               the bytes of all arrays, each once, over the median time
//   ns_per_element     the median time over the nonzeros
//   cusparse_GB/s      the first for cusparseSpMV, by the faster one of its two algorithms for CSR
//   share_of_cusparse  the first over that
//   share_of_copy      the first over the bytes that a device copy of d_values reads and writes in a second
//
// No test runs it, since it measures time: `make lab9_bench` builds one program for each rung.
#include <benchmark/benchmark.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "labs/lab9/bench_peers.h"
#include "labs/lab9/cases.h"
#include "labs/lab9/explain.h"
#include "labs/lab9/lab9.h"
#include "labs/lab9/values.h"
#include "labs/support/device_array.h"
#include "labs/support/rung_bench.h"
#include "labs/support/stopwatch.h"

namespace {

using lab9::Problem;

constexpr int kWarmUps = 3;
constexpr double kMinSeconds = 0.05;  // of measured time for each size

// The same for all sizes; made by main when there is a GPU, and never destroyed.
lab9::Cusparse* cusparse = nullptr;

// One product on the device, and what its inputs are on the host.
struct Arrays {
  explicit Arrays(const Problem& p)
      : offsets(p.rows + 1),
        columns(p.nonzeros),
        values(p.nonzeros),
        x(p.columns),
        y(p.rows),
        d_offsets(offsets.size() * sizeof(int)),
        d_columns(columns.size() * sizeof(int)),
        d_values(values.size() * sizeof(float)),
        d_x(x.size() * sizeof(float)),
        d_y(y.size() * sizeof(float)) {
    DrawOffsets(p, /*seed=*/1, offsets.data());
    DrawColumns(p, /*seed=*/2, columns.data());
    DrawValues(p, /*seed=*/3, values.data());
    DrawX(p, /*seed=*/4, x.data());
    Upload(offsets, d_offsets);
    Upload(columns, d_columns);
    Upload(values, d_values);
    Upload(x, d_x);
    lab::Require(cudaMemset(d_y.data(), lab9::kPoisonByte, y.size() * sizeof(float)), "cudaMemset");
  }

  template <typename T>
  static void Upload(const std::vector<T>& from, const lab::DeviceArray& to) {
    lab::Require(cudaMemcpy(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }

  lab9::Arguments Arguments() const {
    return {.d_offsets = static_cast<const int*>(d_offsets.data()),
            .d_columns = static_cast<const int*>(d_columns.data()),
            .d_values = static_cast<const float*>(d_values.data()),
            .d_x = static_cast<const float*>(d_x.data()),
            .d_y = static_cast<float*>(d_y.data()),
            .rows = static_cast<int>(y.size()),
            .columns = static_cast<int>(x.size()),
            .nonzeros = static_cast<int>(values.size())};
  }
  double Bytes() const {
    return static_cast<double>((offsets.size() + columns.size()) * sizeof(int) +
                               (values.size() + x.size() + y.size()) * sizeof(float));
  }

  std::vector<int> offsets, columns;
  std::vector<float> values, x, y;
  lab::DeviceArray d_offsets, d_columns, d_values, d_x, d_y;
};

// cuSPARSE's faster algorithm for this matrix; null when there is none.
std::unique_ptr<lab9::Cusparse::Product> Fastest(const lab9::Arguments& a, lab::Stopwatch& stopwatch) {
  std::unique_ptr<lab9::Cusparse::Product> fastest;
  double least = 0;
  for (const int algorithm : {1, 2}) {
    if (!cusparse->problem().empty()) continue;
    auto product = cusparse->Prepare(a, algorithm, stopwatch.stream());
    if (product == nullptr || !product->Multiply(stopwatch.stream())) continue;
    const double seconds = stopwatch.Seconds([&] { product->Multiply(stopwatch.stream()); });
    if (fastest != nullptr && seconds >= least) continue;
    fastest = std::move(product);
    least = seconds;
  }
  return fastest;
}

void Multiply(benchmark::State& state, const Problem& p) {
  Arrays arrays(p);
  const lab9::Arguments a = arrays.Arguments();
  const lab::DeviceArray d_copy(p.nonzeros * sizeof(float));
  lab::Stopwatch stopwatch;
  const auto ours_once = [&] { lab9::CallRung(a, stopwatch.stream()); };
  const auto copy_once = [&] {
    lab::Require(cudaMemcpyAsync(d_copy.data(), a.d_values, p.nonzeros * sizeof(float), cudaMemcpyDeviceToDevice,
                                 stopwatch.stream()),
                 "cudaMemcpyAsync");
  };

  // A wrong product has no throughput.
  stopwatch.Seconds(ours_once);
  lab::Require(cudaMemcpy(arrays.y.data(), a.d_y, arrays.y.size() * sizeof(float), cudaMemcpyDeviceToHost),
               "cudaMemcpy");
  const lab9::Inputs inputs = {.offsets = arrays.offsets.data(),
                               .columns = arrays.columns.data(),
                               .values = arrays.values.data(),
                               .x = arrays.x.data()};
  if (const auto wrong = lab9::Explain(p, inputs, arrays.y.data())) {
    state.SkipWithError(("wrong: " + wrong->message).c_str());
    return;
  }
  const auto library = Fastest(a, stopwatch);
  const auto library_once = [&] {
    if (!library->Multiply(stopwatch.stream())) throw std::runtime_error("cuSPARSE refused");
  };
  for (int i = 0; i < kWarmUps; ++i) {
    stopwatch.Seconds(ours_once);
    if (library != nullptr) stopwatch.Seconds(library_once);
    stopwatch.Seconds(copy_once);
  }

  std::vector<double> seconds, library_seconds, copy_seconds;
  for (auto _ : state) {
    seconds.push_back(stopwatch.Seconds(ours_once));
    if (library != nullptr) library_seconds.push_back(stopwatch.Seconds(library_once));
    copy_seconds.push_back(stopwatch.Seconds(copy_once));
    state.SetIterationTime(seconds.back());
  }
  const double ours = lab::Median(seconds);
  state.counters["GB/s"] = arrays.Bytes() / ours * 1e-9;
  state.counters["ns_per_element"] = ours / static_cast<double>(p.nonzeros) * 1e9;
  const double copied = 2 * sizeof(float) * static_cast<double>(p.nonzeros) / lab::Median(copy_seconds);
  state.counters["share_of_copy"] = arrays.Bytes() / ours / copied;
  if (library == nullptr) return;
  state.counters["cusparse_GB/s"] = arrays.Bytes() / lab::Median(library_seconds) * 1e-9;
  state.counters["share_of_cusparse"] = lab::Median(library_seconds) / ours;
}

void Register(const std::string& name, size_t mean, size_t nonzeros, lab9::Lengths lengths) {
  const size_t rows = nonzeros / mean;
  const Problem p = {.rows = rows, .columns = rows, .nonzeros = nonzeros, .lengths = lengths};
  lab::RegisterBench("sparse/" + name + "/" + std::to_string(nonzeros), kMinSeconds,
                     [p](benchmark::State& state) { Multiply(state, p); });
}

void RegisterAll() {
  cusparse = new lab9::Cusparse;
  benchmark::AddCustomContext("cusparse", cusparse->problem().empty() ? "found" : cusparse->problem());
  for (const size_t nonzeros : {size_t{1} << 16, size_t{1} << 20, size_t{1} << 26}) {
    Register("long", 128, nonzeros, lab9::kUneven);
    Register("middle", 32, nonzeros, lab9::kUneven);
    Register("short", 10, nonzeros, lab9::kUneven);
    Register("skewed", 12, nonzeros, lab9::kSkewed);
  }
}

void CallWithNothing() { lab9::CallRung({}, nullptr); }

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungBench({.call_with_nothing = CallWithNothing, .register_all = RegisterAll}, argc, argv);
}
