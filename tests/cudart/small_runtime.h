// The parts of a runtime over a small emulated device of this process, for tests of one part.
#pragma once

#include <memory>
#include <utility>

#include "grader/cudart/captures.h"
#include "grader/cudart/device/local_backend.h"
#include "grader/cudart/device_link.h"
#include "grader/cudart/error_state.h"
#include "grader/cudart/streams.h"

namespace warpgrade::cudart {

struct SmallRuntime {
  SmallRuntime() : device_([this] { return std::make_unique<LocalBackend>(emulated); }) {}

  static emulator::DeviceOptions Options() {
    emulator::DeviceOptions options;
    options.host_threads = 1;
    options.global_memory_bytes = 1 << 20;
    return options;
  }

  emulator::Device emulated{Options()};
  ErrorState errors;
  DeviceLink& device() { return device_; }
  Streams& streams() { return streams_; }
  Captures& captures() { return captures_; }

 private:
  DeviceLink device_;
  Streams streams_{device_};
  Captures captures_{streams_, errors};
};

}  // namespace warpgrade::cudart
