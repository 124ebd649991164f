// Reads the symbols of an object file. The content is untrusted, so every offset and size in it is checked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::build {

// The names are mangled, and without a version: for the linker, a definition of "send@@GLIBC_2.2.5" is one of "send".
struct ObjectSymbols {
  std::vector<std::string> undefined;  // used but not defined in the file
  std::vector<std::string> defined;    // defined in the file and visible to others
  std::vector<std::string> weak;       // of these, the ones that another file may define as well
  std::vector<std::string> sections;   // the names of all sections
  uint64_t initialiser_bytes = 0;      // of the addresses of functions that run before main, or after it
  uint64_t data_bytes = 0;             // of all sections with variables and constants, without the GPU's code
};

// Errors (kUsage): it is not a 64-bit little-endian ELF object, or it is broken.
Result<ObjectSymbols> ReadObjectSymbols(std::string_view object);

// The names that the objects in a static library (.a) use and none of them defines, sorted. For libraries of the kit.
// Errors (kMachine): it is not a static library, or one of its objects cannot be read.
Result<std::vector<std::string>> UndefinedInLibrary(std::string_view library);

}  // namespace warpgrade::build
