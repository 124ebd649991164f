// Runs the kernels that kernels launched, after the grid that launched them. A child and all that it launches is over
// before the next child of its grid begins, so children of one stream are in order, and a grid's tail launches come
// after all else. Tested by tests/emulator/child_launch_test.cc and by the programs in tests/programs/linked.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <utility>

#include "grader/emulator/checks/place_name.h"
#include "grader/emulator/device_impl.h"
#include "grader/emulator/state/instruction_costs.h"

namespace warpgrade::emulator {
namespace {

// What a grid launched and has not run yet.
struct Level {
  std::deque<ChildLaunch> children, tail;
  LaterAccesses later;
  KernelId kernel = 0;  // of the grid, and what follows
  Dim3 grid, block;
  int depth = 0;

  bool done() const { return children.empty() && tail.empty(); }
  size_t pending() const { return children.size() + tail.size(); }
};

Level LevelOf(ChildrenInOrder all, const RunningLaunch& running) {
  Level level;
  level.later = std::move(all.later);
  level.kernel = running.request.kernel;
  level.grid = running.request.grid;
  level.block = running.request.block;
  level.children.assign(std::make_move_iterator(all.children.begin()), std::make_move_iterator(all.children.end()));
  level.tail.assign(std::make_move_iterator(all.tail.begin()), std::make_move_iterator(all.tail.end()));
  level.depth = running.depth;
  return level;
}

std::string WhatToDo(DeviceError error, uint64_t room) {
  if (error != DeviceError::kPendingCountExceeded) return "";
  return fmt::format(
      "; at most {} grids that kernels launched may wait or run at a time, and a grid runs until all that it launched "
      "is over: launch fewer, end a recursion earlier, or raise the limit with "
      "cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, ...)",
      room);
}

// The place of thread or block number `n`.
Dim3 At(uint64_t n, const Dim3& of) {
  return {static_cast<uint32_t>(n % of.x), static_cast<uint32_t>(n / of.x % of.y),
          static_cast<uint32_t>(n / of.x / of.y)};
}

std::string FileOf(const Program& program, const InstOrigin& origin) {
  const std::vector<std::string>& files = program.module->files;
  const bool known = origin.file >= 0 && static_cast<size_t>(origin.file) < files.size();
  return known ? files[static_cast<size_t>(origin.file)] : "";
}

int PtxLineOf(const InstOrigin& origin) { return origin.instruction != nullptr ? origin.instruction->ptx_line : 0; }

// What a child did to bytes of an access that races with it; nullptr: the two do not race.
const char* RacesWith(const LaterAccess& access, const TouchedBytes& child) {
  ByteRanges bytes;
  bytes.Add(access.address, access.address + access.bytes);
  const auto has = [&bytes](const ByteRanges& ranges) { return bytes.Overlap(ranges).has_value(); };
  if (has(child.writes)) return "writes";
  if (!access.is_strong && has(child.strong_writes)) return "does an atomic on";
  if (!access.writes) return nullptr;
  return has(child.reads) || (!access.is_strong && has(child.strong_reads)) ? "reads" : nullptr;
}

}  // namespace

// A child, and what its parent's thread did after it had launched it.
struct ChildOfGrid {
  ChildLaunch launch;
  bool is_tail = false;
  std::vector<LaterAccess> later;
  KernelId parent = 0;
  Dim3 parent_grid, parent_block;
};

namespace {

ChildOfGrid TakeNext(Level& level) {
  ChildOfGrid next;
  next.is_tail = level.children.empty();
  std::deque<ChildLaunch>& from = next.is_tail ? level.tail : level.children;
  next.launch = std::move(from.front());
  from.pop_front();
  next.parent = level.kernel;
  next.parent_grid = level.grid;
  next.parent_block = level.block;
  const auto later = level.later.find({next.launch.parent_block, next.launch.parent_thread});
  if (next.is_tail || later == level.later.end()) return next;
  for (const LaterAccess& access : later->second) {
    if (access.launched > next.launch.number) next.later.push_back(access);
  }
  return next;
}

}  // namespace

// Reports accesses by the parent's thread that race with its child, whose name and bytes these are.
void Device::Impl::CheckLater(const ChildOfGrid& child, const std::string& name, const TouchedBytes& touched) {
  if (touched.fences) return;  // the two may have ordered themselves
  const LoadedKernel& parent = kernels[child.parent];
  const InstOrigin& launch = parent.program->origins[child.launch.inst];
  for (const LaterAccess& access : child.later) {
    const char* const does = RacesWith(access, touched);
    if (does == nullptr) continue;
    const InstOrigin& origin = parent.program->origins[access.inst];
    Finding f;
    f.kind = FindingKind::kGlobalRace;
    f.kernel = parent.info.demangled;
    f.file = FileOf(*parent.program, origin);
    f.line = origin.line;
    f.ptx_line = PtxLineOf(origin);
    f.block = At(child.launch.parent_block, child.parent_grid);
    f.thread = At(child.launch.parent_thread, child.parent_block);
    f.block_size = child.parent_block;
    f.address = access.address;
    f.access_bytes = static_cast<int>(access.bytes);
    f.other_file = FileOf(*parent.program, launch);
    f.other_line = launch.line > 0 ? launch.line : PtxLineOf(launch);
    f.reach = RaceReach::kGrid;
    f.verb = !access.writes ? "read" : access.is_strong ? "did an atomic on" : "wrote";
    f.other_verb = "launched a child";
    f.place = GlobalPlace(memory, access.address, f.access_bytes);
    const std::string where = launch.line > 0 ? fmt::format(" in line {}", launch.line) : "";
    f.message = fmt::format(
        "{} {} after the launch of {}{}, which {} it, and nothing orders the two: a kernel cannot wait for its "
        "children",
        f.verb, f.place, name, where, does);
    f.advice = "do this before the launch, or in a kernel that is launched into cudaStreamTailLaunch";
    KeepFinding(f);
  }
}

DeviceError Device::Impl::CheckChild(ModuleId module, const ChildLaunch& child) {
  const ptx::Function& function = modules[module]->module.functions[child.function];
  const Result<KernelId> id = FindKernel(module, function.prototype.name);
  if (!id) return DeviceError::kInvalidDeviceFunction;
  LaunchRequest request;
  request.grid = child.grid;
  request.block = child.block;
  request.dynamic_shared_bytes = child.dynamic_shared_bytes;
  switch (CheckConfiguration(request, kernels[*id])) {
    case LaunchStatus::kOk:
      return DeviceError::kNone;
    case LaunchStatus::kTooManyResources:
      return DeviceError::kLaunchOutOfResources;
    default:
      return DeviceError::kInvalidConfiguration;
  }
}

LaunchRequest Device::Impl::RequestOf(const ChildLaunch& child, const LaunchRequest& root) {
  const ModuleId module = kernels[root.kernel].module;
  LaunchRequest request;
  request.kernel = *FindKernel(module, modules[module]->module.functions[child.function].prototype.name);
  request.grid = child.grid;
  request.block = child.block;
  request.dynamic_shared_bytes = child.dynamic_shared_bytes;
  request.parameters = child.parameters;
  request.counts_alike = root.counts_alike;
  request.touched = root.touched;
  request.pending_children = root.pending_children;
  return request;
}

// What a grid that is over launched. Reports launches that failed unseen.
ChildrenInOrder Device::Impl::TakeChildren(RunningLaunch& running) {
  ChildLaunches& children = *running.children;
  for (const uint64_t buffer : children.Leftovers()) (void)memory.FreeInKernel(buffer);
  const LaunchShared& launch = running.shared;
  std::map<std::pair<uint32_t, DeviceError>, Finding> findings;  // by instruction and error
  for (const auto& [thread, failed] : children.unread()) {
    if (!options.checks.child_errors) break;
    const auto [place, is_new] = findings.try_emplace({failed.inst, failed.error});
    Finding& f = place->second;
    if (!is_new) {
      ++f.count;
      continue;
    }
    const InstOrigin& origin = launch.program->origins[failed.inst];
    f.kind = FindingKind::kUncheckedError;
    f.kernel = launch.kernel_name;
    f.file = FileOf(*launch.program, origin);
    f.line = origin.line;
    f.ptx_line = PtxLineOf(origin);
    f.block = At(failed.block, launch.grid);
    f.thread = At(failed.thread, launch.block);
    f.message = fmt::format("a launch by the kernel failed with {}, and no cudaGetLastError() in the kernel read it{}",
                            Name(failed.error), WhatToDo(failed.error, running.request.pending_children));
  }
  for (const auto& [key, finding] : findings) KeepFinding(finding);
  return children.Take(options.seed);
}

// REQUIRES: `root` is over, and launched children.
LaunchStatus Device::Impl::RunChildren(RunningLaunch& root) {
  std::vector<Level> levels;
  levels.push_back(LevelOf(TakeChildren(root), root));
  size_t pending = levels.back().pending();
  while (!levels.empty()) {
    Level& level = levels.back();
    if (level.done()) {
      levels.pop_back();
      continue;
    }
    const ChildOfGrid child = TakeNext(level);
    auto running = std::make_unique<RunningLaunch>();
    running->request = RequestOf(child.launch, root.request);
    // A tail launch takes the place of the grid that launched it, so a chain of them may have any length.
    running->depth = level.depth + (child.is_tail ? 0 : 1);
    running->notes_touched = !child.later.empty();
    --pending;
    // The grids between this one and the host's are not over, since what they launched is not. An H200 counts so too.
    const uint64_t taken = pending + static_cast<uint64_t>(running->depth);
    running->room = root.request.pending_children - std::min(root.request.pending_children, taken);
    if (level.done()) levels.pop_back();

    const LoadedKernel& kernel = kernels[running->request.kernel];
    instructions_left -= std::min(instructions_left, kLaunchCosts + kernel.program->origins.size());
    if (LaunchStatus s = Prepare(kernel, running.get()); s != LaunchStatus::kOk) return s;
    RunGrid(*running, /*alone=*/false);  // it is never suspended, because may_wait is false
    CheckLater(child, kernel.info.demangled, running->touched);
    if (root.request.touched != nullptr) {  // Finish would replace what the family has touched until now
      AddTouched(std::move(running->touched), root.request.touched);
      running->request.touched = nullptr;
    }
    if (LaunchStatus s = Finish(*running); s != LaunchStatus::kOk) return s;
    if (running->children == nullptr) continue;
    levels.push_back(LevelOf(TakeChildren(*running), *running));
    pending += levels.back().pending();
  }
  return LaunchStatus::kOk;
}

}  // namespace warpgrade::emulator
