// Which files of /dev the driver in a student's process needs for one GPU. The files of the host's other GPUs are left
// out, so that a program cannot use those: it would compute on them, or disturb what is timed there.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::judge {

struct DeviceFiles {
  std::vector<std::string> paths;  // /dev/nvidia0, /dev/nvidiactl, /dev/nvidia-uvm, ..., sorted
  bool of_several_gpus = false;    // whether the host has files of other GPUs
};

// `bus_id` is the GPU's PCI address as cuDeviceGetPCIBusId writes it, "0000:1B:00.0". The driver describes each GPU in
// `gpus`/0000:1b:00.0/information, with the number of its file in `dev`. Where that description or the file is missing,
// all files of GPUs are listed.
DeviceFiles DeviceFilesFor(std::string_view bus_id, const std::filesystem::path& dev = "/dev",
                           const std::filesystem::path& gpus = "/proc/driver/nvidia/gpus");

// The UUID as CUDA_VISIBLE_DEVICES takes it, "GPU-896d5f1a-...", or "MIG-..." for a part of a GPU. `name` is what
// cuDeviceGetName says, "NVIDIA A100-SXM4-40GB MIG 1g.5gb" for a part.
std::string FormatUuid(std::span<const char, 16> bytes, std::string_view name);

// What CUDA_VISIBLE_DEVICES must be in the student's process. `ours` is our own value, null when it is not set. On a
// host with several GPUs, a number could mean one whose file is left out, so the one GPU is named by its UUID. Our own
// name of a part of a GPU (MIG) is kept. Returns "" when the variable is not needed.
std::string VisibleDevice(const char* ours, std::string_view uuid, bool of_several_gpus);

}  // namespace warpgrade::judge
