// Unpacks the worker's call into the student's function. Linked with one rung's object at a time; g++ compiles it, with
// the CUDA headers but without nvcc.
#include <cstdint>
#include <stdexcept>
#include <string>

#include "grader/lab/call.h"
#include "labs/lab4/lab4.h"
#include "labs/support/launch_error.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  const bool is_separable = call->variant == lab4::kSeparable;
  const bool has_planes = call->variant == lab4::kPlanes;
  if (call->buffer_count != (is_separable ? 5 : 3) || call->size_count != (has_planes ? 5 : 4)) {
    throw std::invalid_argument("lab4 takes 3 or 5 buffers and 4 or 5 sizes, not " +
                                std::to_string(call->buffer_count) + " and " + std::to_string(call->size_count));
  }
  if (call->variant != lab4::RungVariant()) {
    throw std::invalid_argument(std::string("this file implements ") + lab4::FunctionName(lab4::RungVariant()) +
                                ", and its rung is to implement " + lab4::FunctionName(call->variant) +
                                ": v1, v2, v3 and v7 end with LAB4_LINE_RUNG();, v4, v5, v8 and v9 with "
                                "LAB4_IMAGE_RUNG();, v6 with LAB4_SEPARABLE_RUNG();, v10 with LAB4_PLANES_RUNG();");
  }
  const auto buffer = [call](int i) { return static_cast<float*>(call->buffers[i]); };
  lab4::Arguments a;
  a.d_in = buffer(0);
  a.d_mask = buffer(1);
  a.d_row_mask = is_separable ? buffer(2) : nullptr;
  a.d_workspace = is_separable ? buffer(3) : nullptr;
  a.d_out = buffer(call->buffer_count - 1);
  a.rows = call->sizes[0];
  a.columns = call->sizes[1];
  a.mask_rows = static_cast<int>(call->sizes[2]);
  a.mask_columns = static_cast<int>(call->sizes[3]);
  if (has_planes) a.planes = call->sizes[4];
  lab4::CallRung(a, static_cast<cudaStream_t>(call->stream));
  lab::ThrowLaunchError();
}
