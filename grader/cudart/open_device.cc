// Reads WARPGRADE_DEVICE_FD and makes the Backend: a RemoteBackend on the judge's socket, or a LocalBackend over an
// emulated device of this process, set up by the environment (program_options.h) and reporting after each launch.
// Tested by tests/cudart/programs_test.cc, which runs every program both ways.
#include "grader/cudart/open_device.h"

#include <fmt/format.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "grader/cudart/device/local_backend.h"
#include "grader/cudart/fork.h"
#include "grader/cudart/host_findings.h"
#include "grader/cudart/interrupt.h"
#include "grader/cudart/observation_report.h"
#include "grader/cudart/program_options.h"
#include "grader/cudart/remote_backend.h"

namespace warpgrade::cudart {
namespace {

// A device that is lost from the start. Each call on it fails; the reason has been printed already.
std::unique_ptr<Backend> NoDevice(const std::string& why) {
  std::fprintf(stderr, "warpgrade: %s\n", why.c_str());
  return std::make_unique<RemoteBackend>(-1);
}

// The emulated device of a program that runs on its own, with its reports.
class InProcessBackend : public LocalBackend {
 public:
  static std::unique_ptr<Backend> Make() {
    const Result<ProgramOptions> chosen = ProgramOptions::FromEnvironment();
    if (!chosen) return NoDevice(chosen.error().message);
    emulator::DeviceOptions options = chosen->device;
    // Kernels print through C's stdout, like the program's own printf, so that lines keep their order.
    options.print = [](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); };
    options.cancel = StopLaunchesOnInterrupt();
    WatchHost(*chosen);
    auto backend = std::make_unique<InProcessBackend>(std::make_unique<emulator::Device>(options), *chosen->model);
    backend->DelayWork(options.seed);
    return backend;
  }
  InProcessBackend(std::unique_ptr<emulator::Device> device, const DeviceModel& model)
      : LocalBackend(
            *device, Unlimited(), [](emulator::Device& d) { ObservationReport::Get().Take(d); }, model),
        device_(std::move(device)) {}

  cudaError_t LoadModule(std::span<const std::byte> fatbin, ModuleHandle* module, std::string* message) override {
    const cudaError_t error = LocalBackend::LoadModule(fatbin, module, message);
    if (error == cudaSuccess && WaveLanes(*module) == emulator::kWaveLanes && !says_wave_lanes_) {
      std::fprintf(stderr, "warpgrade: a HIP program: its wavefronts have %d lanes\n", emulator::kWaveLanes);
      says_wave_lanes_ = true;
    }
    return error;
  }
  cudaError_t Run(const Launch& launch, uint64_t* device_ns) override {
    const InterruptibleLaunch interruptible;
    return LocalBackend::Run(launch, device_ns);
  }
  cudaError_t Continue(emulator::LaunchId launch, bool alone, uint64_t* device_ns) override {
    const InterruptibleLaunch interruptible;
    return LocalBackend::Continue(launch, alone, device_ns);
  }

 private:
  static PeerLimits Unlimited() { return {SIZE_MAX, UINT64_MAX, SIZE_MAX, SIZE_MAX}; }

  std::unique_ptr<emulator::Device> device_;
  bool says_wave_lanes_ = false;  // it has said so
};

}  // namespace

std::unique_ptr<Backend> OpenDevice() {
  DeviceIsUsed();
  const char* text = std::getenv("WARPGRADE_DEVICE_FD");
  if (text == nullptr) return InProcessBackend::Make();
  char* end = nullptr;
  errno = 0;
  const long fd = std::strtol(text, &end, 10);
  const bool is_number = errno == 0 && end != text && *end == '\0' && fd >= 0 && fd <= INT_MAX;
  if (is_number) return std::make_unique<RemoteBackend>(static_cast<int>(fd));
  return NoDevice(fmt::format("WARPGRADE_DEVICE_FD={} is not a file descriptor; unset it to emulate here", text));
}

}  // namespace warpgrade::cudart
