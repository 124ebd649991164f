// The table of lane-wise handlers: key -> function. Keys are the PTX spelling with what does not change the result left
// out ("add.rn.f32" is "add.f32", "add.s32" is "add.u32"); HandlerKey in decode makes them. The files in this folder
// are compiled once per instruction set (WARPGRADE_ISA), and the best one that the machine runs is chosen at start.
//
// Because of that they must not instantiate library templates with external linkage: the linker could pick an AVX-512
// copy for a machine without it. They use plain arrays and functions of the unnamed namespace.
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

// The handlers of this machine: for Decode.
const HandlerTable& MachineHandlers();
// The keys of all handlers but those of control flow and barriers (ControlHandlers), sorted: for the test that every
// one of them is tested.
const char* const* AllHandlerKeys(size_t* count);

}  // namespace warpgrade::emulator
