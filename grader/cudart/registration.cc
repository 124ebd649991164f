// What nvcc's generated host code calls before main: nothing is loaded here, only noted.
//
//   fat binary wrapper:  i32 magic 0x466243b1 | i32 version | const void* fat binary | const void* unused here
#include "grader/cudart/api.h"
#include "grader/cudart/runtime.h"

namespace {

using warpgrade::cudart::Function;
using warpgrade::cudart::Module;
using warpgrade::cudart::Runtime;
using warpgrade::cudart::Variable;

constexpr int kWrapperMagic = 0x466243b1;

struct Wrapper {
  int magic;
  int version;
  const void* fatbin;
  const void* unused;
};

Module* ModuleOf(void** handle) { return reinterpret_cast<Module*>(handle); }

// Names that belong to an unregistered module are gone; the objects stay, since a program may keep a cudaKernel_t.
template <typename Map>
void Forget(Map& map, const Module* module) {
  std::erase_if(map, [module](const auto& entry) { return entry.second->module == module; });
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* fat_cubin) {
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.mutex);
  auto module = std::make_unique<Module>();
  const auto* wrapper = static_cast<const Wrapper*>(fat_cubin);
  if (wrapper != nullptr && wrapper->magic == kWrapperMagic) module->fatbin = wrapper->fatbin;
  runtime.modules.push_back(std::move(module));
  return reinterpret_cast<void**>(runtime.modules.back().get());
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.mutex);
  Forget(runtime.function_at, ModuleOf(handle));
  Forget(runtime.variable_at, ModuleOf(handle));
}

void __cudaRegisterFunction(void** handle, const char* host_function, char*, const char* device_name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.mutex);
  auto function = std::make_unique<Function>();
  function->module = ModuleOf(handle);
  function->name = device_name;
  runtime.function_at[host_function] = function.get();
  const void* own_address = function.get();
  runtime.functions.emplace(own_address, std::move(function));
}

void __cudaRegisterVar(void** handle, char* host_variable, char*, const char* device_name, int, size_t, int, int) {
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.mutex);
  auto variable = std::make_unique<Variable>();
  variable->module = ModuleOf(handle);
  variable->name = device_name;
  runtime.variable_at[host_variable] = variable.get();
  runtime.variables.push_back(std::move(variable));
}

// `host_variable` is where the host code looks for the variable's address, and what it passes as the symbol.
void __cudaRegisterManagedVar(void** handle, void** host_variable, char*, const char* device_name, int, size_t, int,
                              int) {
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.mutex);
  auto variable = std::make_unique<Variable>();
  variable->module = ModuleOf(handle);
  variable->name = device_name;
  variable->managed = host_variable;
  runtime.variable_at[host_variable] = variable.get();
  runtime.variables.push_back(std::move(variable));
}

// Called once, before the host first touches a managed variable.
char __cudaInitModule(void** handle) {
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.mutex);
  runtime.api = "__managed__";
  return runtime.PlaceManaged(ModuleOf(handle)) == cudaSuccess ? 1 : 0;
}

}  // extern "C"
