// How fast one rung of lab3 is, over matrix sizes, next to cuBLAS in the same run, turn by turn. GPU only: an
// emulator's time says nothing. Exit code 77: skipped.
//
//   GFLOP/s          2 * m * k * n operations over the median time
//   ns_per_element   the median time over the elements of C
//   cublas_GFLOP/s   the same for cuBLAS: pedantic FP32 for v1 to v6, halves with float sums for v7
//   share_of_cublas  the first over the second
//
// No test runs it, since it measures time: `make lab3_bench` builds one program for each rung.
#include <benchmark/benchmark.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "labs/lab3/bench_peers.h"
#include "labs/lab3/explain.h"
#include "labs/lab3/hints.h"
#include "labs/lab3/lab3.h"
#include "labs/lab3/values.h"
#include "labs/support/device_array.h"
#include "labs/support/rung_bench.h"
#include "labs/support/stopwatch.h"

namespace {

using lab3::Problem;

constexpr int kWarmUps = 3;
constexpr double kMinSeconds = 0.1;  // of measured time for each size

// The same for all sizes; made by main when there is a GPU, and never destroyed.
lab3::Cublas* cublas = nullptr;

void Multiply(benchmark::State& state, const Problem& p) {
  std::vector<std::byte> a(p.BytesOfA()), b(p.BytesOfB());
  std::vector<float> c(p.m * p.n);
  DrawA(p, /*seed=*/1, a.data());
  DrawB(p, /*seed=*/2, b.data());
  const lab::DeviceArray d_a(a.size()), d_b(b.size()), d_c(p.BytesOfC());
  lab::Require(cudaMemcpy(d_a.data(), a.data(), a.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  lab::Require(cudaMemcpy(d_b.data(), b.data(), b.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  lab::Require(cudaMemset(d_c.data(), lab3::kPoisonByte, p.BytesOfC()), "cudaMemset");

  lab::Stopwatch stopwatch;
  auto* const product = static_cast<float*>(d_c.data());
  const auto multiply_once = [&] {
    lab3::CallRung(d_a.data(), d_b.data(), product, p.m, p.k, p.n, stopwatch.stream());
  };
  const auto cublas_once = [&] {
    if (!cublas->Multiply(p.variant, d_a.data(), d_b.data(), product, p.m, p.k, p.n, stopwatch.stream())) {
      throw std::runtime_error("cuBLAS refused");
    }
  };

  // A wrong product has no throughput.
  stopwatch.Seconds(multiply_once);
  lab::Require(cudaMemcpy(c.data(), product, p.BytesOfC(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  if (const auto wrong = lab3::Explain(p, a.data(), b.data(), c.data())) {
    state.SkipWithError(("wrong: " + wrong->message).c_str());
    return;
  }
  const bool has_cublas = cublas->problem().empty();
  for (int i = 0; i < kWarmUps; ++i) {
    stopwatch.Seconds(multiply_once);
    if (has_cublas) stopwatch.Seconds(cublas_once);
  }

  std::vector<double> seconds, cublas_seconds;
  for (auto _ : state) {
    seconds.push_back(stopwatch.Seconds(multiply_once));
    if (has_cublas) cublas_seconds.push_back(stopwatch.Seconds(cublas_once));
    state.SetIterationTime(seconds.back());
  }
  const double elements = static_cast<double>(p.m) * static_cast<double>(p.n);
  const double flops = 2 * elements * static_cast<double>(p.k);
  state.counters["GFLOP/s"] = flops / lab::Median(seconds) * 1e-9;
  state.counters["ns_per_element"] = lab::Median(seconds) / elements * 1e9;
  if (!has_cublas) return;
  state.counters["cublas_GFLOP/s"] = flops / lab::Median(cublas_seconds) * 1e-9;
  state.counters["share_of_cublas"] = lab::Median(cublas_seconds) / lab::Median(seconds);
}

void Register(size_t m, size_t k, size_t n) {
  const Problem p = {.m = m, .k = k, .n = n, .variant = lab3::RungVariant()};
  const std::string name = "matmul/" + std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n);
  lab::RegisterBench(name, kMinSeconds, [p](benchmark::State& state) { Multiply(state, p); });
}

void RegisterAll() {
  cublas = new lab3::Cublas;
  benchmark::AddCustomContext("cublas", cublas->problem().empty() ? "found" : cublas->problem());
  for (const size_t side : {128, 256, 512, 1024, 2048, 4096, 8192}) Register(side, side, side);
  Register(4095, 4095, 4095);  // no row starts where a wide load could
  Register(4000, 4000, 4000);  // every row does, but no tile is whole at the edge
  Register(16384, 256, 8192);
  Register(256, 16384, 256);  // few results, long sums
}

void CallWithNothing() { lab3::CallRung(nullptr, nullptr, nullptr, 0, 0, 0, nullptr); }

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungBench({.call_with_nothing = CallWithNothing, .register_all = RegisterAll}, argc, argv);
}
