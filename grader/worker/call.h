// The one call that crosses from the worker's harness into a lab: the judge names a case, the worker fills in a
// LabCall, and the lab's adapter (labs/labN/adapter.cc, linked with the student's object) unpacks it into the student's
// function. Plain data, C linkage: the harness knows nothing of labs.
#pragma once

#include <cstdint>

namespace warpgrade {

inline constexpr int kMaxBuffers = 8;
inline constexpr int kMaxSizes = 8;

struct LabCall {
  int32_t variant = 0;  // element type x operation, numbered by the lab (labN.h)
  int32_t buffer_count = 0;
  void* buffers[kMaxBuffers] = {};  // device or host pointers, in the order of judge::Lab::Buffers
  uint64_t buffer_bytes[kMaxBuffers] = {};
  int32_t size_count = 0;
  uint64_t sizes[kMaxSizes] = {};  // n, or rows and columns: in the order of judge::Case::sizes
  void* stream = nullptr;          // a cudaStream_t
};

}  // namespace warpgrade

// Implemented by each lab's adapter. Launches the student's work on call->stream and returns; the caller synchronises.
// Throws lab::NotWrittenYet when the student's function is still the starter's. Other exceptions mean a failed call.
extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call);
