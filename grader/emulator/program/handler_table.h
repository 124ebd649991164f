// Where decode finds the functions that execute instructions. The machine owns them (machine/handlers/table.h), so that
// the decoded form need not know how it is run.
#pragma once

#include "grader/emulator/program/program.h"

namespace warpgrade::emulator {

class HandlerTable {
 public:
  virtual ~HandlerTable() = default;
  // The handler of a key such as "add.f32", or nullptr. Thread-safe.
  virtual Handler Find(const char* key) const = 0;
  // True if a handler only works on the lanes of its mask and does not change the control flow. Thread-safe.
  virtual bool IsLaneWise(Handler handler) const = 0;
};

}  // namespace warpgrade::emulator
