// --device auto|gpu|emulator: where the student's code runs.
#pragma once

#include <string>

#include "grader/result/result.h"

namespace warpgrade::cli {

enum class Device { kAuto, kGpu, kEmulator };

struct DeviceChoice {
  Device device = Device::kEmulator;  // never kAuto
  int gpu_arch = 0;                   // 90 for compute capability 9.0; 0 for the emulator
  std::string why;                    // name for people: "NVIDIA H200", "the emulator (no GPU here)"
};

// For kAuto: the GPU if its driver answers, else the emulator. Errors (kMachine): `wanted` is kGpu and there is no GPU.
Result<DeviceChoice> ChooseDevice(Device wanted);

}  // namespace warpgrade::cli
