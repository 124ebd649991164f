// libFuzzer target: any bytes are a module or an error with a place, in bounded time and memory.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "grader/emulator/ptx/parser.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto module = warpgrade::ptx::Parse(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!module.ok()) WARPGRADE_CHECK(module.error().message.starts_with("ptx:"));
  return 0;
}
