#include "grader/cli/gpu_model.h"

#include "grader/cudart/device_model.h"
#include "grader/cudart/time_model.h"

namespace warpgrade::cli {
namespace {

Result<const cudart::DeviceModel*> Find(const std::string& id) {
  if (id.empty()) return &cudart::DefaultDeviceModel();
  return cudart::FindDeviceModel(id);
}

}  // namespace

Result<ProfileGpu> FindGpuModel(const std::string& as) {
  Result<const cudart::DeviceModel*> model = Find(as);
  if (!model) return model.error();
  return ProfileGpu{(*model)->name, (*model)->Fp32Gflops(), (*model)->bandwidth_gbs, (*model)->id};
}

uint64_t ModelNanoseconds(const emulator::Counters& counters, const ProfileGpu& gpu) {
  Result<const cudart::DeviceModel*> model = Find(gpu.id);
  WARPGRADE_CHECK(model);
  return cudart::LaunchNanoseconds(counters, **model, (*model)->multiprocessors);
}

}  // namespace warpgrade::cli
