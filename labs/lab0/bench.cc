// How fast one rung of lab0 is, over sizes, next to what bounds it, in the same run and turn by turn. GPU only: an
// emulator's time says nothing. Exit code 77: skipped.
//
//   GB/s             bytes of the inputs and the answer over the median time of a whole call, allocations included
//   ns_per_element   the median time over the elements
//   peer_GB/s        the same for a plain copy of as many bytes: for host arrays one cudaMemcpy each of h_a, h_b
//                    and h_c between page-locked memory and the device, for device arrays one copy on the device
//   share_of_peer    the first over the second
//
// No test runs it, since it measures time: `make lab0_bench` builds one program for each rung.
#include <benchmark/benchmark.h>
#include <cuda_runtime_api.h>

#include <array>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "labs/lab0/explain.h"
#include "labs/lab0/hints.h"
#include "labs/lab0/lab0.h"
#include "labs/lab0/values.h"
#include "labs/support/device_array.h"
#include "labs/support/rung_bench.h"
#include "labs/support/stopwatch.h"

namespace {

using lab0::Problem;
using lab0::Task;

constexpr int kWarmUps = 2;
constexpr double kMinSeconds = 0.1;  // of measured time for each size
constexpr size_t kStreams = 4;
constexpr size_t kSegment = 1001;
constexpr size_t kClasses = 40;

bool IsOnHost(Task task) { return task == lab0::kVectorAdd || task == lab0::kStreams; }

// Page-locked host memory.
class LockedArray {
 public:
  explicit LockedArray(size_t bytes) { lab::Require(cudaMallocHost(&data_, bytes), "cudaMallocHost"); }
  ~LockedArray() { cudaFreeHost(data_); }
  LockedArray(const LockedArray&) = delete;
  LockedArray& operator=(const LockedArray&) = delete;
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

// An array where the rung wants it.
class Array {
 public:
  Array(Task task, size_t bytes) {
    if (task == lab0::kVectorAdd) pageable_.resize(bytes);
    if (task == lab0::kStreams) locked_ = std::make_unique<LockedArray>(bytes);
    if (!IsOnHost(task)) device_ = std::make_unique<lab::DeviceArray>(bytes);
    bytes_ = bytes;
  }
  void* data() {
    if (locked_) return locked_->data();
    return device_ ? device_->data() : pageable_.data();
  }
  void Write(const void* from) { lab::Require(cudaMemcpy(data(), from, bytes_, cudaMemcpyDefault), "cudaMemcpy"); }
  void Read(void* to) { lab::Require(cudaMemcpy(to, data(), bytes_, cudaMemcpyDefault), "cudaMemcpy"); }

 private:
  size_t bytes_ = 0;
  std::vector<std::byte> pageable_;
  std::unique_ptr<LockedArray> locked_;
  std::unique_ptr<lab::DeviceArray> device_;
};

// Seconds of the host's clock around work that may allocate, wait, and use streams of its own.
template <typename Work>
double HostSeconds(Work work) {
  lab::Require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  const auto begin = std::chrono::steady_clock::now();
  work();
  lab::Require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Long because rung and peer are timed in turns, on the same buffers.
void Measure(benchmark::State& state, const Problem& p) {
  const int inputs = InputCount(p.task);
  std::vector<std::vector<std::byte>> content;
  std::vector<std::unique_ptr<Array>> arrays;
  std::array<const void*, lab0::kInputs> pristine{};
  lab::Stopwatch stopwatch;
  lab0::Arguments arguments{.buffers = {}, .first = p.first, .second = p.second, .stream = stopwatch.stream()};
  size_t bytes = OutputBytes(p);
  for (int i = 0; i < inputs; ++i) {
    content.emplace_back(InputBytes(p, i));
    bytes += content.back().size();
    Draw(p, i, static_cast<uint64_t>(i) + 1, content.back().data());
    arrays.push_back(std::make_unique<Array>(p.task, content.back().size()));
    arrays.back()->Write(content.back().data());
    arguments.buffers[i] = arrays.back()->data();
  }
  for (size_t i = 0; i < content.size(); ++i) pristine[i] = content[i].data();
  Array output(p.task, OutputBytes(p));
  arguments.buffers[inputs] = output.data();

  const auto call = [&] {
    if (lab0::CallRung(arguments) != cudaSuccess) throw std::runtime_error("the rung returned an error");
  };
  const auto call_once = [&] { return IsOnHost(p.task) ? HostSeconds(call) : stopwatch.Seconds(call); };

  // The peer's memory is there beforehand: it shows what the bus or the device can do, and nothing else.
  const size_t half = (bytes + 1) / 2;
  const lab::DeviceArray d_from(bytes), d_to(IsOnHost(p.task) ? 0 : bytes);
  const LockedArray h_peer(IsOnHost(p.task) ? bytes : 1);
  const auto peer = [&] {
    if (IsOnHost(p.task)) {
      const size_t in = InputBytes(p, 0) + InputBytes(p, 1), out = OutputBytes(p);
      lab::Require(cudaMemcpyAsync(d_from.data(), h_peer.data(), in, cudaMemcpyHostToDevice, stopwatch.stream()),
                   "copy");
      lab::Require(cudaMemcpyAsync(h_peer.data(), d_from.data(), out, cudaMemcpyDeviceToHost, stopwatch.stream()),
                   "copy");
    } else {
      lab::Require(cudaMemcpyAsync(d_to.data(), d_from.data(), half, cudaMemcpyDeviceToDevice, stopwatch.stream()),
                   "copy");
    }
  };
  const auto peer_once = [&] { return IsOnHost(p.task) ? HostSeconds(peer) : stopwatch.Seconds(peer); };

  // A wrong answer has no throughput.
  call_once();
  std::vector<std::byte> answer(OutputBytes(p));
  output.Read(answer.data());
  if (const auto wrong = Explain(p, pristine, answer.data())) {
    state.SkipWithError(("wrong: " + wrong->message).c_str());
    return;
  }
  for (int i = 0; i < kWarmUps; ++i) {
    call_once();
    peer_once();
  }
  std::vector<double> seconds, peer_seconds;
  for (auto _ : state) {
    seconds.push_back(call_once());
    peer_seconds.push_back(peer_once());
    state.SetIterationTime(seconds.back());
  }
  state.counters["GB/s"] = static_cast<double>(bytes) / lab::Median(seconds) * 1e-9;
  state.counters["ns_per_element"] = lab::Median(seconds) / static_cast<double>(p.Inputs()) * 1e9;
  state.counters["peer_GB/s"] = static_cast<double>(bytes) / lab::Median(peer_seconds) * 1e-9;
  state.counters["share_of_peer"] = lab::Median(peer_seconds) / lab::Median(seconds);
}

Problem ProblemOf(Task task, int log2) {
  const size_t n = size_t{1} << log2;
  switch (task) {
    case lab0::kImage:
      return {.task = task, .first = size_t{1} << (log2 / 2), .second = size_t{1} << (log2 - log2 / 2)};
    case lab0::kStreams:
      return {.task = task, .first = n, .second = kStreams};
    case lab0::kLinks:
      return {.task = task, .first = n, .second = kSegment};
    case lab0::kClasses:
      return {.task = task, .first = n, .second = kClasses};
    default:
      return {.task = task, .first = n};
  }
}

void RegisterAll() {
  const Task task = lab0::RungTask();
  for (int log2 = 10; log2 <= 28; log2 += 2) {
    const std::string name = "first_kernel/2^" + std::to_string(log2);
    const Problem p = ProblemOf(task, log2);
    lab::RegisterBench(name, kMinSeconds, [p](benchmark::State& state) { Measure(state, p); });
  }
}

void CallWithNothing() { lab0::CallRung(lab0::Arguments{.buffers = {}, .first = 0, .second = 1}); }

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungBench({.call_with_nothing = CallWithNothing, .register_all = RegisterAll}, argc, argv);
}
