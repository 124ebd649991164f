// libFuzzer target: whatever a kernel consists of, the emulator lives on, ends within its budget of instructions, and
// gives the same status and the same counts twice. The input is a list of choices for ptx_grammar.h. With
// FUZZ_SHOW_MODULE in the environment, the kernels are printed.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "grader/emulator/device.h"
#include "tests/fuzz/ptx_grammar.h"

namespace {

namespace emulator = warpgrade::emulator;

constexpr uint64_t kBytes = 4096;
constexpr uint64_t kBudget = 20'000;

struct Seen {
  bool loads = false;
  emulator::LaunchStatus status = emulator::LaunchStatus::kOk;
  std::vector<std::string> findings;
  std::string counters;  // their bytes
  bool operator==(const Seen&) const = default;
};

emulator::DeviceOptions SmallDevice() {
  emulator::DeviceOptions options;
  options.host_threads = 1;
  options.global_memory_bytes = 1 << 20;
  options.heap_bytes = 64 << 10;
  options.multiprocessors = 2;
  options.instruction_budget = kBudget;
  options.print = [](std::string_view) {};
  return options;
}

Seen Run(const std::string& ptx) {
  Seen seen;
  emulator::Device device(SmallDevice());
  const uint64_t memory = device.Allocate(kBytes, "memory").value();
  WARPGRADE_CHECK(device.Fill(memory, 1, kBytes).ok());
  const auto module = device.LoadModule(ptx, "fuzzed");
  if (!module.ok()) return seen;
  const auto kernel = device.FindKernel(*module, "k");
  if (!kernel.ok()) return seen;
  seen.loads = true;
  emulator::LaunchRequest request;
  request.kernel = *kernel;
  request.grid = {2, 1, 1};
  request.block = {64, 1, 1};
  request.dynamic_shared_bytes = 256;
  request.parameters.resize(12);
  const uint32_t n = 100;
  std::memcpy(request.parameters.data(), &memory, sizeof memory);
  std::memcpy(request.parameters.data() + 8, &n, sizeof n);
  seen.status = device.Launch(request);
  for (const emulator::Finding& finding : device.Findings()) seen.findings.push_back(finding.message);
  for (const emulator::LaunchRecord& launch : device.Launches()) {
    seen.counters.append(reinterpret_cast<const char*>(&launch.counters), sizeof launch.counters);
  }
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  warpgrade::fuzz::Choices choices(data, size);
  const std::string ptx = warpgrade::fuzz::HostileModule(choices);
  static const bool shows = std::getenv("FUZZ_SHOW_MODULE") != nullptr;
  if (shows) std::fputs(ptx.c_str(), stderr);
  const Seen first = Run(ptx);
  if (shows) {
    std::fprintf(stderr, "loads %d, status %d\n", first.loads, static_cast<int>(first.status));
    for (const std::string& finding : first.findings) std::fprintf(stderr, "finding: %s\n", finding.c_str());
  }
  WARPGRADE_CHECK(Run(ptx) == first);
  return 0;
}
