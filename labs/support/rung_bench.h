// What the benchmark programs of the rungs have in common: main(), and how a benchmark is registered. A lab's bench.cc
// measures. GPU only: an emulator's time says nothing.
#pragma once

#include <benchmark/benchmark.h>
#include <cuda_runtime_api.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <string>

#include "labs/not_written.h"
#include "labs/support/device_array.h"
#include "labs/support/rung_name.h"

namespace lab {

// What differs from lab to lab. A lab's main() fills it in.
struct RungBench {
  // Calls the student's function with no elements.
  void (*call_with_nothing)();
  void (*register_all)();
};

// Registers a benchmark. `measure` tells the time of each turn itself, and goes on for `min_seconds` of such time. What
// it throws becomes a failed benchmark instead of a dead program.
inline benchmark::internal::Benchmark* RegisterBench(const std::string& name, double min_seconds,
                                                     const std::function<void(benchmark::State&)>& measure) {
  const auto guarded = [measure](benchmark::State& state) {
    try {
      measure(state);
    } catch (const std::exception& e) {
      state.SkipWithError(e.what());
    }
  };
  return benchmark::RegisterBenchmark(name.c_str(), guarded)
      ->UseManualTime()
      ->MinTime(min_seconds)
      ->Unit(benchmark::kMicrosecond);
}

inline bool IsNotWritten(const RungBench& bench) {
  try {
    bench.call_with_nothing();
  } catch (const NotWrittenYet&) {
    return true;
  }
  cudaGetLastError();  // there are no arrays to clear or to copy
  return false;
}

// The whole of main(). Exit code: 0 measured, 1 the command line is wrong, 77 skipped.
inline int RunRungBench(const RungBench& bench, int argc, char** argv) {
  const std::string device_name = DeviceName();
  if (device_name.empty() || IsEmulator(device_name)) {
    std::printf("skipped: no GPU\n");
    return 77;
  }
  if (IsNotWritten(bench)) {
    std::printf("skipped: not written yet\n");
    return 77;
  }
  benchmark::AddCustomContext("device", device_name);
  benchmark::AddCustomContext("rung", RungOfProgram(argv[0]));
  bench.register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace lab
