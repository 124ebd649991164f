// The functions that PTX may call without a definition: those of the device itself, and those of NVIDIA's device
// runtime, which launch kernels from kernels.
#pragma once

#include <string>
#include <string_view>

namespace warpgrade::emulator {

// vprintf, __assertfail, malloc, free: the machine executes them in every program.
bool IsSystemCall(std::string_view name);

// A function of the device runtime (libcudadevrt), whether or not the machine executes it: __cudaCDP2LaunchDeviceV2.
bool IsOfDeviceRuntime(std::string_view name);

// One or the other.
bool IsDeviceFunction(std::string_view name);

// As a program writes it: "cudaStreamDestroy" of __cudaCDP2StreamDestroy.
std::string SourceNameOf(std::string_view device_runtime_function);

}  // namespace warpgrade::emulator
