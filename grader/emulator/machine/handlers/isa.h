// Which instruction set's handlers run: a choice between what the processor has and what this build holds.
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

// What this machine's processor and operating system run.
IsaSet MachineIsas();

// The widest set that is in both. `wanted`, the value of WARPGRADE_EMULATOR_ISA, names another; "" names none. The
// error says what to do; `build_folder` is where this build was made.
Result<Isa> ChooseIsa(std::string_view wanted, IsaSet machine, IsaSet build, std::string_view build_folder);

}  // namespace warpgrade::emulator
