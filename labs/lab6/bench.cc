// How fast one rung of lab6 is, over sizes, points and steps, next to a device copy in the same run, turn by turn. GPU
// only: an emulator's time says nothing. Exit code 77: skipped.
//
//   GB/s             8 bytes for each element and step (a step must read and write each element, unless a pass does
//                    several) over the median time
//   GFLOP/s          2 * points - 1 operations for each element and step, over the same
//   ns_per_element   the median time over elements and steps
//   share_of_copy    the first over what a device copy of the field reads and writes in a second
//
// No test runs it, since it measures time: `make lab6_bench` builds one program for each rung.
#include <benchmark/benchmark.h>
#include <cuda_runtime_api.h>

#include <string>
#include <vector>

#include "labs/lab6/explain.h"
#include "labs/lab6/hints.h"
#include "labs/lab6/lab6.h"
#include "labs/lab6/values.h"
#include "labs/support/device_array.h"
#include "labs/support/rung_bench.h"
#include "labs/support/stopwatch.h"

namespace {

using lab6::Problem;

constexpr int kWarmUps = 3;
constexpr double kMinSeconds = 0.05;  // of measured time for each size

void Stencil(benchmark::State& state, const Problem& p) {
  std::vector<float> in(p.Elements()), out(p.Elements());
  Draw(p, /*seed=*/1, in.data());
  const lab::DeviceArray d_in(p.Bytes()), d_out(p.Bytes()), d_work(p.Bytes());
  lab::Require(cudaMemcpy(d_in.data(), in.data(), p.Bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
  lab::Require(cudaMemset(d_out.data(), lab6::kPoisonByte, p.Bytes()), "cudaMemset");

  lab::Stopwatch stopwatch;
  const auto steps_once = [&] {
    lab6::CallRung(static_cast<const float*>(d_in.data()), static_cast<float*>(d_out.data()),
                   static_cast<float*>(d_work.data()), p.rows, p.columns, p.points, p.MakeWeights(), p.steps,
                   stopwatch.stream());
  };
  const auto copy_once = [&] {
    lab::Require(cudaMemcpyAsync(d_out.data(), d_in.data(), p.Bytes(), cudaMemcpyDeviceToDevice, stopwatch.stream()),
                 "cudaMemcpyAsync");
  };

  // A wrong answer has no throughput.
  stopwatch.Seconds(steps_once);
  lab::Require(cudaMemcpy(out.data(), d_out.data(), p.Bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  if (const auto wrong = lab6::Explain(p, in.data(), out.data())) {
    state.SkipWithError(("wrong: " + wrong->message).c_str());
    return;
  }
  for (int i = 0; i < kWarmUps; ++i) {
    stopwatch.Seconds(steps_once);
    stopwatch.Seconds(copy_once);
  }

  std::vector<double> seconds, copy_seconds;
  for (auto _ : state) {
    seconds.push_back(stopwatch.Seconds(steps_once));
    copy_seconds.push_back(stopwatch.Seconds(copy_once));
    state.SetIterationTime(seconds.back());
  }
  const double ours = lab::Median(seconds), copy = lab::Median(copy_seconds);
  const double updates = static_cast<double>(p.Elements()) * p.steps;
  state.counters["GB/s"] = 2 * sizeof(float) * updates / ours * 1e-9;
  state.counters["GFLOP/s"] = (2 * p.points - 1) * updates / ours * 1e-9;
  state.counters["ns_per_element"] = ours / updates * 1e9;
  state.counters["share_of_copy"] = copy * p.steps / ours;
}

void Register(size_t rows, size_t columns, int32_t points, int steps) {
  const lab6::Pattern pattern = steps > lab6::kMostExactSteps ? lab6::kFractions : lab6::kExact;
  const Problem p = {.rows = rows,
                     .columns = columns,
                     .steps = steps,
                     .points = points,
                     .pattern = pattern,
                     .weights = lab6::WeightsKey(pattern, 1)};
  const std::string name = "stencil/" + std::to_string(rows) + "x" + std::to_string(columns) + "/" +
                           std::to_string(points) + "_points/" + std::to_string(steps) + "_steps";
  lab::RegisterBench(name, kMinSeconds, [p](benchmark::State& state) { Stencil(state, p); });
}

void RegisterAll() {
  for (const int32_t points : {lab6::kFive, lab6::kNine}) {
    for (const size_t side : {32, 128, 512, 1024, 2048, 4096, 8192, 16384}) Register(side, side, points, 1);
    for (const int steps : {2, 4, 16}) Register(8192, 8192, points, steps);
    Register(8191, 8191, points, 4);  // no row starts where a wide load could
  }
}

void CallWithNothing() { lab6::CallRung(nullptr, nullptr, nullptr, 0, 0, 9, lab6::MakeWeights(9, 0), 1, nullptr); }

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungBench({.call_with_nothing = CallWithNothing, .register_all = RegisterAll}, argc, argv);
}
