// The options of a program that runs on its own. They are environment variables, set by `warpgrade run` or by hand, and
// only this file reads them:
//
//   WARPGRADE_DEVICE_AS      the GPU to stand for: an id of devices.def
//   WARPGRADE_CHECK          all, none, or a list with commas of races, uninitialised, leaks, errors. Not set: the
//                            first two. Bounds, alignment, barriers and wrong frees are always checked.
//   WARPGRADE_CHECK_ERRORS   set, but not to 0: as `errors` above, launches whose error nobody asks for are findings
//   WARPGRADE_FRESH_BYTE     0 to 255: what cudaMalloc's memory holds until something writes it (device_options.h). It
//                            still counts as unwritten. Not set: 0
//   WARPGRADE_HOST_THREADS   cores to use; 0 or not set: all
//   WARPGRADE_INSTRUCTIONS   warp instructions per launch; a kernel that executes more is stopped. Not set: any number
//   WARPGRADE_SEED           shuffles the order of blocks and warps; 0 or not set: their natural order
//   WARPGRADE_WAVE64         set, but not to 0: also count what wavefronts of 64 lanes would issue
//
// observation_report.h has the variables that name files for findings and counters.
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
