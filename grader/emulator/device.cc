// Connects the rooms: runs launches, and adds up what they counted and found. Modules are in device_modules.cc. Tested
// by every test in tests/emulator/exec.
#include "grader/emulator/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <thread>

#include "grader/device_model/device_model.h"
#include "grader/device_model/gpu_limits.h"
#include "grader/emulator/checks/happens_before.h"
#include "grader/emulator/checks/report.h"
#include "grader/emulator/counters/launch_record.h"
#include "grader/emulator/device_impl.h"
#include "grader/emulator/machine/control.h"
#include "grader/emulator/machine/grid.h"
#include "grader/emulator/machine/hang_report.h"
#include "grader/emulator/machine/step_notes.h"
#include "grader/emulator/memory/global_memory.h"
#include "grader/emulator/memory/initialised.h"
#include "grader/emulator/program/program_layout.h"
#include "grader/emulator/state/instruction_costs.h"

namespace warpgrade::emulator {
namespace {

// Some allocation is pinned or managed memory.
bool IsSharedWithHost(const GlobalMemory& memory) {
  return !memory.live().empty() && memory.live().rbegin()->first >= memory.host_window();
}

Status CheckRange(const GlobalMemory& memory, DevicePtr at, uint64_t bytes) {
  const Allocation* a = memory.Find(at);
  if (a != nullptr && a->bytes - (at - a->base) >= bytes) return {};
  return Error{ErrorKind::kSubmission, fmt::format("{} bytes at device address {:#x} are not inside one allocation: {}",
                                                   bytes, at, memory.Explain(at, bytes).where)};
}

}  // namespace

const char* const kOurThreads = kThreadName;

LaunchStatus Device::Impl::CheckConfiguration(const LaunchRequest& r, const LoadedKernel& k) const {
  uint64_t threads = r.block.Count();
  if (threads == 0 || r.grid.Count() == 0 || threads > gpu_limits::kThreadsPerBlock || r.block.z > gpu_limits::kBlockZ)
    return LaunchStatus::kInvalidConfiguration;
  if (r.grid.x > gpu_limits::kGridX || r.grid.y > gpu_limits::kGridY || r.grid.z > gpu_limits::kGridZ)
    return LaunchStatus::kInvalidConfiguration;
  uint64_t shared = uint64_t{k.info.static_shared_bytes} + r.dynamic_shared_bytes;
  if (shared > static_cast<uint64_t>(DefaultDeviceModel().capability.shared_per_block_opt_in))
    return LaunchStatus::kInvalidConfiguration;
  if (threads > k.info.max_threads_per_block) return LaunchStatus::kTooManyResources;
  if (k.info.local_bytes > kMaxLocalBytes || k.program->functions[0].frame_bytes > kMaxFrameBytes) {
    return LaunchStatus::kTooManyResources;
  }
  if (r.cooperative && r.grid.Count() > ResidentBlocks(threads, shared)) return LaunchStatus::kCooperativeTooLarge;
  return LaunchStatus::kOk;
}

// How many blocks the device holds at the same time. Registers do not limit it, because PTX has virtual registers.
uint64_t Device::Impl::ResidentBlocks(uint64_t threads, uint64_t shared_bytes) const {
  const ComputeCapability& gpu = DefaultDeviceModel().capability;
  const auto as_unsigned = [](int n) { return static_cast<uint64_t>(n); };
  const uint64_t most_blocks = as_unsigned(gpu.blocks_per_multiprocessor);
  uint64_t by_threads = as_unsigned(gpu.threads_per_multiprocessor) / ((threads + kLanes - 1) / kLanes * kLanes);
  uint64_t by_shared = shared_bytes == 0 ? most_blocks
                                         : as_unsigned(gpu.shared_per_multiprocessor) /
                                               (shared_bytes + as_unsigned(gpu.shared_reserved_per_block));
  return std::min<uint64_t>({by_threads, by_shared, most_blocks}) * as_unsigned(options.multiprocessors);
}

void Device::Impl::Record(const LaunchRequest& request, const LoadedKernel& kernel, const GridResult& result) {
  LaunchRecord record = CountLaunch(*kernel.program, result.stats, result.wave64, options.line_counters);
  record.kernel = kernel.info.demangled;
  record.grid = request.grid;
  record.block = request.block;
  record.shared_bytes = kernel.program->static_shared_bytes + request.dynamic_shared_bytes;
  record.cooperative = request.cooperative;
  record.host_visible_bytes = result.host_visible_bytes;
  record.instruction_squares = result.instruction_squares;
  const RequestedBy by{*kernel.program, record.kernel, record.grid, record.block};
  pictures.Add(by, result.requests, result.branches, memory);
  if (options.steps) pictures.AddSteps(by, result.steps, NamesOfPlaces(*kernel.program, memory, record.shared_bytes));
  launches.Add(request.kernel, std::move(record));
}

void Device::Impl::KeepFinding(const Finding& finding) {
  auto same = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) {
    bool same_place = f.line > 0 || f.ptx_line > 0 ? f.line > 0 || f.ptx_line == finding.ptx_line
                                                   : f.message == finding.message;  // the host's side has no lines
    return f.kind == finding.kind && f.line == finding.line && f.file == finding.file && f.kernel == finding.kernel &&
           IsInLocalMemory(f) == IsInLocalMemory(finding) && f.other_line == finding.other_line &&
           f.other_file == finding.other_file && same_place;
  });
  if (same != findings.end()) {
    same->count += finding.count;
  } else if (findings.size() < static_cast<size_t>(options.max_findings)) {
    findings.push_back(finding);
  }
}

Status Device::Impl::Free(DevicePtr pointer) {
  const Allocation* const allocation = memory.Find(pointer);
  const uint64_t room = allocation != nullptr ? allocation->room : 0;
  Status freed = memory.Free(pointer);
  if (freed && shadow != nullptr) shadow->Forget(pointer - GlobalMemory::kBase, room);
  return freed;
}

GlobalShadow* Device::Impl::ShadowOfNextLaunch() {
  if (!options.checks.global_races) return nullptr;
  if (shadow == nullptr) shadow = std::make_unique<GlobalShadow>(memory.reserved());
  shadow->NextLaunch(options.host_threads > 1, memory);
  return shadow.get();
}

TouchedMemory* Device::Impl::TouchedMemoryOf(const RunningLaunch& running) {
  if (running.request.touched == nullptr && !running.notes_touched) return nullptr;
  if (touched == nullptr) touched = std::make_unique<TouchedMemory>(memory.reserved());
  return touched.get();
}

// Adds what was touched since the last call.
void Device::Impl::TakeTouched(const Program& program, TouchedBytes* sum) {
  const Allocation* last = nullptr;
  bool heap = sum->heap;
  TouchedBytes taken = touched->Take(GlobalMemory::kBase, [&](uint64_t address) {
    if (last == nullptr || address - last->base >= last->bytes) last = memory.Find(address);
    heap = heap || (last != nullptr && last->in_kernel);
    return last != nullptr && !last->in_kernel && !grid_workspaces.contains(last->base);
  });
  taken.fences = program.has_fences;
  taken.heap = heap;
  AddTouched(std::move(taken), sum);
}

void Device::Impl::AddTouched(TouchedBytes taken, TouchedBytes* sum) {
  taken.fences = sum->fences = sum->fences || taken.fences;
  taken.heap = sum->heap = sum->heap || taken.heap;
  if (sum->size() == 0) {
    *sum = std::move(taken);
    return;
  }
  for (ByteRanges TouchedBytes::*kind :
       {&TouchedBytes::reads, &TouchedBytes::writes, &TouchedBytes::strong_reads, &TouchedBytes::strong_writes}) {
    for (const ByteRange& r : (taken.*kind).all()) (sum->*kind).Add(r.begin, r.end);
  }
}

uint64_t Device::Impl::TakeGridWorkspace() {
  constexpr uint64_t kWorkspaceBytes = 256;
  if (free_grid_workspaces.empty()) {
    Result<uint64_t> made = memory.Allocate(kWorkspaceBytes, "grid synchronisation workspace");
    if (!made) return 0;
    grid_workspaces.insert(*made);
    free_grid_workspaces.push_back(*made);
  }
  const uint64_t at = free_grid_workspaces.back();
  free_grid_workspaces.pop_back();
  std::memset(memory.Host(at), 0, kWorkspaceBytes);
  memory.MarkWritten(at, kWorkspaceBytes);
  return at;
}

Device::Device(DeviceOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {
  if (impl_->options.host_threads <= 0) {
    impl_->options.host_threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  }
}
Device::~Device() = default;

Result<DevicePtr> Device::Allocate(uint64_t bytes, std::string_view label) {
  constexpr uint64_t kMostFilled = uint64_t{64} << 20;  // gigabytes that nobody writes take no memory and no time
  Result<DevicePtr> made = impl_->memory.Allocate(bytes, label);
  if (made && bytes > 0 && bytes <= kMostFilled && impl_->options.fresh_byte != 0) {
    std::memset(impl_->memory.Host(*made), impl_->options.fresh_byte, bytes);  // which still counts as unwritten
  }
  return made;
}
Result<DevicePtr> Device::AllocateShared(uint64_t bytes, MemoryKind kind, std::string_view label) {
  return impl_->memory.AllocateShared(bytes, kind, label);
}
int Device::TakeDescriptor(DevicePtr base) { return impl_->memory.TakeDescriptor(base); }
Status Device::Free(DevicePtr pointer) {
  if (pointer == 0) return {};
  Status freed = impl_->Free(pointer);
  if (freed) return freed;
  Finding finding;
  finding.kind = impl_->memory.WasFreed(pointer) ? FindingKind::kDoubleFree : FindingKind::kInvalidFree;
  finding.address = pointer;
  finding.message = freed.error().message;
  impl_->KeepFinding(finding);
  return freed;
}

std::optional<AllocationInfo> Device::FindAllocation(DevicePtr pointer) const {
  const Allocation* a = impl_->memory.Find(pointer);
  if (a == nullptr) return std::nullopt;
  return Describe(*a);
}
std::vector<AllocationInfo> Device::LiveAllocations() const {
  std::set<uint64_t> ours = impl_->grid_workspaces;
  for (const auto& m : impl_->modules) ours.insert(m->allocations.begin(), m->allocations.end());
  std::vector<AllocationInfo> live;
  for (const auto& [base, a] : impl_->memory.live()) {
    if (!ours.contains(base)) live.push_back(Describe(a));
  }
  std::sort(live.begin(), live.end(),
            [](const AllocationInfo& a, const AllocationInfo& b) { return a.sequence < b.sequence; });
  return live;
}
uint64_t Device::FreeBytes() const {
  return impl_->memory.capacity() - std::min(impl_->memory.used(), impl_->memory.capacity());
}
uint64_t Device::TotalBytes() const { return impl_->memory.capacity(); }
DevicePtr Device::HostWindow() const { return impl_->memory.host_window(); }

Status Device::CopyToDevice(DevicePtr to, const void* from, uint64_t bytes) {
  if (bytes == 0) return {};
  if (Status s = CheckRange(impl_->memory, to, bytes); !s) return s;
  std::memcpy(impl_->memory.Host(to), from, bytes);
  impl_->memory.MarkWritten(to, bytes);
  return {};
}
Status Device::CopyFromDevice(void* to, DevicePtr from, uint64_t bytes) const {
  if (bytes == 0) return {};
  if (Status s = CheckRange(impl_->memory, from, bytes); !s) return s;
  std::memcpy(to, impl_->memory.Host(from), bytes);
  return {};
}
Status Device::CopyOnDevice(DevicePtr to, DevicePtr from, uint64_t bytes) {
  if (bytes == 0) return {};
  if (Status s = CheckRange(impl_->memory, to, bytes); !s) return s;
  if (Status s = CheckRange(impl_->memory, from, bytes); !s) return s;
  std::memmove(impl_->memory.Host(to), impl_->memory.Host(from), bytes);
  impl_->memory.CopyMarks(to, from, bytes);
  return {};
}
Status Device::Fill(DevicePtr to, uint8_t value, uint64_t bytes) {
  if (bytes == 0) return {};
  if (Status s = CheckRange(impl_->memory, to, bytes); !s) return s;
  if (value == 0) {
    impl_->memory.Clear(to, bytes);
  } else {
    std::memset(impl_->memory.Host(to), value, bytes);
  }
  impl_->memory.MarkWritten(to, bytes);
  return {};
}
bool Device::AnyWritten(DevicePtr at, uint64_t bytes) const {
  const GlobalMemory& memory = impl_->memory;
  const Allocation* const a = memory.Find(at);
  if (a == nullptr || a->initialised || a->bytes - (at - a->base) < bytes || bytes == 0) return true;
  return emulator::AnyWritten(memory.written(), at - GlobalMemory::kBase, bytes);
}
void Device::MarkWritten(DevicePtr at, uint64_t bytes) { impl_->memory.MarkWritten(at, bytes); }

// DeviceOptions::instruction_budget, or what ShortenLaunches leaves of it.
uint64_t Device::Impl::AllowedInstructions(const LaunchRequest& request) const {
  // Chosen: the launches of the course's solutions need less than one of the two. With the share alone, the 2 million
  // warps of lab2's thinnest matrix, of some 50 instructions each, were stopped and run twice more.
  constexpr uint64_t kShare = 20, kOfEachWarp = 256;
  if (!shortens_launches) return options.instruction_budget;
  const uint64_t of_block = kOfEachWarp * ((request.block.Count() + kLanes - 1) / kLanes);
  const uint64_t blocks = std::min(request.grid.Count(), options.instruction_budget / of_block);
  return std::max(options.instruction_budget / kShare, blocks * of_block);
}

// Sets up what does not change while the launch runs. REQUIRES: launch->request is set.
LaunchStatus Device::Impl::Prepare(const LoadedKernel& kernel, RunningLaunch* running) {
  const LaunchRequest& request = running->request;
  LaunchShared& launch = running->shared;
  launch.program = kernel.program.get();
  launch.memory = &memory;
  launch.options = &options;
  launch.grid = request.grid;
  launch.block = request.block;
  launch.dynamic_shared_bytes = request.dynamic_shared_bytes;
  launch.shared_bytes = kernel.program->static_shared_bytes + request.dynamic_shared_bytes;
  // Leave a gap, so that an access past the kernel's own memory is still noticed.
  if (kernel.program->uses_reserved_shared) {
    launch.reserved_shared =
        (launch.shared_bytes + kReservedSharedBytes - 1) / kReservedSharedBytes * kReservedSharedBytes +
        kReservedSharedBytes;
  }
  launch.parameters = request.parameters;
  launch.kernel_name = kernel.info.demangled;
  const uint64_t allowed = AllowedInstructions(request);
  launch.instruction_budget = std::min(allowed, instructions_left);
  launch.is_cut_by_total = instructions_left < allowed;
  launch.instructions_left = launch.instruction_budget;
  launch.launch_index = launches.all().size();
  launch.resident_blocks = std::max<uint64_t>(1, ResidentBlocks(request.block.Count(), launch.shared_bytes));
  FillWarpThreads(&launch);
  if (request.cooperative) {
    launch.grid_workspace = TakeGridWorkspace();
    if (launch.grid_workspace == 0) return LaunchStatus::kTooManyResources;
  }
  if (kernel.program->calls_device_runtime) {
    running->children = std::make_unique<ChildLaunches>(
        running->room, [this, module = kernel.module](const ChildLaunch& child) { return CheckChild(module, child); });
    launch.children = running->children.get();
    running->notes_touched = options.checks.global_races;
  }
  const bool may_order = kernel.program->has_fences || kernel.program->uses_mbarriers;
  if ((options.checks.shared_races || options.checks.global_races) && may_order) {
    running->sync = std::make_unique<SyncTable>();
    launch.sync = running->sync.get();
  }
  launch.check_uninitialised = options.checks.uninitialised;
  launch.check_local = launch.check_uninitialised && UsesLocalMemory(*kernel.program);
  return LaunchStatus::kOk;
}

// Runs the blocks of one grid until they are done or wait.
bool Device::Impl::RunGrid(RunningLaunch& running, bool alone) {
  const LoadedKernel& kernel = kernels[running.request.kernel];
  LaunchShared& launch = running.shared;
  launch.may_be_suspended = running.request.may_wait && !alone;
  launch.memory_is_its_own = alone || (waiting.empty() && !IsSharedWithHost(memory));
  memory.ExpectKernelAllocations(kernel.program->allocates);
  // After another launch this one's records are old, and it begins new ones.
  launch.shadow = ShadowOfNextLaunch();
  launch.touched = TouchedMemoryOf(running);
  if (running.grid == nullptr) {
    const bool one_thread = running.request.counts_alike && !kernel.program->polls.empty();
    running.grid = std::make_unique<Grid>(launch, one_thread ? 1 : options.host_threads, host_threads, kept);
  }
  const uint64_t left_before = launch.instructions_left;
  const bool over = running.grid->Run();
  instructions_left -= std::min(instructions_left, left_before - launch.instructions_left);
  if (launch.touched != nullptr) TakeTouched(*kernel.program, &running.touched);
  return over;
}

// Runs the launch until it is over or waits: then it is kept under the number `id`.
LaunchStatus Device::Impl::Run(std::unique_ptr<RunningLaunch> running, LaunchId id, bool alone) {
  const uint64_t writes_before = running->grid != nullptr ? running->grid->Writes() : 0;
  if (!RunGrid(*running, alone)) {
    last_waiting = {id, running->grid->Writes() != writes_before};
    waiting[id] = std::move(running);
    return LaunchStatus::kWaits;
  }
  const LaunchStatus status = Finish(*running);
  return running->children == nullptr || status != LaunchStatus::kOk ? status : RunChildren(*running);
}

// Keeps what the launch did and found. It never runs again.
LaunchStatus Device::Impl::Finish(RunningLaunch& running) {
  const GridResult result = running.grid->Finish();
  if (running.shared.grid_workspace != 0) free_grid_workspaces.push_back(running.shared.grid_workspace);
  Record(running.request, kernels[running.request.kernel], result);
  if (running.request.touched != nullptr) *running.request.touched = std::move(running.touched);
  for (const PendingFinding& p : result.findings) KeepFinding(p.finding);
  return result.status;
}

void Device::SetSeed(uint64_t seed) { impl_->options.seed = seed; }
void Device::ShortenLaunches(bool shortens) { impl_->shortens_launches = shortens; }
void Device::RecordPictures(bool records) { impl_->options.pictures = records; }
void Device::RecordSteps(const std::optional<BlockToRecord>& of) { impl_->options.steps = of; }

LaunchStatus Device::Launch(const LaunchRequest& request) {
  if (request.kernel >= impl_->kernels.size()) return LaunchStatus::kInvalidConfiguration;
  LoadedKernel& kernel = impl_->kernels[request.kernel];
  if (!impl_->modules[kernel.module]->live || request.parameters.size() < kernel.layout.bytes) {
    return LaunchStatus::kInvalidConfiguration;
  }
  if (LaunchStatus s = impl_->CheckConfiguration(request, kernel); s != LaunchStatus::kOk) return s;
  if (!Spend(kLaunchCosts + kernel.program->origins.size())) return LaunchStatus::kLaunchTimeout;
  auto running = std::make_unique<RunningLaunch>();
  running->request = request;
  running->room = request.pending_children;
  if (LaunchStatus s = impl_->Prepare(kernel, running.get()); s != LaunchStatus::kOk) return s;
  return impl_->Run(std::move(running), ++impl_->last_launch, /*alone=*/false);
}

LaunchStatus Device::Continue(LaunchId id, bool alone, TouchedBytes* touched) {
  const auto found = impl_->waiting.find(id);
  if (found == impl_->waiting.end()) return LaunchStatus::kInvalidConfiguration;
  std::unique_ptr<RunningLaunch> running = std::move(found->second);
  impl_->waiting.erase(found);
  LaunchShared& launch = running->shared;
  const uint64_t left = std::min<uint64_t>(launch.instructions_left, impl_->instructions_left);
  launch.instructions_left = left - std::min(left, kLaunchCosts);
  impl_->instructions_left -= std::min(left, kLaunchCosts);
  running->request.touched = touched;
  return impl_->Run(std::move(running), id, alone);
}

bool Device::Abandon(LaunchId id, TouchedBytes* touched) {
  const auto found = impl_->waiting.find(id);
  if (found == impl_->waiting.end()) return false;
  const std::unique_ptr<RunningLaunch> running = std::move(found->second);
  impl_->waiting.erase(found);
  running->request.touched = touched;
  impl_->Finish(*running);
  return true;
}

const WaitingLaunch& Device::Waiting() const { return impl_->last_waiting; }

bool Device::Spend(uint64_t instructions) {
  uint64_t& left = impl_->instructions_left;
  left -= std::min(left, instructions);
  if (left > 0) return true;
  Finding finding{.kind = FindingKind::kEndlessLoop};
  finding.message = TotalSpentMessage(impl_->options.total_instruction_budget);
  impl_->KeepFinding(finding);
  return false;
}
uint64_t Device::InstructionsLeft() const { return impl_->instructions_left; }

void Device::CountCopy(DevicePtr to, DevicePtr from, uint64_t bytes) {
  if (bytes == 0) return;
  impl_->copies.Store(to, bytes);
  if (from != 0) impl_->copies.Load(from, bytes);
}

const std::vector<LaunchRecord>& Device::Launches() const { return impl_->launches.all(); }
const CopyTraffic& Device::Copies() const { return impl_->copies; }
const std::vector<Finding>& Device::Findings() const { return impl_->findings; }
const LaunchPictures& Device::Pictures() const { return impl_->pictures; }
void Device::AddFinding(const Finding& finding) { impl_->KeepFinding(finding); }
void Device::ResetObservations() {
  impl_->launches.Clear();
  impl_->pictures = {};
  impl_->copies = {};
  impl_->findings.clear();
}
const DeviceOptions& Device::options() const { return impl_->options; }

}  // namespace warpgrade::emulator
