// Tested by tests/emulator/link_units_test.cc and tests/emulator/child_launch_test.cc.
#include "grader/emulator/program/device_runtime.h"

#include <algorithm>
#include <array>

namespace warpgrade::emulator {
namespace {

constexpr std::string_view kPrefix = "__cudaCDP2";

}  // namespace

bool IsSystemCall(std::string_view name) {
  constexpr std::array<std::string_view, 4> kSystemCalls = {"vprintf", "__assertfail", "malloc", "free"};
  return std::find(kSystemCalls.begin(), kSystemCalls.end(), name) != kSystemCalls.end();
}

// Those without the prefix are of graphs, of cooperative groups, and of the device runtime before CUDA 12.
bool IsOfDeviceRuntime(std::string_view name) { return name.starts_with(kPrefix) || name.starts_with("cuda"); }

bool IsDeviceFunction(std::string_view name) { return IsSystemCall(name) || IsOfDeviceRuntime(name); }

std::string SourceNameOf(std::string_view device_runtime_function) {
  if (!device_runtime_function.starts_with(kPrefix)) return std::string(device_runtime_function);
  std::string name = "cuda";
  name += device_runtime_function.substr(kPrefix.size());
  return name;
}

}  // namespace warpgrade::emulator
