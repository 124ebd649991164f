// malloc and free inside kernels. Blocks of the device heap (cudaLimitMallocHeapSize) come from GlobalMemory, so that
// the bounds checks know each of them. An allocation lives until a kernel frees it, which may be in a later launch. All
// host threads that run blocks may call these. Tested by tests/emulator/exec/features_test.cc.
#pragma once

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// Calls of malloc and free; the call site is Inst::call.
void DeviceMalloc(Exec& x, const Inst& i);  // returns a null pointer when the heap is exhausted
void DeviceFree(Exec& x, const Inst& i);    // reports a pointer that malloc did not return, or that was freed before

}  // namespace warpgrade::emulator
