// How fast one rung of lab1 is, over 2^10 to 2^28 floats, next to CUB and to a device-to-device copy in the same run,
// turn by turn. GPU only: an emulator's time says nothing. Exit code 77: skipped.
//
//   GB/s            bytes read, 4 for each element, over the median time
//   ns_per_element  the median time over n
//   cub_GB/s        the same as GB/s for cub::DeviceReduce::Sum
//   share_of_cub    the first over that
//   copy_GB/s       bytes read and written by a copy of the same elements, over its median time
//   share_of_copy   GB/s over copy_GB/s: what the rung reaches of the bandwidth
//
// No test runs it, since it measures time: `make lab1_bench` builds one program for each rung.
#include <benchmark/benchmark.h>
#include <cuda_runtime_api.h>

#include <string>
#include <vector>

#include "labs/lab1/bench_peers.h"
#include "labs/lab1/explain.h"
#include "labs/lab1/lab1.h"
#include "labs/lab1/values.h"
#include "labs/support/device_array.h"
#include "labs/support/rung_bench.h"
#include "labs/support/stopwatch.h"

namespace {

using lab1::Problem;

constexpr int kWarmUps = 3;
constexpr double kMinSeconds = 0.1;  // of measured time for each size
constexpr lab1::Variant kFloatSum = {lab1::Element::kFloat, lab1::Operation::kSum};

void ReduceFloats(benchmark::State& state) {
  const Problem p = {.n = static_cast<size_t>(state.range(0)), .variant = kFloatSum};
  const size_t n = p.n, bytes = p.InBytes();
  std::vector<std::byte> in(bytes);
  DrawInput(p, /*seed=*/1, in.data());
  const lab::DeviceArray d_in(bytes), d_copy(bytes), d_out(sizeof(float)), d_work(WorkElements(n) * sizeof(float));
  const size_t temporary_bytes = lab1::CubSumTemporaryBytes(n);
  const lab::DeviceArray d_temporary(temporary_bytes);
  lab::Require(cudaMemcpy(d_in.data(), in.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");

  lab::Stopwatch stopwatch;
  const cudaStream_t stream = stopwatch.stream();
  const auto* const floats = static_cast<const float*>(d_in.data());
  auto* const sum = static_cast<float*>(d_out.data());
  const auto reduce_once = [&] { lab1::CallReduce(kFloatSum, d_in.data(), n, sum, d_work.data(), stream); };
  const auto cub_once = [&] {
    lab::Require(lab1::CubSum(d_temporary.data(), temporary_bytes, floats, n, sum, stream), "CUB");
  };
  const auto copy_once = [&] {
    lab::Require(cudaMemcpyAsync(d_copy.data(), d_in.data(), bytes, cudaMemcpyDeviceToDevice, stream), "copy");
  };

  // A wrong sum has no throughput.
  const auto wrong = [&] {
    float out = 0;
    lab::Require(cudaMemcpy(&out, sum, sizeof out, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return lab1::Explain(p, in.data(), &out);
  };
  for (int i = 0; i < kWarmUps; ++i) {
    stopwatch.Seconds(cub_once);
    stopwatch.Seconds(copy_once);
    lab::Require(cudaMemset(sum, 0xFF, sizeof(float)), "cudaMemset");  // CUB left the right answer here
    stopwatch.Seconds(reduce_once);
    if (const auto difference = wrong()) {
      state.SkipWithError(("wrong: " + difference->message).c_str());
      return;
    }
  }

  std::vector<double> seconds, cub_seconds, copy_seconds;
  for (auto _ : state) {
    seconds.push_back(stopwatch.Seconds(reduce_once));
    cub_seconds.push_back(stopwatch.Seconds(cub_once));
    copy_seconds.push_back(stopwatch.Seconds(copy_once));
    state.SetIterationTime(seconds.back());
  }
  const double median = lab::Median(seconds), read = static_cast<double>(bytes);
  state.SetBytesProcessed(static_cast<int64_t>(bytes) * state.iterations());
  state.counters["GB/s"] = read / median * 1e-9;
  state.counters["ns_per_element"] = median / static_cast<double>(n) * 1e9;
  state.counters["cub_GB/s"] = read / lab::Median(cub_seconds) * 1e-9;
  state.counters["share_of_cub"] = lab::Median(cub_seconds) / median;
  state.counters["copy_GB/s"] = 2 * read / lab::Median(copy_seconds) * 1e-9;
  state.counters["share_of_copy"] = lab::Median(copy_seconds) / (2 * median);
}

// Every second power of two; the last is what the throughput points are measured with.
void RegisterAll() {
  auto* const sizes = lab::RegisterBench("reduce<float, Sum>", kMinSeconds, ReduceFloats);
  for (int log2 = 10; log2 <= 28; log2 += 2) sizes->Arg(int64_t{1} << log2);
  sizes->Arg((int64_t{1} << 24) + 1);  // ends off a 16-byte boundary
  sizes->ArgName("n");
}

void CallWithNothing() {
  const lab::DeviceArray d_out(sizeof(float)), d_work(WorkElements(0) * sizeof(float));
  lab1::CallReduce(kFloatSum, nullptr, 0, d_out.data(), d_work.data(), nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungBench({.call_with_nothing = CallWithNothing, .register_all = RegisterAll}, argc, argv);
}
