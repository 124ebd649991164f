// The registry that nvcc's host code fills (api/registration.cc), and loading at first use. The device does the work;
// this file stores its answers. Tested by tests/cudart/programs_test.cc (programs/symbols.cu, no_ptx.cu,
// managed_memory.cu).
#include "grader/cudart/modules.h"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "grader/cudart/device_link.h"
#include "grader/cudart/error_state.h"
#include "grader/cudart/shared_mapping.h"
#include "grader/device_model/gpu_limits.h"
#include "grader/emulator/fatbin/fatbin.h"

namespace warpgrade::cudart {
namespace {

template <typename Map>
void ForgetNames(Map& map, const Module* module) {
  std::erase_if(map, [module](const auto& entry) { return entry.second->module == module; });
}

}  // namespace

uint32_t MaxDynamicShared(const Function& function) {
  if (function.max_dynamic_shared_bytes) return *function.max_dynamic_shared_bytes;
  const uint32_t fixed = function.kernel->info.static_shared_bytes;
  return fixed < gpu_limits::kSharedPerBlock ? gpu_limits::kSharedPerBlock - fixed : 0;
}

Module* Modules::AddModule(const void* fatbin, const void* const* units) {
  auto module = std::make_unique<Module>();
  module->fatbin = fatbin;
  module->units = units;
  modules_.push_back(std::move(module));
  return modules_.back().get();
}

void Modules::AddFunction(Module* module, const void* host, const char* name) {
  auto function = std::make_unique<Function>();
  function->module = module;
  function->name = name;
  function_at_[host] = function.get();
  const void* own_address = function.get();
  functions_.emplace(own_address, std::move(function));
}

void Modules::AddVariable(Module* module, const void* host, const char* name, void** managed) {
  auto variable = std::make_unique<Variable>();
  variable->module = module;
  variable->name = name;
  variable->managed = managed;
  variable_at_[host] = variable.get();
  variables_.push_back(std::move(variable));
}

void Modules::Unregister(const Module* module) {
  ForgetNames(function_at_, module);
  ForgetNames(variable_at_, module);
}

Function* Modules::FindFunction(const void* host) const {
  const auto found = function_at_.find(host);
  if (found != function_at_.end()) return found->second;
  const auto handle = functions_.find(host);
  return handle == functions_.end() ? nullptr : handle->second.get();
}

Variable* Modules::FindVariable(const void* host) const {
  const auto found = variable_at_.find(host);
  if (found != variable_at_.end()) return found->second;
  // The host refers to a managed variable by the variable's own address.
  for (const auto& variable : variables_) {
    const bool here = variable->managed != nullptr && variable->place;
    if (here && variable->place->base == reinterpret_cast<DevicePtr>(host)) return variable.get();
  }
  return nullptr;
}

cudaError_t Modules::LoadImage(Module& module, std::string* message) {
  std::vector<std::span<const std::byte>> images;
  const auto add = [&images](const void* fatbin) {
    const uint64_t bytes = fatbin == nullptr ? 0 : fatbin::ClaimedSize(fatbin);
    if (bytes != 0) images.emplace_back(static_cast<const std::byte*>(fatbin), bytes);
    return bytes != 0;
  };
  bool known = true;
  if (module.units == nullptr) {
    known = add(module.fatbin);
  } else {
    for (const void* const* unit = module.units; known && *unit != nullptr; ++unit) known = add(*unit);
  }
  if (!known) {
    *message = "what nvcc embedded in the program is not a fat binary";
    return cudaErrorInvalidKernelImage;
  }
  if (module.units != nullptr) return device_.backend().LoadProgram(images, &module.handle, message);
  return device_.backend().LoadModule(images.front(), &module.handle, message);
}

cudaError_t Modules::Load(Module& module) {
  if (module.tried) return module.error;
  module.tried = true;
  std::string message;
  module.error = LoadImage(module, &message);
  if (module.error != cudaSuccess) {
    errors_.Explain(module.error, fmt::format("cannot load the program's kernels: {}", message));
  }
  return module.error;
}

cudaError_t Modules::Prepare(Function& function) {
  if (function.kernel) return cudaSuccess;
  cudaError_t error = Load(*function.module);
  if (error != cudaSuccess) return error;
  Kernel kernel;
  error = device_.backend().FindKernel(function.module->handle, function.name, &kernel);
  if (error == cudaSuccess) function.kernel = std::move(kernel);
  return error;
}

cudaError_t Modules::Prepare(Variable& variable) {
  if (variable.place) return cudaSuccess;
  cudaError_t error = Load(*variable.module);
  if (error != cudaSuccess) return error;
  AllocationInfo place;
  error = device_.backend().FindVariable(variable.module->handle, variable.name, &place);
  if (error == cudaSuccess) variable.place = place;
  return error;
}

cudaError_t Modules::PlaceManaged(const Module* module) {
  for (const auto& variable : variables_) {
    if (variable->managed == nullptr || variable->place || (module != nullptr && variable->module != module)) continue;
    cudaError_t error = Prepare(*variable);
    if (error == cudaSuccess)
      error = MapShared(device_.backend(), errors_, variable->place->base, variable->place->bytes);
    if (error != cudaSuccess) return error;
    device_.AddHostVisible(variable->place->base, variable->place->bytes);
    *variable->managed = reinterpret_cast<void*>(variable->place->base);
  }
  return cudaSuccess;
}

void Modules::Reset() {
  for (const auto& module : modules_) module->tried = false;
  for (const auto& [handle, function] : functions_) {
    function->kernel.reset();
    function->max_dynamic_shared_bytes.reset();
  }
  for (const auto& variable : variables_) {
    if (variable->managed != nullptr && variable->place) {
      device_.RemoveHostVisible(variable->place->base);
      UnmapShared(variable->place->base, variable->place->bytes);
    }
    variable->place.reset();
  }
  static_cast<void>(PlaceManaged(nullptr));
}

}  // namespace warpgrade::cudart
