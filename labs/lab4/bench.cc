// How fast one rung of lab4 is, over sizes and masks, next to a copy from device to device in the same run, turn by
// turn. GPU only: an emulator's time says nothing. Exit code 77: skipped.
//
//   GB/s            8 bytes for each element, in and out, over the median time
//   GFLOP/s         2 operations for each product over the median time; separable: mask_rows + mask_columns products
//   ns_per_element  the median time over the elements
//   copy_GB/s       the same for cudaMemcpyAsync
//   share_of_copy   the first over the one before
//
// No test runs it, since it measures time: `make lab4_bench` builds one program for each rung.
#include <benchmark/benchmark.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "labs/lab4/explain.h"
#include "labs/lab4/hints.h"
#include "labs/lab4/lab4.h"
#include "labs/lab4/values.h"
#include "labs/support/device_array.h"
#include "labs/support/rung_bench.h"
#include "labs/support/stopwatch.h"

namespace {

using lab4::Problem;

constexpr int kWarmUps = 3;
constexpr double kMinSeconds = 0.1;  // of measured time for each size

std::vector<float> Drawn(const Problem& p, size_t elements, void (*draw)(const Problem&, uint64_t, float*),
                         uint64_t seed) {
  std::vector<float> array(elements);
  draw(p, seed, array.data());
  return array;
}

// A copy on the device.
class OnDevice {
 public:
  explicit OnDevice(const std::vector<float>& array) : array_(array.size() * sizeof(float)) {
    lab::Require(cudaMemcpy(array_.data(), array.data(), array.size() * sizeof(float), cudaMemcpyHostToDevice),
                 "cudaMemcpy");
  }
  const float* data() const { return static_cast<const float*>(array_.data()); }

 private:
  lab::DeviceArray array_;
};

double ProductsPerElement(const Problem& p) {
  return p.variant == lab4::kSeparable ? p.mask_rows + p.mask_columns : static_cast<double>(p.Products());
}

void Convolve(benchmark::State& state, const Problem& p) {
  const bool is_separable = p.variant == lab4::kSeparable;
  const std::vector<float> in = Drawn(p, p.Elements(), lab4::DrawInput, /*seed=*/1);
  const std::vector<float> mask = Drawn(p, p.MaskElements(), lab4::DrawMask, /*seed=*/2);
  std::vector<float> row_mask;
  if (is_separable) row_mask = Drawn(p, static_cast<size_t>(p.mask_columns), lab4::DrawRowMask, /*seed=*/3);
  const OnDevice d_in(in), d_mask(mask), d_row_mask(row_mask);
  const size_t bytes = p.Elements() * sizeof(float);
  const lab::DeviceArray d_workspace(is_separable ? bytes : 0), d_out(bytes);
  lab::Require(cudaMemset(d_out.data(), lab4::kPoisonByte, bytes), "cudaMemset");

  lab4::Arguments arguments;
  arguments.d_in = d_in.data();
  arguments.d_mask = d_mask.data();
  arguments.d_row_mask = d_row_mask.data();
  arguments.d_workspace = static_cast<float*>(d_workspace.data());
  arguments.d_out = static_cast<float*>(d_out.data());
  arguments.rows = p.rows;
  arguments.columns = p.columns;
  arguments.mask_rows = p.mask_rows;
  arguments.mask_columns = p.mask_columns;
  arguments.planes = p.planes;

  lab::Stopwatch stopwatch;
  const auto convolve_once = [&] { lab4::CallRung(arguments, stopwatch.stream()); };
  const auto copy_once = [&] {
    lab::Require(cudaMemcpyAsync(d_out.data(), d_in.data(), bytes, cudaMemcpyDeviceToDevice, stopwatch.stream()),
                 "copy");
  };

  // A wrong answer has no throughput.
  stopwatch.Seconds(convolve_once);
  std::vector<float> out(p.Elements());
  lab::Require(cudaMemcpy(out.data(), d_out.data(), bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
  const lab4::Inputs inputs = {.in = in.data(), .mask = mask.data(), .row_mask = row_mask.data()};
  if (const auto wrong = lab4::Explain(p, inputs, out.data())) {
    state.SkipWithError(("wrong: " + wrong->message).c_str());
    return;
  }
  for (int i = 0; i < kWarmUps; ++i) {
    stopwatch.Seconds(convolve_once);
    stopwatch.Seconds(copy_once);
  }

  std::vector<double> seconds, copy_seconds;
  for (auto _ : state) {
    seconds.push_back(stopwatch.Seconds(convolve_once));
    copy_seconds.push_back(stopwatch.Seconds(copy_once));
    state.SetIterationTime(seconds.back());
  }
  const auto elements = static_cast<double>(p.Elements());
  state.counters["GB/s"] = 8 * elements / lab::Median(seconds) * 1e-9;
  state.counters["GFLOP/s"] = 2 * ProductsPerElement(p) * elements / lab::Median(seconds) * 1e-9;
  state.counters["ns_per_element"] = lab::Median(seconds) / elements * 1e9;
  state.counters["copy_GB/s"] = 8 * elements / lab::Median(copy_seconds) * 1e-9;
  state.counters["share_of_copy"] = lab::Median(copy_seconds) / lab::Median(seconds);
}

void Register(size_t rows, size_t columns, int mask_rows, int mask_columns, size_t planes = 1) {
  const Problem p = {.variant = lab4::RungVariant(),
                     .rows = rows,
                     .columns = columns,
                     .mask_rows = mask_rows,
                     .mask_columns = mask_columns,
                     .planes = planes};
  const std::string name = std::string(lab4::FunctionName(p.variant)) + "/" +
                           (planes == 1 ? "" : std::to_string(planes) + "x") + std::to_string(rows) + "x" +
                           std::to_string(columns) + "/mask:" + std::to_string(mask_rows) + "x" +
                           std::to_string(mask_columns);
  lab::RegisterBench(name, kMinSeconds, [p](benchmark::State& state) { Convolve(state, p); });
}

void RegisterAll() {
  if (lab4::RungVariant() == lab4::kLine) {
    for (int power = 10; power <= 28; power += 2) Register(1, size_t{1} << power, 1, 31);
    for (const int width : {1, 3, 9, 15, 63, 127}) Register(1, size_t{1} << 26, 1, width);
    Register(1, (size_t{1} << 26) + 1, 1, 9);  // the last block is one element
    return;
  }
  if (lab4::RungVariant() == lab4::kPlanes) {
    for (const size_t planes : {1, 3, 30, 300}) Register(480, 512, 3, 3, planes);
    for (const int side : {1, 5, 9}) Register(4096, 4096, side, side, 3);
    return;
  }
  for (const size_t side : {32, 128, 512, 2048, 8192, 16384}) Register(side, side, 9, 9);  // 2^10 to 2^28 elements
  for (const int side : {1, 3, 5, 15, 31}) Register(4096, 4096, side, side);
  Register(4095, 4095, 9, 9);  // no row starts where a wide load could
  Register(4096, 4096, 3, 31);
  Register(4096, 4096, 31, 3);
}

void CallWithNothing() { lab4::CallRung({}, nullptr); }

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungBench({.call_with_nothing = CallWithNothing, .register_all = RegisterAll}, argc, argv);
}
