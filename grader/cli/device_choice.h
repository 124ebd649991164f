// --device auto|gpu|emulator: where the student's code runs.
#pragma once

#include <string>

#include "grader/result/result.h"

namespace warpgrade::cli {

enum class Device { kAuto, kGpu, kEmulator };

struct DeviceChoice {
  Device device = Device::kEmulator;  // never kAuto
  int gpu_arch = 0;                   // 90 for compute capability 9.0; 0 for the emulator
  std::string why;                    // for people: "NVIDIA H200", "the emulator (no GPU here)"
};

// kAuto: the GPU when its driver answers, else the emulator. Errors (kMachine): kGpu was asked for and there is none.
Result<DeviceChoice> ChooseDevice(Device wanted);

}  // namespace warpgrade::cli
