// What the host-only students of these tests share: the call, unpacked.
#pragma once

#include <cstdint>

#include "grader/lab/call.h"

inline const int* In(const warpgrade::LabCall* call) { return static_cast<const int*>(call->buffers[0]); }
inline int* Out(const warpgrade::LabCall* call) { return static_cast<int*>(call->buffers[1]); }
inline int* Work(const warpgrade::LabCall* call) { return static_cast<int*>(call->buffers[2]); }
inline uint64_t Count(const warpgrade::LabCall* call) { return call->sizes[0]; }

inline void Double(const warpgrade::LabCall* call) {
  for (uint64_t i = 0; i < Count(call); ++i) Out(call)[i] = 2 * In(call)[i];
}
