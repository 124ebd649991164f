#include "grader/cli/gpu_model.h"

#include "grader/cudart/time_model.h"

namespace warpgrade::cli {

Result<ProfileGpu> FindGpuModel(const std::string& as) {
  if (as.empty() || as == "h200") return ProfileGpu{"NVIDIA H200", 66900, 4800};
  return Error{ErrorKind::kUsage, "--as " + as + ": only h200 is known"};
}

uint64_t ModelNanoseconds(const emulator::Counters& counters, const ProfileGpu&) {
  return cudart::LaunchNanoseconds(counters, 132);
}

}  // namespace warpgrade::cli
