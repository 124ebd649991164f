// Tests: tests/cli/command_line_test.cc (this machine has a GPU or none; both are run).
#include "grader/cli/device_choice.h"

#include <dlfcn.h>

#include <array>

namespace warpgrade::cli {
namespace {

// As in cuda.h, which this file does without: it asks a driver that may not be there.
constexpr int kComputeCapabilityMajor = 75;
constexpr int kComputeCapabilityMinor = 76;

template <typename Function>
Function Find(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

// The first GPU, or why there is none.
Result<DeviceChoice> FirstGpu() {
  const Error none{ErrorKind::kMachine, "no GPU here"};
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (driver == nullptr) return none;
  const auto init = Find<int (*)(unsigned)>(driver, "cuInit");
  const auto count = Find<int (*)(int*)>(driver, "cuDeviceGetCount");
  const auto name = Find<int (*)(char*, int, int)>(driver, "cuDeviceGetName");
  const auto attribute = Find<int (*)(int*, int, int)>(driver, "cuDeviceGetAttribute");
  if (init == nullptr || count == nullptr || name == nullptr || attribute == nullptr) return none;
  int devices = 0, major = 0, minor = 0;
  std::array<char, 256> text{};
  if (init(0) != 0 || count(&devices) != 0 || devices == 0) return none;
  if (name(text.data(), static_cast<int>(text.size()) - 1, 0) != 0 ||
      attribute(&major, kComputeCapabilityMajor, 0) != 0 || attribute(&minor, kComputeCapabilityMinor, 0) != 0) {
    return none;
  }
  return DeviceChoice{Device::kGpu, major * 10 + minor, text.data()};
}

}  // namespace

Result<DeviceChoice> ChooseDevice(Device wanted) {
  if (wanted == Device::kEmulator) return DeviceChoice{Device::kEmulator, 0, "the emulator"};
  Result<DeviceChoice> gpu = FirstGpu();
  if (gpu) return gpu;
  if (wanted == Device::kAuto) return DeviceChoice{Device::kEmulator, 0, "the emulator (" + gpu.error().message + ")"};
  return Error{ErrorKind::kMachine, "--device gpu: " + gpu.error().message +
                                        " (libcuda.so.1 finds no device); use --device emulator or --device auto"};
}

}  // namespace warpgrade::cli
