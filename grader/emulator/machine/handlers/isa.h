// Chooses which instruction set's handlers run, among those that the processor has and this build contains.
#pragma once

#include <string>
#include <string_view>

#include "grader/result/result.h"

namespace warpgrade::emulator {

enum class Isa { kAvx2, kAvx512 };

struct IsaSet {
  bool avx2 = false;
  bool avx512 = false;
};

// The instruction sets that this machine's processor and operating system support.
IsaSet MachineIsas();

// Returns the widest set that is in both. `wanted`, the value of WARPGRADE_EMULATOR_ISA, asks for a particular one; ""
// asks for none. The error says what to do; `build_folder` is where this build was made.
Result<Isa> ChooseIsa(std::string_view wanted, IsaSet machine, IsaSet build, std::string_view build_folder);

}  // namespace warpgrade::emulator
