#include "labs/labs.h"

namespace warpgrade {

// all_labs.inc has a row for each folder labs/labN: WARPGRADE_LAB(LabN). labs/CMakeLists.txt writes it.
#define WARPGRADE_LAB(function) const Lab& function();
#include "all_labs.inc"
#undef WARPGRADE_LAB

const Lab* FindLab(std::string_view name) {
#define WARPGRADE_LAB(function) &function(),
  static const Lab* const kLabs[] = {
#include "all_labs.inc"
  };
#undef WARPGRADE_LAB
  for (const Lab* const lab : kLabs) {
    if (lab->name() == name) return lab;
  }
  return nullptr;
}

}  // namespace warpgrade
