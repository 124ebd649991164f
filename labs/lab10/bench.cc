// How fast one rung of lab10 is for 2^10 .. 2^27 elements and for other values and keys, next to CUB and to a device
// copy in the same run, turn by turn. GPU only: an emulator's time says nothing. Exit code 77: skipped.
//
//   GB/s            bytes read and written once, 8 * n, over the median time
//   ns_per_element  the median time over n
//   cub_GB/s, copy_GB/s, share_of_cub, share_of_copy
//
// No test runs it, since it measures time: `make lab10_bench` builds one program for each rung.
#include <benchmark/benchmark.h>
#include <cuda_runtime_api.h>

#include <string>
#include <vector>

#include "labs/lab10/bench_peers.h"
#include "labs/lab10/cases.h"
#include "labs/lab10/explain.h"
#include "labs/lab10/hints.h"
#include "labs/lab10/lab10.h"
#include "labs/lab10/values.h"
#include "labs/support/device_array.h"
#include "labs/support/rung_bench.h"
#include "labs/support/stopwatch.h"

namespace {

using lab10::Problem;

constexpr int kWarmUps = 2;
constexpr double kMinSeconds = 0.02;  // of measured time for each size

bool sorts_whole_elements = false;  // of this program's rung

uint32_t* Elements(const lab::DeviceArray& array) { return static_cast<uint32_t*>(array.data()); }

void Sort(benchmark::State& state, const Problem& p) {
  std::vector<uint32_t> in(p.n), out(p.n);
  Draw(p, /*seed=*/1, in.data());
  const size_t cub_bytes = lab10::CubBytes(p.n, p.bits);
  const lab::DeviceArray d_in(p.Bytes()), d_out(p.Bytes()), d_work(p.WorkBytes()), d_cub(cub_bytes);
  lab::Require(cudaMemcpy(d_in.data(), in.data(), p.Bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
  lab::Require(cudaMemset(d_out.data(), lab10::kPoisonByte, p.Bytes()), "cudaMemset");

  lab::Stopwatch stopwatch;
  const auto sort_once = [&] {
    lab10::CallRung(Elements(d_in), Elements(d_out), p.n, p.bits, Elements(d_work), stopwatch.stream());
  };
  const auto cub_once = [&] {
    lab::Require(
        lab10::CubSort(d_cub.data(), cub_bytes, Elements(d_in), Elements(d_out), p.n, p.bits, stopwatch.stream()),
        "CUB");
  };
  const auto copy_once = [&] {
    lab::Require(cudaMemcpyAsync(d_out.data(), d_in.data(), p.Bytes(), cudaMemcpyDeviceToDevice, stopwatch.stream()),
                 "cudaMemcpyAsync");
  };

  // A wrong sort has no throughput.
  stopwatch.Seconds(sort_once);
  lab::Require(cudaMemcpy(out.data(), d_out.data(), p.Bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  if (const auto wrong = lab10::Explain(p, in.data(), out.data())) {
    state.SkipWithError(("wrong: " + wrong->message).c_str());
    return;
  }
  for (int i = 0; i < kWarmUps; ++i) {
    stopwatch.Seconds(sort_once);
    stopwatch.Seconds(cub_once);
    stopwatch.Seconds(copy_once);
  }

  std::vector<double> seconds, cub_seconds, copy_seconds;
  for (auto _ : state) {
    seconds.push_back(stopwatch.Seconds(sort_once));
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
  const std::string name =
      "sort/" + std::to_string(p.n) + "/" + std::to_string(p.bits) + "_bits/" + lab10::Name(p.pattern);
  lab::RegisterBench(name, kMinSeconds, [p](benchmark::State& state) { Sort(state, p); });
}

void RegisterAll() {
  constexpr size_t kLarge = size_t{1} << 27;
  for (size_t n = size_t{1} << 10; n < kLarge; n *= 4) Register({.n = n});
  for (int pattern = 0; pattern < lab10::kPatternCount; ++pattern) {
    Register({.n = kLarge, .pattern = static_cast<lab10::Pattern>(pattern)});
  }
  if (sorts_whole_elements) return;
  for (const int bits : {8, 16, 20}) Register({.n = kLarge, .bits = bits});
}

void CallWithNothing() { lab10::CallRung(nullptr, nullptr, 0, lab10::kKeyBits, nullptr, nullptr); }

}  // namespace

int main(int argc, char** argv) {
  sorts_whole_elements = lab10::SortsWholeElements(lab::RungOfProgram(argv[0]));
  return lab::RunRungBench({.call_with_nothing = CallWithNothing, .register_all = RegisterAll}, argc, argv);
}
