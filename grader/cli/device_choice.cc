// Tests: tests/cli/device_choice_test.cc.
#include "grader/cli/device_choice.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <vector>

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

// The first GPU's name, or why there is none. The driver is opened by name, so that we link with no CUDA library.
Result<std::string> FirstGpu() {
  const Error none{ErrorKind::kMachine, "no GPU here"};
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (driver == nullptr) return none;
  const auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
  const auto count = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDeviceGetCount"));
  const auto name = reinterpret_cast<int (*)(char*, int, int)>(dlsym(driver, "cuDeviceGetName"));
  int devices = 0;
  std::array<char, 256> text{};
  if (init == nullptr || count == nullptr || name == nullptr || init(0) != 0 || count(&devices) != 0 || devices == 0 ||
      name(text.data(), static_cast<int>(text.size()) - 1, 0) != 0) {
    return none;
  }
  return std::string(text.data());
}

std::vector<std::string> FoldersOnPath() {
  std::vector<std::string> folders;
  const char* path = std::getenv("PATH");
  std::istringstream stream(path != nullptr ? path : "");
  for (std::string folder; std::getline(stream, folder, ':');) folders.push_back(folder);
  return folders;
}

}  // namespace

Result<DeviceChoice> ChooseDevice(Device wanted) {
  if (wanted == Device::kEmulator) return DeviceChoice{Device::kEmulator, "the emulator"};
  const Result<std::string> gpu = FirstGpu();
  if (gpu) return DeviceChoice{Device::kGpu, *gpu};
  if (wanted == Device::kAuto) return DeviceChoice{Device::kEmulator, "the emulator (" + gpu.error().message + ")"};
  return Error{ErrorKind::kMachine, "--device gpu: " + gpu.error().message +
                                        " (libcuda.so.1 finds no device); use --device emulator, or --device auto"};
}

std::string CudaRuntimeDirectory() {
  std::vector<std::string> compilers = FoldersOnPath();
  compilers.push_back("/usr/local/cuda/bin");
  std::error_code ignored;
  for (const std::string& folder : compilers) {
    if (folder.empty() || !fs::exists(folder + "/nvcc", ignored)) continue;
    const fs::path toolkit = fs::canonical(folder + "/nvcc", ignored).parent_path().parent_path();
    for (const char* library : {"lib64", "lib", "targets/x86_64-linux/lib"}) {
      if (fs::exists(toolkit / library / "libcudart.so.13", ignored)) return (toolkit / library).string();
    }
  }
  return "";
}

}  // namespace warpgrade::cli
