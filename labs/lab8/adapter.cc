// Unpacks the worker's call into the student's function, or asks for the name of the fault. Linked with one rung's
// object at a time; g++ compiles it, with the CUDA headers but without nvcc.
#include <cstdint>
#include <stdexcept>
#include <string>

#include "grader/lab/call.h"
#include "labs/lab8/lab8.h"
#include "labs/support/launch_error.h"

namespace {

constexpr int kBuffers[] = {2, 3, 2, 4, 1};  // of each Task

}  // namespace

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  if (call->variant != lab8::kName && call->variant != lab8::RungTask()) {
    throw std::invalid_argument(
        "this file's last line belongs to another rung: v1 to v5 and v7 end with LAB8_SUMS_RUNG();, v6 with "
        "LAB8_TOTAL_RUNG();, v8 with LAB8_TRANSPOSE_RUNG();, v9 with LAB8_NEURONS_RUNG();");
  }
  if (call->buffer_count != kBuffers[call->variant] || call->size_count != 2) {
    throw std::invalid_argument("lab8 does not take " + std::to_string(call->buffer_count) + " buffers and " +
                                std::to_string(call->size_count) + " sizes");
  }
  if (call->variant == lab8::kName) {
    const lab8::Fault fault = lab8::NamedFault();
    auto* const to = static_cast<int32_t*>(call->buffers[0]);
    to[0] = fault.kind;
    to[1] = static_cast<unsigned char>(fault.first);
    to[2] = static_cast<unsigned char>(fault.second);
    return;
  }
  lab8::Arguments arguments;
  for (int i = 0; i < call->buffer_count; ++i) arguments.buffers[i] = call->buffers[i];
  arguments.first = call->sizes[0];
  arguments.second = call->sizes[1];
  arguments.stream = static_cast<cudaStream_t>(call->stream);
  lab8::CallRung(arguments);
  lab::ThrowLaunchError();
}
