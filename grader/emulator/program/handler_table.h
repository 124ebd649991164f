// Where decode finds the functions that execute instructions. The machine owns them (machine/handlers/table.h), so that
// the decoded form need not know how it is run.
#pragma once

#include "grader/emulator/program/program.h"

namespace warpgrade::emulator {

// The place of an instruction in a run, which is executed and counted as one (Inst::run).
enum class RunRole : uint8_t {
  kNone,    // it runs alone
  kInside,  // control goes on behind it, or the fragment leaves there
  kLast,    // control may go elsewhere, or other warps may run first
};

class HandlerTable {
 public:
  virtual ~HandlerTable() = default;
  // The handler of a key such as "add.f32", or nullptr. Thread-safe.
  virtual Handler Find(const char* key) const = 0;
  // Thread-safe.
  virtual RunRole RoleOf(Handler handler) const = 0;
};

}  // namespace warpgrade::emulator
