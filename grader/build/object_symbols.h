// The symbols of an object file, read by ourselves: its content is a stranger's, and so nothing in it is believed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::build {

struct ObjectSymbols {
  std::vector<std::string> undefined;  // what it wants of others, mangled
  std::vector<std::string> defined;    // what it offers to others, mangled
};

// Errors (kUsage): it is no 64-bit little-endian ELF object, or a broken one.
Result<ObjectSymbols> ReadObjectSymbols(std::string_view object);

}  // namespace warpgrade::build
