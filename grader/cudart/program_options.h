// What a program that runs on its own is told through the environment, by `warpgrade run` or by hand. Read only here:
//
//   WARPGRADE_DEVICE_AS      the GPU to stand for: an id of devices.def
//   WARPGRADE_CHECK          all, none, or a list with commas of races, uninitialised, leaks, errors. Not set: the
//                            first two. Bounds, alignment, barriers and wrong frees are always checked.
//   WARPGRADE_CHECK_ERRORS   set, but not to 0: as `errors` above, launches whose error nobody asks for are findings
//   WARPGRADE_HOST_THREADS   cores to use; 0 or not set: all
//   WARPGRADE_INSTRUCTIONS   of warps, after which a kernel that still runs is stopped as one that does not end
//   WARPGRADE_SEED           shuffles the order of blocks and warps; 0 or not set: their natural order
//   WARPGRADE_WAVE64         set, but not to 0: count what wavefronts of 64 lanes would issue, too
//
// (observation_report.h has the files to which findings and counters go.)
#pragma once

#include "grader/device_model/device_model.h"
#include "grader/emulator/device.h"
#include "grader/result/result.h"

namespace warpgrade::cudart {

struct ProgramOptions {
  const DeviceModel* model = &DefaultDeviceModel();
  emulator::DeviceOptions device;  // all but `print`
  bool leaks = false;
  bool unchecked_errors = false;

  // Errors: kUsage, naming the variable, its value and what it may be.
  static Result<ProgramOptions> FromEnvironment();
};

}  // namespace warpgrade::cudart
