// Wraps an emulator::Device for the judge, and serves it to the worker's libcudart over a socket (grader/cudart's
// Server). Both use the same device, so the judge's buffers are where the student's kernels run. Tests:
// tests/judge/emulated_rung_test.cc.
#include "grader/judge/emulator_device.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <set>
#include <utility>

#include "grader/emulator/counters/culprit.h"
#include "grader/judge/findings.h"
#include "grader/judge/pictures.h"
#include "grader/judge/random_source.h"
#include "grader/judge/steps.h"

namespace warpgrade::judge {
namespace {

constexpr char kDeviceFdVariable[] = "WARPGRADE_DEVICE_FD";
constexpr int kDeviceFdInWorker = 4;

emulator::DeviceOptions MakeOptions(const EmulatorDevice::Options& options, const std::atomic<bool>* cancel,
                                    std::string* printed) {
  emulator::DeviceOptions made;
  made.host_threads = options.host_threads;
  if (options.instruction_budget != 0) made.instruction_budget = options.instruction_budget;
  if (options.total_instruction_budget != 0) made.total_instruction_budget = options.total_instruction_budget;
  if (options.global_memory_bytes != 0) made.global_memory_bytes = options.global_memory_bytes;
  made.cancel = cancel;
  const uint64_t limit = options.max_printed_bytes;
  made.print = [printed, limit](std::string_view text) {
    printed->append(text.substr(0, limit - std::min<uint64_t>(limit, printed->size())));
  };
  return made;
}

std::string Coordinates(const emulator::Dim3& d) {
  char text[48];
  std::snprintf(text, sizeof(text), "(%u,%u,%u)", d.x, d.y, d.z);
  return text;
}

score::Finding ToScore(const emulator::Finding& from) {
  score::Finding to;
  to.kind = emulator::Name(from.kind);
  to.kernel = from.kernel;
  to.file = from.file;
  to.line = from.line;
  if (!from.kernel.empty() && from.host_places.empty()) {  // else it is a call of the host's
    to.block = Coordinates(from.block);
    to.thread = Coordinates(from.thread);
  }
  to.address = from.address;
  to.in_local = emulator::IsInLocalMemory(from);
  to.count = from.count;
  to.message = from.message;
  to.advice = from.advice;
  // Without line information it is a line of the PTX, which nobody wrote.
  to.other_file = from.other_file;
  to.other_line = from.other_file.empty() ? 0 : from.other_line;
  if (!IsRace(from.kind)) return to;
  to.reach = emulator::Name(from.reach);
  to.barrier_line = from.file.empty() ? 0 : from.barrier_line;
  to.reads_first = from.reads_first;
  return to;
}

// Sets the lines of a finding about host calls.
void AddHostLines(const emulator::Finding& from, const LineOfCall& line_of, score::Finding* to) {
  const std::vector<emulator::HostPlace>& places = from.host_places;
  if (places.empty()) return;
  const host_lines::SourceLine line = line_of(places[0].address);
  to->file = line.file;
  to->line = line.line;
  to->line_at = static_cast<int>(places[0].in_message);
  if (places.size() < 2) return;
  const host_lines::SourceLine other = line_of(places[1].address);
  to->other_file = other.file;
  to->other_line = other.line;
  to->other_line_at = static_cast<int>(places[1].in_message);
}

}  // namespace

score::DeviceDescription DescribeEmulator() { return {"emulator", "warpgrade emulator", "", ""}; }

EmulatorDevice::EmulatorDevice(const Options& options)
    : options_(options), delay_seed_(options.delay_seed), device_(MakeOptions(options, &cancel_, &printed_)) {}

EmulatorDevice::~EmulatorDevice() { WorkerGone(); }

score::DeviceDescription EmulatorDevice::Describe() const { return DescribeEmulator(); }

Result<BufferHandle> EmulatorDevice::Allocate(uint64_t bytes, std::string_view label) {
  Result<emulator::DevicePtr> address = device_.Allocate(bytes, label);
  if (!address) return address.error();
  BufferHandle handle;
  handle.address = *address;
  handle.bytes = bytes;
  return handle;
}

void EmulatorDevice::Free(const BufferHandle& buffer) { static_cast<void>(device_.Free(buffer.address)); }

HostMemory EmulatorDevice::AllocateHost(uint64_t bytes) {
  return HostMemory(new std::byte[bytes], bytes, [](std::byte* data) { delete[] data; });
}

Status EmulatorDevice::Upload(const BufferHandle& buffer, std::span<const std::byte> from) {
  return device_.CopyToDevice(buffer.address, from.data(), buffer.bytes);
}

Status EmulatorDevice::Download(const BufferHandle& buffer, std::span<std::byte> to) {
  if (server_ && server_->answer_work() != nullptr) answer_.push_back({buffer.address, buffer.address + buffer.bytes});
  return Peek(buffer, to);
}

Status EmulatorDevice::Peek(const BufferHandle& buffer, std::span<std::byte> to) {
  return device_.CopyFromDevice(to.data(), buffer.address, buffer.bytes);
}

Status EmulatorDevice::Fill(const BufferHandle& buffer, std::byte value) {
  return device_.Fill(buffer.address, std::to_integer<uint8_t>(value), buffer.bytes);
}

std::map<std::string, double> EmulatorDevice::Metrics(uint64_t elements) const {
  std::map<std::string, double> metrics =
      emulator::ComputeMetrics(device_.Launches(), elements, device_.Copies().AsCounters());
  if (server_) server_->AddMetrics(&metrics);
  double& not_freed = metrics["bytes_not_freed"];
  not_freed = std::max(not_freed, static_cast<double>(kept_leak_));
  return metrics;
}

std::map<std::string, double> EmulatorDevice::KernelMetrics(uint64_t elements) const {
  std::map<std::string, double> metrics = emulator::ComputeMetrics(device_.Launches(), elements);
  if (server_) server_->AddMetrics(&metrics);
  return metrics;
}

bool EmulatorDevice::HigherIsBetter(const std::string& metric) const {
  const std::vector<emulator::MetricInfo>& all = emulator::AllMetrics();
  return std::any_of(all.begin(), all.end(), [&metric](const emulator::MetricInfo& info) {
    return info.name == metric && info.better == emulator::Better::kHigher;
  });
}

void EmulatorDevice::WatchAnswer(bool watches) {
  answer_.clear();
  if (server_) server_->WatchAnswer(watches);
}

std::optional<cudart::AnswerWork::Made> EmulatorDevice::WorkOfAnswer() const {
  if (!server_ || server_->answer_work() == nullptr) return std::nullopt;
  cudart::AnswerWork::Made made = server_->answer_work()->Of(answer_);
  const bool all = made.launches.size() == device_.Launches().size() && made.copies == device_.Copies();
  if (all) return std::nullopt;
  return made;
}

std::map<std::string, double> EmulatorDevice::MetricsOfAnswer(uint64_t elements) const {
  const std::optional<cudart::AnswerWork::Made> made = WorkOfAnswer();
  if (!made) return {};
  std::vector<emulator::LaunchRecord> launches;
  for (const size_t launch : made->launches) launches.push_back(device_.Launches()[launch]);
  std::map<std::string, double> metrics = emulator::ComputeMetrics(launches, elements, made->copies.AsCounters());
  // A ratio of which the answer's work did nothing: all that is good in it was done by useless work.
  const auto of_all = emulator::ComputeMetrics(device_.Launches(), elements, device_.Copies().AsCounters());
  for (const emulator::MetricInfo& metric : emulator::AllMetrics()) {
    if (metric.better == emulator::Better::kHigher && of_all.contains(metric.name)) metrics.try_emplace(metric.name, 0);
  }
  return metrics;
}

std::string EmulatorDevice::WhyAnswerIsUnclear() const {
  if (!server_) return "it closed its connection to the emulator before the call had ended";
  return server_->answer_work() == nullptr ? "" : server_->answer_work()->unclear();
}

std::string EmulatorDevice::IdleKernels() const {
  const std::optional<cudart::AnswerWork::Made> made = WorkOfAnswer();
  if (!made) return "";
  std::set<std::string> names, useful;
  for (const size_t launch : made->launches) useful.insert(device_.Launches()[launch].kernel);
  for (const emulator::LaunchRecord& launch : device_.Launches()) {
    if (!useful.contains(launch.kernel)) names.insert(launch.kernel);
  }
  constexpr size_t kMostNamed = 3;  // a program may have thousands
  std::string text;
  size_t named = 0;
  for (const std::string& name : names) {
    if (named++ == kMostNamed) break;
    text += (text.empty() ? "" : ", ") + name;
  }
  if (names.size() > kMostNamed) text += " and " + std::to_string(names.size() - kMostNamed) + " more";
  return text;
}

std::map<std::string, std::string> EmulatorDevice::MetricLines(const std::string& rung) const {
  std::map<std::string, std::string> lines;
  for (const auto& [metric, culprit] : emulator::FindCulprits(device_.Launches(), device_.Copies().AsCounters())) {
    const std::string place =
        culprit.file.empty() ? "" : ShortFile(culprit.file, rung) + ":" + std::to_string(culprit.line) + ": ";
    lines[metric] = place + culprit.what;
  }
  return lines;
}

std::vector<score::LineCounts> EmulatorDevice::LineCounts(const std::string& rung) const {
  std::map<int, emulator::Counters> at_line;
  for (const emulator::LaunchRecord& launch : device_.Launches()) {
    for (const emulator::LineCounters& line : launch.lines) {
      const bool own = ShortFile(line.file, rung) == rung + ".cu";
      at_line[own ? std::max(line.line, 0) : 0].Add(line.counters);
    }
  }
  std::vector<score::LineCounts> counts;
  counts.reserve(at_line.size());
  for (const auto& [line, c] : at_line) {
    counts.push_back({line, c.warp_instructions, c.global_load_requests, c.global_load_sectors,
                      c.global_store_requests + c.global_atomic_requests,
                      c.global_store_sectors + c.global_atomic_sectors,
                      c.shared_load_requests + c.shared_store_requests + c.shared_atomic_requests,
                      c.shared_load_wavefronts + c.shared_store_wavefronts + c.shared_atomic_wavefronts, c.branches,
                      c.divergent_branches});
  }
  return counts;
}

score::Pictures EmulatorDevice::Pictures(const std::string& rung) const {
  return {"",
          ToScore(device_.Pictures().Requests(), rung),
          ToScore(device_.Pictures().Branches(), rung),
          RacesOf(device_.Findings(), rung),
          ToScore(device_.Pictures().Steps(), rung),
          device_.Pictures().Steps().launches()};
}

void EmulatorDevice::RecordSteps(const std::optional<BlockToRecord>& of) {
  device_.RecordSteps(of ? std::optional(emulator::BlockToRecord{of->block, of->launch}) : std::nullopt);
}

uint64_t EmulatorDevice::DelaySeed() const {
  if (delay_seed_ == 0) return 0;
  return SeedFor("delays", delay_seed_, case_);
}

void EmulatorDevice::BeginCase(uint64_t number, uint64_t order) {
  case_ = number;
  device_.SetSeed(order);
  if (server_) server_->DelayWork(DelaySeed());
}

void EmulatorDevice::ShortenLaunches(bool shortens) { device_.ShortenLaunches(shortens); }

bool EmulatorDevice::MayDependOnOrder() const {
  const std::vector<emulator::LaunchRecord>& launches = device_.Launches();
  return std::any_of(launches.begin(), launches.end(), [](const auto& launch) { return launch.strong_accesses; });
}

void EmulatorDevice::ResetObservations() {
  device_.ResetObservations();
  if (server_) server_->ResetObservations();
}

uint64_t EmulatorDevice::CallThatFailed(std::optional<int> cuda_code) const {
  if (!server_ || (cuda_code && server_->failed_call().error != *cuda_code)) return 0;
  return server_->failed_call().call;
}

std::string EmulatorDevice::NameDeviceMemory(uint64_t address) const {
  const std::optional<emulator::AllocationInfo> found = device_.FindAllocation(address);
  return found && found->kind == emulator::MemoryKind::kDevice ? found->label : "";
}

void EmulatorDevice::BeginCall(uint64_t stream, const std::vector<BufferHandle>& arrays) {
  if (!server_) return;
  std::vector<emulator::ByteRange> ranges;
  ranges.reserve(arrays.size());
  for (const BufferHandle& array : arrays) ranges.push_back({array.address, array.address + array.bytes});
  server_->BeginCall(stream, ranges);
}

void EmulatorDevice::FailAllocation(int number) {
  if (server_) server_->FailAllocation(number);
}

void EmulatorDevice::KeepLeaks() {
  if (server_) kept_leak_ = std::max(kept_leak_, server_->BytesNotFreed());
}

// The runtime reports a deadlock when it waits for such a kernel, so only a program that goes round the runtime, or one
// that makes it forget the kernel, can leave one.
void EmulatorDevice::CallEnded() {
  if (!server_) return;
  for (std::string& kernel : server_->AbandonAll()) {
    emulator::Finding finding;
    finding.kind = emulator::FindingKind::kDeadlock;
    finding.message = "the function has returned, but the kernel " + kernel +
                      " still waits for a value: let the function wait for it, and write that value";
    finding.kernel = std::move(kernel);
    device_.AddFinding(finding);
  }
}

std::vector<score::Finding> EmulatorDevice::Findings(const LineOfCall& line_of) const {
  std::vector<score::Finding> findings;
  for (const emulator::Finding& finding : device_.Findings()) {
    findings.push_back(ToScore(finding));
    AddHostLines(finding, line_of, &findings.back());
  }
  return findings;
}

Result<WorkerPlug> EmulatorDevice::Plug() {
  WorkerGone();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return Error{ErrorKind::kMachine, std::string("cannot make a socket for the device: ") + std::strerror(errno)};
  }
  machine_failure_.clear();
  judge_fd_ = ends[0];
  cudart::ServerOptions options;
  options.delay_seed = DelaySeed();
  server_ = std::make_unique<cudart::Server>(device_, judge_fd_, options);
  worker_fd_ = ends[1];
  WorkerPlug plug;
  plug.environment.push_back("LD_LIBRARY_PATH=" + options_.runtime_folder);
  plug.environment.push_back(std::string(kDeviceFdVariable) + "=" + std::to_string(kDeviceFdInWorker));
  plug.libraries = {options_.runtime_folder};
  plug.inherited_fds.push_back({worker_fd_, kDeviceFdInWorker});
  return plug;
}

void EmulatorDevice::WorkerStarted() {
  if (worker_fd_ >= 0) close(std::exchange(worker_fd_, -1));
}

int EmulatorDevice::service_fd() const { return server_ ? server_->fd() : -1; }

int64_t EmulatorDevice::Serve() {
  if (!server_) return 0;
  const int64_t before_ns = server_->busy_ns();
  const cudart::Server::Outcome outcome = server_->ServeOne();
  const int64_t worked_ns = server_->busy_ns() - before_ns;
  // The worker closed the socket when it ended, or the server cut it off for sending nonsense. Its next CUDA call
  // fails, and its exit says more.
  if (outcome == cudart::Server::Outcome::kClosed) {
    machine_failure_ = server_->machine_failure();
    Unplug();
  }
  return worked_ns;
}

void EmulatorDevice::Unplug() {
  has_delayed_ = has_delayed();
  server_.reset();
  if (judge_fd_ >= 0) close(std::exchange(judge_fd_, -1));
}

void EmulatorDevice::WorkerGone() {
  Unplug();
  WorkerStarted();
  cancel_ = false;
}

}  // namespace warpgrade::judge
