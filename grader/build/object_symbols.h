// Reads the symbols of an object file. The content is untrusted, so every offset and size in it is checked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::build {

// The names are mangled, and without a version: for the linker, a definition of "send@@GLIBC_2.2.5" is one of "send".
struct ObjectSymbols {
  std::vector<std::string> undefined;  // used but not defined in the file
  std::vector<std::string> defined;    // defined in the file and visible to others
  std::vector<std::string> sections;   // the names of all sections
};

// Errors (kUsage): it is not a 64-bit little-endian ELF object, or it is broken.
Result<ObjectSymbols> ReadObjectSymbols(std::string_view object);

}  // namespace warpgrade::build
