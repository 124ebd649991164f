// The table of lane-wise handlers: key -> function. A key is the PTX spelling without the parts that do not change the
// result ("add.rn.f32" becomes "add.f32", and "add.s32" becomes "add.u32"). HandlerKey in decode makes the keys. The
// files in this folder are compiled once per instruction set (WARPGRADE_ISA); the program chooses the best one that the
// machine supports when it starts.
//
// For this reason these files must not instantiate library templates with external linkage: the linker could choose the
// AVX-512 copy for a machine without AVX-512. They use plain arrays, and functions in the unnamed namespace.
#pragma once

#include <cstddef>

#include "grader/emulator/program/handler_table.h"

namespace warpgrade::emulator {

struct HandlerEntry {
  const char* key;
  Handler handler;
};

struct HandlerSpan {
  const HandlerEntry* entries;
  size_t count;
};

#define WARPGRADE_DECLARE_HANDLERS(isa) \
  namespace isa {                       \
  HandlerSpan IntegerHandlers();        \
  HandlerSpan BitHandlers();            \
  HandlerSpan FloatHandlers();          \
  HandlerSpan HalfHandlers();           \
  HandlerSpan CompareHandlers();        \
  HandlerSpan ConvertHandlers();        \
  HandlerSpan NarrowHandlers();         \
  HandlerSpan VideoHandlers();          \
  HandlerSpan MatrixHandlers();         \
  HandlerSpan MoveHandlers();           \
  HandlerSpan GlobalAccessHandlers();   \
  HandlerSpan SharedAccessHandlers();   \
  HandlerSpan LocalAccessHandlers();    \
  }
#if defined(__x86_64__)
WARPGRADE_DECLARE_HANDLERS(avx2)
WARPGRADE_DECLARE_HANDLERS(avx512)
#else
WARPGRADE_DECLARE_HANDLERS(portable)
#endif
#undef WARPGRADE_DECLARE_HANDLERS

// The handlers of this machine, for Decode.
const HandlerTable& MachineHandlers();
// The keys of all handlers but those of control flow and barriers (ControlHandlers), sorted. A test checks that each of
// them is tested.
const char* const* AllHandlerKeys(size_t* count);

}  // namespace warpgrade::emulator
