// The functions that nvcc's generated host code calls before main. They load nothing; they store names and addresses
// (modules.h). Tested by every program of tests/cudart/programs_test.cc.
//
//   fat binary wrapper:  i32 magic 0x466243b1 | i32 version | const void* fat binary | const void* const* units
//
// In version 1 there are no units. In version 2 (nvcc -rdc=true, found by experiment with nvcc 13.0) they are the fat
// binaries of the objects that nvcc's device linker linked, up to a nullptr. Each holds relocatable PTX or machine
// code. The fat binary itself then holds what the device linker made of the machine code, or nothing if there is only
// PTX.
#include "grader/cudart/api/api.h"
#include "grader/cudart/error_state.h"
#include "grader/cudart/fork.h"
#include "grader/cudart/modules.h"
#include "grader/cudart/runtime.h"

namespace {

using warpgrade::cudart::IsForkedChild;
using warpgrade::cudart::Module;
using warpgrade::cudart::Runtime;

constexpr int kWrapperMagic = 0x466243b1;
constexpr int kLinkedVersion = 2;

struct Wrapper {
  int magic;
  int version;
  const void* fatbin;
  const void* const* units;
};

Module* ModuleOf(void** handle) { return reinterpret_cast<Module*>(handle); }

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* fat_cubin) {
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.mutex);
  const auto* wrapper = static_cast<const Wrapper*>(fat_cubin);
  const bool known = wrapper != nullptr && wrapper->magic == kWrapperMagic;
  const bool is_linked = known && wrapper->version == kLinkedVersion;
  return reinterpret_cast<void**>(
      runtime.modules.AddModule(known ? wrapper->fatbin : nullptr, is_linked ? wrapper->units : nullptr));
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
  if (IsForkedChild()) return;
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.mutex);
  runtime.modules.Unregister(ModuleOf(handle));
}

void __cudaRegisterFunction(void** handle, const char* host_function, char*, const char* device_name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.mutex);
  runtime.modules.AddFunction(ModuleOf(handle), host_function, device_name);
}

void __cudaRegisterVar(void** handle, char* host_variable, char*, const char* device_name, int, size_t, int, int) {
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.mutex);
  runtime.modules.AddVariable(ModuleOf(handle), host_variable, device_name, nullptr);
}

// `host_variable` is where the host code reads the variable's address, and is also the symbol that it passes.
void __cudaRegisterManagedVar(void** handle, void** host_variable, char*, const char* device_name, int, size_t, int,
                              int) {
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.mutex);
  runtime.modules.AddVariable(ModuleOf(handle), host_variable, device_name, host_variable);
}

// Called once, before the host first touches a managed variable.
char __cudaInitModule(void** handle) {
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.mutex);
  runtime.errors.Enter("__managed__");
  return runtime.modules.PlaceManaged(ModuleOf(handle)) == cudaSuccess ? 1 : 0;
}

}  // extern "C"
