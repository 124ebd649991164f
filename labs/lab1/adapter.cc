// Unpacks a LabCall into the student's reduce<T, Op>(). Linked with one rung's object, which instantiates the six.
#include <cstdint>
#include <stdexcept>
#include <string>

#include "grader/lab/call.h"
#include "labs/lab1/lab1.h"

namespace {

using warpgrade::LabCall;
using namespace warpgrade::lab1;

template <typename T, typename Op>
void Call(const LabCall& call) {
  const T* d_buffer = static_cast<const T*>(call.buffers[kInBuffer]);
  const T* d_in = d_buffer == nullptr ? nullptr : d_buffer + call.sizes[kFront];
  reduce<T, Op>(d_in, call.sizes[kCount], static_cast<T*>(call.buffers[kOutBuffer]),
                static_cast<T*>(call.buffers[kWorkBuffer]), static_cast<cudaStream_t>(call.stream));
}

template <typename T>
void CallFor(Operation operation, const LabCall& call) {
  if (operation == Operation::kSum) return Call<T, Sum<T>>(call);
  return Call<T, Max<T>>(call);
}

}  // namespace

extern "C" void warpgrade_lab_call(const LabCall* call) {
  if (call->buffer_count != kBuffers || call->size_count != kSizes || call->variant < 0 || call->variant >= kVariants) {
    throw std::invalid_argument("lab1 got a call that is not its own: variant " + std::to_string(call->variant) + ", " +
                                std::to_string(call->buffer_count) + " buffers, " + std::to_string(call->size_count) +
                                " sizes; rebuild the kit");
  }
  const Variant variant = VariantFromNumber(call->variant);
  switch (variant.element) {
    case Element::kInt:
      return CallFor<int>(variant.operation, *call);
    case Element::kFloat:
      return CallFor<float>(variant.operation, *call);
    case Element::kDouble:
      return CallFor<double>(variant.operation, *call);
  }
}
