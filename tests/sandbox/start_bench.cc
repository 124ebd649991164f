// What the sandbox costs a worker's start: a program that does nothing, from its start to its end, with a worker's
// limits. Arguments: confined; with process numbers of its own, as on the emulator, or with those of all, as on a GPU.
// REQUIRES: bubblewrap works here.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>

#include "grader/sandbox/confinement.h"
#include "grader/sandbox/process.h"

namespace warpgrade::sandbox {
namespace {

void Start(benchmark::State& state) {
  ProcessOptions options;
  options.argv = {"/usr/bin/true"};
  options.working_directory = std::string("/");
  options.limits.processes = 1;
  options.limits.cpu_s = 60;
  options.limits.memory_bytes = int64_t{4} << 30;
  options.limits.output_bytes = 64 << 10;
  if (state.range(0) != 0) options.confinement.emplace().own_processes = state.range(1) != 0;
  for (auto _ : state) {
    const auto result = RunProcess(options);
    if (!result || !result->succeeded()) {
      state.SkipWithError(result ? result->output.c_str() : result.error().message.c_str());
      break;
    }
  }
}
BENCHMARK(Start)
    ->ArgNames({"confined", "own_processes"})
    ->Args({0, 0})
    ->Args({1, 1})
    ->Args({1, 0})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace warpgrade::sandbox

int main(int argc, char** argv) {
  if (const warpgrade::Status can = warpgrade::sandbox::CheckConfinement(); !can.ok()) {
    std::fprintf(stderr, "%s\n", can.error().message.c_str());
    return EXIT_FAILURE;
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return EXIT_SUCCESS;
}
