// What a Device consists of; private to device*.cc.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "grader/emulator/checks/happens_before.h"
#include "grader/emulator/counters/kept_launches.h"
#include "grader/emulator/device.h"
#include "grader/emulator/machine/grid.h"
#include "grader/emulator/memory/global_memory.h"
#include "grader/emulator/program/decode.h"
#include "grader/emulator/ptx/module.h"
#include "grader/emulator/state/child_launches.h"

namespace warpgrade::emulator {

struct LoadedModule {
  ptx::Module module;
  std::string name;
  SymbolAddresses symbols;
  std::map<std::string, AllocationInfo> variables;
  std::vector<uint64_t> allocations;
  int wave_lanes = kLanes;
  bool live = true;
};

struct LoadedKernel {
  ModuleId module = 0;
  const ptx::Function* function = nullptr;
  KernelInfo info;
  ParameterLayout layout;
  std::unique_ptr<Program> program;  // decoded at the first launch
};

// A launch that is not over.
struct RunningLaunch {
  LaunchRequest request;
  LaunchShared shared;
  std::unique_ptr<SyncTable> sync;
  std::unique_ptr<Grid> grid;
  TouchedBytes touched;                     // before it was last suspended
  int depth = 0;                            // how many grids are above it: the host's launch has none
  uint64_t room = 0;                        // for launches by this grid
  bool notes_touched = false;               // also if the request does not ask
  std::unique_ptr<ChildLaunches> children;  // null: it launches none
};

inline AllocationInfo Describe(const Allocation& a) { return {a.base, a.bytes, a.label, a.sequence, a.kind}; }

struct ChildOfGrid;  // device_children.cc

struct Device::Impl {
  explicit Impl(DeviceOptions o) : options(std::move(o)), memory(options.global_memory_bytes) {}

  DeviceOptions options;
  GlobalMemory memory;
  std::vector<std::unique_ptr<LoadedModule>> modules;
  std::deque<LoadedKernel> kernels;  // which stay in place
  KeptLaunches launches{options.max_line_counters};
  LaunchPictures pictures;
  CopyTraffic copies;
  std::vector<Finding> findings;
  uint64_t instructions_left = options.total_instruction_budget;
  bool shortens_launches = false;
  std::map<LaunchId, std::unique_ptr<RunningLaunch>> waiting;
  WaitingLaunch last_waiting;
  LaunchId last_launch = 0;
  std::set<uint64_t> grid_workspaces;          // all that were made
  std::vector<uint64_t> free_grid_workspaces;  // those that no launch uses
  std::unique_ptr<GlobalShadow> shadow;        // made by the first launch that checks races
  std::unique_ptr<TouchedMemory> touched;      // made by the first launch that is asked what it touches
  HostThreads host_threads;                    // Grid's, from launch to launch
  std::vector<KeptRegisters> kept;             // so are these

  Result<ModuleId> AddModule(ptx::Module parsed, std::string_view name);
  Result<KernelId> FindKernel(ModuleId id, std::string_view mangled_name);
  Status LoadVariables(LoadedModule& m);
  Status Relocate(LoadedModule& m);
  uint64_t AllowedInstructions(const LaunchRequest& request) const;
  LaunchStatus Prepare(const LoadedKernel& kernel, RunningLaunch* launch);
  LaunchStatus Run(std::unique_ptr<RunningLaunch> launch, LaunchId id, bool alone);
  bool RunGrid(RunningLaunch& running, bool alone);  // false: it is suspended
  // device_children.cc: launches by kernels.
  DeviceError CheckChild(ModuleId module, const ChildLaunch& child);
  LaunchRequest RequestOf(const ChildLaunch& child, const LaunchRequest& root);
  ChildrenInOrder TakeChildren(RunningLaunch& running);
  LaunchStatus RunChildren(RunningLaunch& root);
  void CheckLater(const ChildOfGrid& child, const std::string& name, const TouchedBytes& touched);
  LaunchStatus Finish(RunningLaunch& launch);
  void Record(const LaunchRequest& request, const LoadedKernel& kernel, const GridResult& result);
  uint64_t TakeGridWorkspace();  // 0: there is no memory
  void KeepFinding(const Finding& finding);
  Status Free(DevicePtr pointer);                                // also of what the race check remembers of it
  GlobalShadow* ShadowOfNextLaunch();                            // null: global races are not checked
  TouchedMemory* TouchedMemoryOf(const RunningLaunch& running);  // null: nobody asks
  void TakeTouched(const Program& program, TouchedBytes* sum);
  static void AddTouched(TouchedBytes taken, TouchedBytes* sum);
  LaunchStatus CheckConfiguration(const LaunchRequest& r, const LoadedKernel& k) const;
  uint64_t ResidentBlocks(uint64_t threads, uint64_t shared_bytes) const;
};

}  // namespace warpgrade::emulator
