// printf in kernels: the format and the packed argument buffer are in device memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace warpgrade::emulator {

struct DevicePrintf {
  std::string text;
  int arguments = 0;  // how many arguments the format asked for, which a kernel's printf returns
};

// `read(offset, bytes)` reads an argument from the buffer, in which each argument is aligned to its size (4 or 8).
// `read_string` reads a NUL-terminated string at a generic address. Unknown conversions are copied unchanged.
DevicePrintf FormatDevicePrintf(std::string_view format, const std::function<uint64_t(size_t, size_t)>& read,
                                const std::function<std::string(uint64_t)>& read_string);

}  // namespace warpgrade::emulator
