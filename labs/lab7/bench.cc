// How fast one rung of lab7 is, over sizes, types and values, next to CUB and to a device copy in the same run, turn by
// turn. GPU only: an emulator's time says nothing. Exit code 77: skipped.
//
//   GB/s             bytes of the elements over the median time
//   ns_per_element   the median time over the elements
//   cub_GB/s         the same as the first for cub::DeviceHistogram::HistogramEven
//   share_of_cub     the first over that
//   share_of_copy    the first over the bytes that a device copy of the elements reads and writes in a second
//
// No test runs it, since it measures time: `make lab7_bench` builds one program for each rung.
#include <benchmark/benchmark.h>
#include <cuda_runtime_api.h>

#include <string>
#include <vector>

#include "labs/lab7/bench_peers.h"
#include "labs/lab7/cases.h"
#include "labs/lab7/explain.h"
#include "labs/lab7/hints.h"
#include "labs/lab7/lab7.h"
#include "labs/lab7/values.h"
#include "labs/support/device_array.h"
#include "labs/support/rung_bench.h"
#include "labs/support/stopwatch.h"

namespace {

using lab7::Problem;

constexpr int kWarmUps = 3;
constexpr double kMinSeconds = 0.05;  // of measured time for each size

void Histogram(benchmark::State& state, const Problem& p) {
  std::vector<std::byte> in(p.BytesOfInput());
  std::vector<unsigned> counts(static_cast<size_t>(p.bins));
  Draw(p, /*seed=*/1, in.data());
  const size_t temporary_bytes = lab7::CubTemporaryBytes(p.variant, p.n, p.bins);
  const lab::DeviceArray d_in(in.size()), d_copy(in.size()), d_bins(p.BytesOfBins()), d_temporary(temporary_bytes);
  lab::Require(cudaMemcpy(d_in.data(), in.data(), in.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  lab::Require(cudaMemset(d_bins.data(), lab7::kPoisonByte, p.BytesOfBins()), "cudaMemset");

  lab::Stopwatch stopwatch;
  auto* const bins = static_cast<unsigned*>(d_bins.data());
  const auto ours_once = [&] { lab7::CallRung(p.variant, d_in.data(), p.n, bins, p.bins, stopwatch.stream()); };
  const auto cub_once = [&] {
    lab::Require(lab7::CubHistogram(p.variant, d_temporary.data(), temporary_bytes, d_in.data(), p.n, bins, p.bins,
                                    stopwatch.stream()),
                 "cub::DeviceHistogram::HistogramEven");
  };
  const auto copy_once = [&] {
    lab::Require(cudaMemcpyAsync(d_copy.data(), d_in.data(), in.size(), cudaMemcpyDeviceToDevice, stopwatch.stream()),
                 "cudaMemcpyAsync");
  };

  // A wrong answer has no throughput.
  stopwatch.Seconds(ours_once);
  lab::Require(cudaMemcpy(counts.data(), bins, p.BytesOfBins(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  if (const auto wrong = lab7::Explain(p, in.data(), counts.data())) {
    state.SkipWithError(("wrong: " + wrong->message).c_str());
    return;
  }
  for (int i = 0; i < kWarmUps; ++i) {
    stopwatch.Seconds(ours_once);
    stopwatch.Seconds(cub_once);
    stopwatch.Seconds(copy_once);
  }

  std::vector<double> seconds, cub_seconds, copy_seconds;
  for (auto _ : state) {
    seconds.push_back(stopwatch.Seconds(ours_once));
    cub_seconds.push_back(stopwatch.Seconds(cub_once));
    copy_seconds.push_back(stopwatch.Seconds(copy_once));
    state.SetIterationTime(seconds.back());
  }
  const double ours = lab::Median(seconds), cub = lab::Median(cub_seconds), copy = lab::Median(copy_seconds);
  const auto bytes = static_cast<double>(p.BytesOfInput());
  state.counters["GB/s"] = bytes / ours * 1e-9;
  state.counters["ns_per_element"] = ours / static_cast<double>(p.n) * 1e9;
  state.counters["cub_GB/s"] = bytes / cub * 1e-9;
  state.counters["share_of_cub"] = cub / ours;
  state.counters["share_of_copy"] = copy / (2 * ours);
}

void Register(const Problem& p) {
  const std::string name = std::string("histogram/") + lab7::Name(p.variant) + "/" + std::to_string(p.bins) + "_bins/" +
                           lab7::Name(p.pattern) + "/" + std::to_string(p.n);
  lab::RegisterBench(name, kMinSeconds, [p](benchmark::State& state) { Histogram(state, p); });
}

void RegisterAll() {
  constexpr size_t kLarge = size_t{1} << 28;
  for (const int32_t variant : {lab7::kByte, lab7::kInt}) {
    for (size_t n = 1 << 10; n <= kLarge; n *= 4) Register({.n = n, .bins = 256, .variant = variant});
    for (const lab7::Pattern pattern : {lab7::kEqual, lab7::kSorted, lab7::kTwo, lab7::kSkewed}) {
      Register({.n = kLarge, .bins = 256, .variant = variant, .pattern = pattern});
    }
  }
  for (const int bins : {2, 32, 1024, 4096}) Register({.n = kLarge, .bins = bins, .variant = lab7::kInt});
  Register({.n = kLarge, .bins = 4096, .variant = lab7::kInt, .pattern = lab7::kEqual});
}

void CallWithNothing() { lab7::CallRung(lab7::kByte, nullptr, 0, nullptr, 1, nullptr); }

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungBench({.call_with_nothing = CallWithNothing, .register_all = RegisterAll}, argc, argv);
}
