// How fast one rung of lab5 is for 2^10 .. 2^28 elements, next to CUB and to a device copy in the same run, turn by
// turn. GPU only: an emulator's time says nothing. Exit code 77: skipped.
//
//   GB/s            bytes read and written once, 8 * n, over the median time
//   ns_per_element  the median time over n
//   cub_GB/s, copy_GB/s, share_of_cub, share_of_copy
//
// No test runs it, since it measures time: `make lab5_bench` builds one program for each rung.
#include <benchmark/benchmark.h>
#include <cuda_runtime_api.h>

#include <string>
#include <vector>

#include "labs/lab5/bench_peers.h"
#include "labs/lab5/cases.h"
#include "labs/lab5/explain.h"
#include "labs/lab5/hints.h"
#include "labs/lab5/lab5.h"
#include "labs/lab5/values.h"
#include "labs/support/device_array.h"
#include "labs/support/rung_bench.h"
#include "labs/support/stopwatch.h"

namespace {

using lab5::Problem;

constexpr int kWarmUps = 3;
constexpr double kMinSeconds = 0.02;  // of measured time for each size

void Scan(benchmark::State& state, const Problem& p) {
  std::vector<std::byte> in(p.Bytes()), out(p.Bytes());
  DrawInput(p, /*seed=*/1, in.data());
  const size_t cub_bytes = lab5::CubBytes(p.variant, p.n);
  const lab::DeviceArray d_in(in.size()), d_out(out.size()), d_cub(cub_bytes);
  const lab::DeviceArray d_work(WorkElements(p.n) * lab5::kElementBytes);
  lab::Require(cudaMemcpy(d_in.data(), in.data(), in.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  lab::Require(cudaMemset(d_out.data(), lab5::kPoisonByte, out.size()), "cudaMemset");

  lab::Stopwatch stopwatch;
  const auto scan_once = [&] {
    lab5::CallScan(p.variant, d_in.data(), d_out.data(), p.n, d_work.data(), stopwatch.stream());
  };
  const auto cub_once = [&] {
    lab::Require(lab5::CubScan(p.variant, d_cub.data(), cub_bytes, d_in.data(), d_out.data(), p.n, stopwatch.stream()),
                 "CUB");
  };
  const auto copy_once = [&] {
    lab::Require(cudaMemcpyAsync(d_out.data(), d_in.data(), in.size(), cudaMemcpyDeviceToDevice, stopwatch.stream()),
                 "cudaMemcpyAsync");
  };

  // A wrong scan has no throughput.
  stopwatch.Seconds(scan_once);
  lab::Require(cudaMemcpy(out.data(), d_out.data(), out.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  if (const auto wrong = lab5::Explain(p, in.data(), out.data())) {
    state.SkipWithError(("wrong: " + wrong->message).c_str());
    return;
  }
  for (int i = 0; i < kWarmUps; ++i) {
    stopwatch.Seconds(scan_once);
    stopwatch.Seconds(cub_once);
    stopwatch.Seconds(copy_once);
  }

  std::vector<double> seconds, cub_seconds, copy_seconds;
  for (auto _ : state) {
    seconds.push_back(stopwatch.Seconds(scan_once));
    cub_seconds.push_back(stopwatch.Seconds(cub_once));
    copy_seconds.push_back(stopwatch.Seconds(copy_once));
    state.SetIterationTime(seconds.back());
  }
  const double ours = lab::Median(seconds), cub = lab::Median(cub_seconds), copy = lab::Median(copy_seconds);
  const double gigabytes = 2e-9 * static_cast<double>(p.Bytes());
  state.counters["GB/s"] = gigabytes / ours;
  state.counters["ns_per_element"] = ours / static_cast<double>(p.n) * 1e9;
  state.counters["cub_GB/s"] = gigabytes / cub;
  state.counters["copy_GB/s"] = gigabytes / copy;
  state.counters["share_of_cub"] = cub / ours;
  state.counters["share_of_copy"] = copy / ours;
}

void Register(const Problem& p) {
  std::string name = "scan/" + std::to_string(p.n) + (lab5::IsFloat(p.variant) ? "/float" : "/int") +
                     (p.is_inclusive() ? "/inclusive" : "/exclusive");
  lab::RegisterBench(name, kMinSeconds, [p](benchmark::State& state) { Scan(state, p); });
}

void RegisterAll() {
  for (int exponent = 10; exponent <= 28; ++exponent) Register({.n = size_t{1} << exponent});
  Register({.n = (size_t{1} << 28) - 1});  // the last tile is not whole
  Register({.n = size_t{1} << 28, .variant = lab5::kFloatExclusive});
  Register({.n = size_t{1} << 28, .variant = lab5::kIntInclusive});
}

void CallWithNothing() { lab5::CallScan(lab5::kFloatInclusive, nullptr, nullptr, 0, nullptr, nullptr); }

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungBench({.call_with_nothing = CallWithNothing, .register_all = RegisterAll}, argc, argv);
}
