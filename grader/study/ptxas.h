// What ptxas says about kernels, and what it made of them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::study {

// The figures of `ptxas -v` for one kernel.
struct KernelResources {
  int registers = 0;
  int stack_bytes = 0, spill_stores_bytes = 0, spill_loads_bytes = 0;
  int constant_bytes = 0;  // of bank 0, which has the parameters; 0 if ptxas does not say it
};

// By the name of the kernel, from the output of `ptxas -v`.
std::map<std::string, KernelResources> ReadResources(std::string_view ptxas_output);

// The content of a section of a 64-bit ELF file, such as a cubin or an object; nullopt if there is none, or the file is
// none.
std::optional<std::string_view> SectionOf(std::string_view elf, std::string_view name);

inline constexpr size_t kInstructionBytes = 16;  // of machine code, from compute capability 7.0 on

// The number of instructions at the same place in two pieces of machine code that differ. REQUIRES: they are equally
// long.
size_t DifferentInstructions(std::string_view a, std::string_view b);

// How many lines of a kernel in PTX have an instruction that begins with `opcode`, such as "ld.global".
size_t InstructionsOf(std::string_view ptx, const std::string& kernel, const std::string& opcode);

}  // namespace warpgrade::study
