// malloc and free inside kernels: blocks of the device heap (cudaLimitMallocHeapSize) out of GlobalMemory, so that the
// bounds checks know each of them. Allocations live until a kernel frees them, also of a later launch. Safe from all
// host threads that run blocks. Tested by tests/emulator/exec/features_test.cc.
#pragma once

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// Calls of malloc and free; the call site is Inst::call.
void DeviceMalloc(Exec& x, const Inst& i);  // gives a null pointer when the heap is exhausted
void DeviceFree(Exec& x, const Inst& i);    // reports a pointer that malloc did not give, or that was freed before

}  // namespace warpgrade::emulator
