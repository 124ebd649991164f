// Reads the symbols of an object file. The content is untrusted, so every offset and size in it is checked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::build {

struct ObjectSymbols {
  std::vector<std::string> undefined;  // used but not defined in the file; mangled
  std::vector<std::string> defined;    // defined in the file and visible to others; mangled
};

// Errors (kUsage): it is not a 64-bit little-endian ELF object, or it is broken.
Result<ObjectSymbols> ReadObjectSymbols(std::string_view object);

}  // namespace warpgrade::build
