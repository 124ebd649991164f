// The one call from the worker (grader/worker) into a lab. The judge names a case, and the worker fills in a LabCall.
// The lab's adapter (labs/labN/adapter.cc, linked with the student's object) unpacks it into the student's function. It
// is plain data with C linkage, so that the worker's archive is the same for all labs.
#pragma once

#include <cstdint>

namespace warpgrade {

inline constexpr int kMaxBuffers = 8;
inline constexpr int kMaxSizes = 8;
// What an adapter throws begins with this when it is about what the student's function returned. Then the judge does
// not call it an exception of the student's.
inline constexpr char kReturned[] = "it returned ";
// Or with one of these when it passes on what the runtime said of a launch (labs/support/launch_error.h).
inline constexpr char kRefused[] = "the launch was refused: ";
inline constexpr char kStopped[] = "the kernel stopped: ";

// One call of the student's function.
struct LabCall {
  int32_t variant = 0;  // element type x operation, numbered by the lab (labN.h)
  int32_t buffer_count = 0;
  void* buffers[kMaxBuffers] = {};  // device or host pointers, in the order of Lab::Buffers
  uint64_t buffer_bytes[kMaxBuffers] = {};
  int32_t size_count = 0;
  uint64_t sizes[kMaxSizes] = {};  // n, or rows and columns: in the order of Case::sizes
  void* stream = nullptr;          // a cudaStream_t
};

}  // namespace warpgrade

// Implemented by each lab's adapter. Launches the student's work on call->stream and returns; the caller synchronises.
// Throws lab::NotWrittenYet when the student's function is still the starter's. Other exceptions mean a failed call.
extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call);
