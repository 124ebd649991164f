// What the root of an instruction tells about it: the rows of opcodes.def, which also describes their columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpgrade::ptx {

// What an opcode does, for code that need not know how it does it.
enum OpcodeTrait : uint32_t {
  kPure = 1 << 0,              // its result depends on its operands only: allowed in a loop that only waits
  kPassesBits = 1 << 1,        // may copy its operand's bits without using them: see copied_registers.h
  kSignless = 1 << 2,          // integers: signedness does not change the low half of its result
  kAdds = 1 << 3,              // counted as an addition of floats,
  kMultiplies = 1 << 4,        // a multiplication,
  kFuses = 1 << 5,             // or both at once
  kReads = 1 << 6,             // reads memory and writes none
  kLoads = 1 << 7,             // is ld
  kStores = 1 << 8,            // is st
  kAtomic = 1 << 9,            // atom and red
  kFences = 1 << 10,           // orders memory; writes no register
  kSleeps = 1 << 11,           // lets other threads run; writes no register
  kVotes = 1 << 12,            // needs the whole warp, changes nothing
  kBranches = 1 << 13,         // its operand is a label
  kBranchesByIndex = 1 << 14,  // its second operand is a .branchtargets list
  kCalls = 1 << 15,            // has the syntax of a call
  kEndsFunction = 1 << 16,     // no instruction follows it
};

struct Opcode {
  const char* name;
  uint32_t traits;
  const char* const* forms;  // as written in opcodes.def
  size_t form_count;
  size_t index;  // in Opcodes()
};

struct OpcodeSpan {
  const Opcode* rows;
  size_t count;
};

// All rows, in the order of opcodes.def.
OpcodeSpan Opcodes();
// The row of a root such as "add"; nullptr if there is none. Thread-safe.
const Opcode* FindOpcode(std::string_view name);
// The alternatives of a MODIFIER_SET, "b16|b32|b64"; nullptr if there is no such set.
const char* ModifierSet(std::string_view name);

}  // namespace warpgrade::ptx
