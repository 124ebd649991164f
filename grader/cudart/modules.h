// The code that the program registered before main: fat binaries, and the kernels and variables in them. A fat binary
// is loaded onto the device when something of it is first used.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "grader/cudart/device/backend.h"

namespace warpgrade::cudart {

class DeviceLink;
class ErrorState;

// One fat binary of the program.
struct Module {
  const void* fatbin = nullptr;  // points to its header; nullptr when the program registered something else
  // Of a program that was linked from several translation units: the fat binaries of its objects, up to a nullptr.
  const void* const* units = nullptr;
  bool tried = false;               // to load it
  cudaError_t error = cudaSuccess;  // of loading, once tried
  ModuleHandle handle = 0;
};

// A __global__ function. Its address is the cudaKernel_t and cudaFunction_t that the program sees.
struct Function {
  Module* module = nullptr;
  std::string name;              // mangled
  std::optional<Kernel> kernel;  // once prepared
  // As set by cudaFuncSetAttribute. Not set: what is left of the 48 KB that need no attribute.
  std::optional<uint32_t> max_dynamic_shared_bytes;
  int shared_carveout = -1;
};

// How much dynamic shared memory a launch of `function` may ask for. REQUIRES: it is prepared.
uint32_t MaxDynamicShared(const Function& function);

// A __device__, __constant__ or __managed__ variable.
struct Variable {
  Module* module = nullptr;
  std::string name;
  std::optional<AllocationInfo> place;  // once prepared
  void** managed = nullptr;             // of a __managed__ one: where the host code keeps the variable's address
};

// Thread-compatible: Runtime::mutex guards it. Modules, functions and variables live as long as this object, because a
// program may keep a cudaKernel_t after its module was unregistered.
class Modules {
 public:
  Modules(DeviceLink& device, ErrorState& errors) : device_(device), errors_(errors) {}

  // `fatbin` and `units` as in Module. Nothing is loaded yet.
  Module* AddModule(const void* fatbin, const void* const* units);
  void AddFunction(Module* module, const void* host, const char* name);
  // `managed` as in Variable; nullptr for a plain variable.
  void AddVariable(Module* module, const void* host, const char* name, void** managed);
  // Host addresses of this module's functions and variables name nothing any more.
  void Unregister(const Module* module);

  // What was registered at `host`, or the Function that is itself given as a handle; nullptr when there is none.
  Function* FindFunction(const void* host) const;
  Variable* FindVariable(const void* host) const;

  // Loads the module and finds the kernel or variable in it. An error of loading is explained on stderr.
  cudaError_t Prepare(Function& function);
  cudaError_t Prepare(Variable& variable);
  // Loads the modules of managed variables, maps the variables into this process, and tells the host code their
  // addresses. Of all modules when `module` is nullptr.
  cudaError_t PlaceManaged(const Module* module);

  // Forgets what was loaded (cudaDeviceReset). Modules load again at their next use; managed variables are placed again
  // at once, because the host code asks for their addresses only once.
  void Reset();

 private:
  cudaError_t Load(Module& module);
  cudaError_t LoadImage(Module& module, std::string* message);

  DeviceLink& device_;
  ErrorState& errors_;
  std::vector<std::unique_ptr<Module>> modules_;
  std::unordered_map<const void*, std::unique_ptr<Function>> functions_;  // by its own address, the handle
  std::vector<std::unique_ptr<Variable>> variables_;
  std::unordered_map<const void*, Function*> function_at_;  // by the host's address
  std::unordered_map<const void*, Variable*> variable_at_;
};

}  // namespace warpgrade::cudart
