// How fast one rung of lab1 is, over 2^10 to 2^28 floats, next to CUB and to a device-to-device copy in the same run,
// turn by turn. GPU only: an emulator's time says nothing. Exit code 77: skipped.
//
//   GB/s            bytes read, 4 for each element, over the median time
//   ns_per_element  the median time over n
//   cub_GB/s        the same as GB/s for cub::DeviceReduce::Sum
//   share_of_cub    the first over that
//   copy_GB/s       bytes read and written by a copy of the same elements, over its median time
//   share_of_copy   GB/s over copy_GB/s: what the rung reaches of the bandwidth
#include <benchmark/benchmark.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/lab/call.h"
#include "labs/lab1/bench_peers.h"
#include "labs/lab1/lab1_judge.h"
#include "labs/lab1/layout.h"
#include "labs/support/device_array.h"
#include "labs/support/rung_bench.h"
#include "labs/support/stopwatch.h"

namespace {

using namespace warpgrade::lab1;

constexpr int kWarmUps = 3;
constexpr double kMinSeconds = 0.1;  // of measured time for each size
constexpr uint64_t kSeed = 20240229;

warpgrade::Case FloatSum(uint64_t n) {
  warpgrade::Random random(kSeed);
  auto c = warpgrade::Lab1().Cases("", warpgrade::CaseSet::kThroughput, random).front();
  c.name = "n = " + std::to_string(n) + ", float, sum";
  c.sizes[kCount] = n;
  return c;
}

void CallRung(uint64_t n, void* d_in, void* d_out, void* d_work, cudaStream_t stream) {
  const auto c = FloatSum(n);
  warpgrade::LabCall call;
  call.variant = c.variant;
  call.buffer_count = kBuffers;
  call.buffers[kInBuffer] = d_in;
  call.buffers[kOutBuffer] = d_out;
  call.buffers[kWorkBuffer] = d_work;
  call.size_count = kSizes;
  std::copy(c.sizes.begin(), c.sizes.end(), call.sizes);
  call.stream = stream;
  warpgrade_lab_call(&call);
}

void ReduceFloats(benchmark::State& state) {
  const auto n = static_cast<uint64_t>(state.range(0));
  const uint64_t bytes = n * sizeof(float);
  const warpgrade::Case c = FloatSum(n);
  std::vector<std::byte> in(bytes);
  warpgrade::Random random(kSeed);
  warpgrade::Lab1().DrawInput(c, kInBuffer, random, in);
  const lab::DeviceArray d_in(bytes), d_copy(bytes), d_out(sizeof(float)), d_work(WorkElements(n) * sizeof(float));
  const size_t temporary_bytes = lab1_bench::CubSumTemporaryBytes(n);
  const lab::DeviceArray d_temporary(temporary_bytes);
  lab::Require(cudaMemcpy(d_in.data(), in.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");

  lab::Stopwatch stopwatch;
  const cudaStream_t stream = stopwatch.stream();
  const auto* const floats = static_cast<const float*>(d_in.data());
  auto* const sum = static_cast<float*>(d_out.data());
  const auto reduce_once = [&] { CallRung(n, d_in.data(), d_out.data(), d_work.data(), stream); };
  const auto cub_once = [&] {
    lab::Require(lab1_bench::CubSum(d_temporary.data(), temporary_bytes, floats, n, sum, stream), "CUB");
  };
  const auto copy_once = [&] {
    lab::Require(cudaMemcpyAsync(d_copy.data(), d_in.data(), bytes, cudaMemcpyDeviceToDevice, stream), "copy");
  };

  // A wrong sum has no throughput.
  const auto wrong = [&] {
    std::byte out[sizeof(float)];
    lab::Require(cudaMemcpy(out, sum, sizeof out, cudaMemcpyDeviceToHost), "cudaMemcpy");
    const std::span<const std::byte> spans[kBuffers] = {in, out, {}};
    return warpgrade::Lab1().Check(c, spans);
  };
  for (int i = 0; i < kWarmUps; ++i) {
    stopwatch.Seconds(cub_once);
    stopwatch.Seconds(copy_once);
    lab::Require(cudaMemset(sum, 0xFF, sizeof(float)), "cudaMemset");  // CUB left the right answer here
    stopwatch.Seconds(reduce_once);
    if (const auto mismatch = wrong()) {
      state.SkipWithError(("wrong: " + mismatch->message).c_str());
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
  CallRung(0, nullptr, d_out.data(), d_work.data(), nullptr);
}

// "build/labs/lab1/v3_sequential_bench" -> "v3_sequential"
std::string RungOfProgram(std::string_view path) {
  const std::string_view program = path.substr(path.rfind('/') + 1);  // npos + 1 is 0: the whole name
  return std::string(program.substr(0, program.rfind("_bench")));
}

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungBench(
      {.rung_of_program = RungOfProgram, .call_with_nothing = CallWithNothing, .register_all = RegisterAll}, argc,
      argv);
}
