// Runs the kernels that kernels launched, after the grid that launched them. A child and all that it launches is over
// before the next child of its grid begins, so children of one stream are in order, and a grid's tail launches come
// after all else. Tested by tests/emulator/child_launch_test.cc and by the programs in tests/programs/linked.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <utility>

#include "grader/emulator/device_impl.h"
#include "grader/emulator/state/instruction_costs.h"

namespace warpgrade::emulator {
namespace {

// What a grid launched and has not run yet.
struct Level {
  std::deque<ChildLaunch> children, tail;
  int depth = 0;  // of the grid

  bool done() const { return children.empty() && tail.empty(); }
  size_t pending() const { return children.size() + tail.size(); }
};

Level LevelOf(ChildrenInOrder all, int depth) {
  Level level;
  level.children.assign(std::make_move_iterator(all.children.begin()), std::make_move_iterator(all.children.end()));
  level.tail.assign(std::make_move_iterator(all.tail.begin()), std::make_move_iterator(all.tail.end()));
  level.depth = depth;
  return level;
}

std::string WhatToDo(DeviceError error, uint64_t room) {
  if (error == DeviceError::kPendingCountExceeded) {
    return fmt::format(
        "; {} launches may wait at a time, and all of a grid's wait until it ends: launch fewer, or raise "
        "the limit with cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, ...)",
        room);
  }
  if (error == DeviceError::kMaxDepthExceeded) {
    return fmt::format("; a grid may be at most {} launches below that of the host: end the recursion earlier",
                       ChildLaunches::kMaxDepth);
  }
  return "";
}

}  // namespace

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
    const std::vector<std::string>& files = launch.program->module->files;
    f.kind = FindingKind::kUncheckedError;
    f.kernel = launch.kernel_name;
    if (origin.file >= 0 && static_cast<size_t>(origin.file) < files.size())
      f.file = files[static_cast<size_t>(origin.file)];
    f.line = origin.line;
    f.ptx_line = origin.instruction != nullptr ? origin.instruction->ptx_line : 0;
    const auto at = [](uint64_t n, const Dim3& of) {
      return Dim3{static_cast<uint32_t>(n % of.x), static_cast<uint32_t>(n / of.x % of.y),
                  static_cast<uint32_t>(n / of.x / of.y)};
    };
    f.block = at(failed.block, launch.grid);
    f.thread = at(failed.thread, launch.block);
    f.message = fmt::format("a launch by the kernel failed with {}, and no cudaGetLastError() in the kernel read it{}",
                            Name(failed.error), WhatToDo(failed.error, running.request.pending_children));
  }
  for (const auto& [key, finding] : findings) KeepFinding(finding);
  return children.Take(options.seed);
}

// REQUIRES: `root` is over, and launched children.
LaunchStatus Device::Impl::RunChildren(RunningLaunch& root) {
  std::vector<Level> levels;
  levels.push_back(LevelOf(TakeChildren(root), root.depth));
  size_t pending = levels.back().pending();
  while (!levels.empty()) {
    Level& level = levels.back();
    if (level.done()) {
      levels.pop_back();
      continue;
    }
    const bool is_tail = level.children.empty();
    std::deque<ChildLaunch>& from = is_tail ? level.tail : level.children;
    auto running = std::make_unique<RunningLaunch>();
    running->request = RequestOf(from.front(), root.request);
    // A tail launch takes the place of the grid that launched it, so a chain of them may have any length.
    running->depth = level.depth + (is_tail ? 0 : 1);
    from.pop_front();
    --pending;
    running->room = root.request.pending_children - std::min<uint64_t>(root.request.pending_children, pending);
    if (level.done()) levels.pop_back();

    const LoadedKernel& kernel = kernels[running->request.kernel];
    const uint64_t costs = std::min(instructions_left, kLaunchCosts + kernel.program->origins.size());
    instructions_left -= costs;
    if (LaunchStatus s = Prepare(kernel, running.get()); s != LaunchStatus::kOk) return s;
    if (running->request.touched != nullptr) running->touched = std::move(*running->request.touched);
    RunGrid(*running, /*alone=*/false);  // it is never suspended, because may_wait is false
    if (LaunchStatus s = Finish(*running); s != LaunchStatus::kOk) return s;
    if (running->children == nullptr) continue;
    levels.push_back(LevelOf(TakeChildren(*running), running->depth));
    pending += levels.back().pending();
  }
  return LaunchStatus::kOk;
}

}  // namespace warpgrade::emulator
