#include "grader/judge/driver_api.h"

#include <dlfcn.h>

namespace warpgrade::judge {
namespace {

// Two steps, so that the macro cuMemAlloc is expanded to cuMemAlloc_v2 before it is quoted.
#define WARPGRADE_QUOTE(name) #name
#define WARPGRADE_SYMBOL(name) WARPGRADE_QUOTE(name)

Error NoGpu(const std::string& why) { return Error{ErrorKind::kMachine, "no GPU here: " + why}; }

Result<DriverApi> Load() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return NoGpu("the NVIDIA driver is not installed (libcuda.so.1 is not found)");
  DriverApi api;
#define WARPGRADE_LOAD(name)                                                               \
  api.name = reinterpret_cast<decltype(api.name)>(dlsym(library, WARPGRADE_SYMBOL(name))); \
  if (api.name == nullptr) return NoGpu("the NVIDIA driver is too old: it lacks " WARPGRADE_SYMBOL(name));
  WARPGRADE_DRIVER_FUNCTIONS(WARPGRADE_LOAD)
#undef WARPGRADE_LOAD
  const CUresult initialised = api.cuInit(0);
  if (initialised != CUDA_SUCCESS) return NoGpu("cuInit: " + api.Describe(initialised));
  int devices = 0;
  if (api.cuDeviceGetCount(&devices) != CUDA_SUCCESS || devices == 0) return NoGpu("the driver lists no device");
  return api;
}

}  // namespace

Result<const DriverApi*> DriverApi::Open() {
  static const Result<DriverApi> kLoaded = Load();
  if (!kLoaded) return kLoaded.error();
  return &*kLoaded;
}

std::string DriverApi::Describe(CUresult result) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (cuGetErrorName(result, &name) != CUDA_SUCCESS || name == nullptr) name = "unknown error";
  if (cuGetErrorString(result, &text) != CUDA_SUCCESS || text == nullptr) text = "no description";
  return std::string(name) + " (" + text + ")";
}

}  // namespace warpgrade::judge
