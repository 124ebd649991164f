// Recognises the answer of the textbook's formula for occupancy. Tested by tests/quiz/explain_test.cc.
#include "grader/quiz/missed_rule.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <variant>

#include "grader/device_model/device_model.h"
#include "grader/device_model/gpu_limits.h"
#include "grader/quiz/value_text.h"

namespace warpgrade::quiz {

std::string MissedRule(const Function& function, const Values& values, const Value& given) {
  const bool occupancy = std::string_view(function.name) == "occupancy";
  const double* number = std::get_if<double>(&given);
  if (number == nullptr || (!occupancy && std::string_view(function.name) != "resident_blocks")) return "";
  const Result<Arguments> a = Complete(function, values);
  WARPGRADE_CHECK(a.ok());
  const ComputeCapability& device = (*FindDeviceModel(a->Word("device")))->capability;
  const double threads = a->Number("threads");
  constexpr int kAll = gpu_limits::kRegistersPerMultiprocessor;
  const double blocks = std::floor(kAll / (a->Number("registers") * threads));
  const double share = std::fmin(1, blocks * threads / device.threads_per_multiprocessor);
  constexpr int kRegisterUnit = 256;  // of all GPUs of device_model, as cuda_occupancy.h says
  constexpr double kRounded = 0.006;  // a share that was rounded to two digits
  const bool is_it = occupancy ? std::abs(*number - share) < kRounded : *number == blocks;
  if (!is_it) return "";
  return fmt::format(
      "this follows from {0} registers / ({1} x {2}); but a warp gets its registers in units of {3}: first round 32 x "
      "{1} "
      "up to a multiple of {3}",
      kAll, ValueText(a->Number("registers")), ValueText(threads), kRegisterUnit);
}

}  // namespace warpgrade::quiz
