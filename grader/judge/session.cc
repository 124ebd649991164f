// The event loop of a session: control socket, device socket, output and exit of one worker, under one deadline.
//
//   Start -> AwaitReady -> (Ask -> Await -> Look*)* -> End
//
// Tests: tests/judge/hostile_worker_test.cc (on a fake device), tests/judge/emulated_rung_test.cc.
#include "grader/judge/session.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "grader/judge/crash_place.h"
#include "grader/judge/plain_text.h"
#include "grader/judge/raw_clock.h"
#include "grader/poll_awake/poll_awake.h"
#include "grader/sandbox/process_tree.h"

namespace warpgrade::judge {
namespace {

constexpr int kControlFdInWorker = 3;
// The judge spins for at most this long while it waits for a timed call. A wake-up from poll() would vary by more than
// what we measure.
constexpr int64_t kSpinNs = 50'000'000;
constexpr int64_t kExcuseEveryNs = 20'000'000;
constexpr size_t kEarlierOutputBytes = 4096;  // of workers before this one: more than is ever quoted

sandbox::ProcessLimits SandboxLimits(const config::RunLimits& limits, bool limit_address_space) {
  sandbox::ProcessLimits made;
  made.wall_ms = 0;  // the session keeps the time, because the worker also exists while the judge draws and checks
  made.cpu_s = limits.cpu_s;
  made.memory_bytes = limits.memory_mb << 20;
  made.limit_address_space = limit_address_space;
  made.file_bytes = limits.file_mb << 20;
  made.kernel_objects = sandbox::kFewKernelObjects;
  made.processes = 1;
  made.output_bytes = limits.output_kb << 10;
  return made;
}

CrashSearch SearchIn(const Session::Options& options) {
  return {options.executable, options.source, options.isolation};
}

sandbox::ProcessOptions MakeProcess(const Session::Options& options, const WorkerPlug& plug, int control_fd) {
  sandbox::ProcessOptions process;
  process.argv = {options.executable};
  process.working_directory = std::string("/");
  process.environment = plug.environment;
  process.environment.push_back("LANG=C");
  process.environment.push_back("CUDA_CACHE_DISABLE=1");
  if (options.hardware_queues > 0) {
    process.environment.push_back(kHardwareQueuesVariable + ("=" + std::to_string(options.hardware_queues)));
  }
  process.environment.push_back(std::string(protocol::kControlFdVariable) + "=" + std::to_string(kControlFdInWorker));
  process.limits = SandboxLimits(options.limits, plug.limit_address_space);
  process.inherited_fds = plug.inherited_fds;
  process.inherited_fds.push_back({control_fd, kControlFdInWorker});
  if (options.isolation.confine) {
    sandbox::Confinement& confinement = process.confinement.emplace();
    confinement.read_only = plug.libraries;
    confinement.read_only.push_back(options.executable);
    confinement.hidden = options.isolation.hidden;
    confinement.namespaces = options.isolation.namespaces;
    confinement.devices = plug.devices;
    confinement.own_processes = plug.own_processes;
  }
  return process;
}

}  // namespace

Result<std::unique_ptr<Session>> Session::Start(const Options& options, JudgeDevice& device, RandomSource& random) {
  Result<std::unique_ptr<Session>> session = StartOnce(options, device, random);
  // The machine was short of memory or of process numbers for a moment. The program did not cause this, and was not
  // asked to do anything yet.
  if (!session || (*session)->SandboxFailed()) session = StartOnce(options, device, random);
  return session;
}

Result<std::unique_ptr<Session>> Session::StartOnce(const Options& options, JudgeDevice& device, RandomSource& random) {
  Result<Begun> begun = Begin(options, device);
  if (!begun) return begun.error();
  std::unique_ptr<Session> session(
      new Session(options, device, random, std::move(begun->channel), std::move(begun->process)));
  session->AwaitReady();
  return session;
}

Status Session::Restart() {
  Status restarted = RestartOnce();
  if (!restarted.ok() || SandboxFailed()) restarted = RestartOnce();  // as Start does
  return restarted;
}

Status Session::RestartOnce() {
  earlier_workers_waited_ns_ += process_.WaitedForCore();
  Dismiss();
  earlier_output_ = output();
  if (earlier_output_.size() > kEarlierOutputBytes) {
    earlier_output_.erase(0, earlier_output_.size() - kEarlierOutputBytes);
  }
  Result<Begun> begun = Begin(options_, device_);
  if (!begun) return begun.error();
  channel_ = std::move(begun->channel);
  process_ = std::move(begun->process);
  end_.reset();
  crash_.reset();
  crashed_on_.clear();
  paused_ = device_wants_ = false;
  AwaitReady();
  return Status();
}

Result<Session::Begun> Session::Begin(const Options& options, JudgeDevice& device) {
  Result<ControlChannel> channel = ControlChannel::Open();
  if (!channel) return channel.error();
  Result<WorkerPlug> plug = device.Plug();
  if (!plug) return plug.error();
  Result<sandbox::Process> process = sandbox::Process::Start(MakeProcess(options, *plug, channel->worker_fd()));
  device.WorkerStarted();
  channel->CloseWorkerEnd();
  if (!process) {
    device.WorkerGone();
    return process.error();
  }
  return Begun{std::move(*channel), std::move(*process)};
}

Session::Session(const Options& options, JudgeDevice& device, RandomSource& random, ControlChannel channel,
                 sandbox::Process process)
    : options_(options),
      device_(device),
      random_(random),
      channel_(std::move(channel)),
      process_(std::move(process)),
      watchdog_([&device] { device.Interrupt(); }, options.cancel),
      lines_(SearchIn(options)),
      patience_(int64_t{options.limits.wall_s} * 1'000'000'000,
                sandbox::kMostExcuses * options.limits.wall_s * 1'000'000'000),
      judge_waited_before_ns_(sandbox::WaitedForCoreNs(getpid())) {}

Session::~Session() {
  if (!alive()) return;
  // The worker's work is done, and nothing that it could still say or do matters, so it gets no more time.
  process_.Kill();
  process_.Wait();
  device_.WorkerGone();
}

void Session::End(WorkerEnd end) {
  if (end_) return;
  if (!process_.finished()) {
    process_.Kill();
    process_.Wait();
  }
  watchdog_.Disarm();
  device_.WorkerGone();
  end_ = std::move(end);
}

void Session::AwaitReady() {
  const std::optional<protocol::Message> message = Await(protocol::Verb::kReady, 0, Stage::kStarting, false);
  if (!message) return;
  if (!protocol::Decode(*message, &ready_)) {
    End(DescribeMisbehaviour("greeted the grader wrongly", process_.output()));
    return;
  }
  if (ready_.cuda_code == 0) return;
  WorkerEnd end;
  end.messages.push_back("CUDA did not start in the program: " + PlainField(ready_.cuda_name) + " (" +
                         std::to_string(ready_.cuda_code) + "): " + PlainField(ready_.device_name));
  End(std::move(end));
}

std::optional<Session::Answer> Session::Map(int slot, const BufferHandle& buffer) {
  protocol::Map map;
  map.slot = slot;
  map.kind = buffer.kind;
  map.address = buffer.kind == protocol::MemoryKind::kAddress ? buffer.address : 0;
  std::copy(buffer.ipc.begin(), buffer.ipc.end(), map.ipc);
  map.offset = buffer.offset;
  map.bytes = buffer.bytes;
  return Ask(map, Stage::kIdle, false, buffer.descriptor);
}

std::optional<Session::Answer> Session::Unmap(int slot) {
  protocol::Unmap unmap;
  unmap.slot = slot;
  return Ask(unmap, Stage::kIdle, false);
}

void Session::Dismiss() { EndBlameless(""); }

void Session::EndBlameless(const std::string& why) {
  WorkerEnd end;
  end.blameless = true;
  if (!why.empty()) end.messages.push_back(why);
  End(std::move(end));
}

bool Session::Pause() {
  if (!alive()) return true;
  paused_ = process_.Pause();
  return paused_;
}

Status Session::EndWithoutBuffer(const std::string& what, int slot, const BufferHandle& buffer) {
  if (has_called_) {
    End(DescribeUnusable(what, process_.output()));
    return Status();
  }
  if (!options_.isolation.alone || options_.honest_executable.empty()) {
    return Error{ErrorKind::kMachine, "in the worker, " + what};
  }
  End(DescribeFalseAlarm(what, process_.output()));  // first, because an emulated device serves one worker at a time
  Options honest = options_;
  honest.executable = options_.honest_executable;
  const Result<std::unique_ptr<Session>> worker = Start(honest, device_, random_);
  if (!worker) return worker.error();
  const std::optional<Answer> answer = (*worker)->Map(slot, buffer);
  if (answer && answer->done.status == protocol::DoneStatus::kOk) return Status();
  return Error{ErrorKind::kMachine, "in the grader's own worker, " + what};
}

std::optional<Session::Answer> Session::Call(const protocol::Call& call) {
  has_called_ = true;
  return Ask(call, Stage::kHostCode, (call.flags & protocol::kMeasureEvents) != 0);
}

std::optional<Session::Answer> Session::Nop(uint32_t flags, uint32_t busy_us) {
  protocol::Nop nop;
  nop.flags = flags;
  nop.busy_us = busy_us;
  return Ask(nop, Stage::kIdle, (flags & protocol::kMeasureEvents) != 0);
}

std::optional<int64_t> Session::EventTime() {
  const std::optional<Answer> answer = Nop(protocol::kTellEvents);
  if (!answer) return std::nullopt;
  return answer->done.event_time_ns;
}

template <typename Body>
std::optional<Session::Answer> Session::Ask(const Body& body, Stage stage, bool spin, int descriptor) {
  if (!alive()) return std::nullopt;
  const uint64_t nonce = random_.NextBits();
  const protocol::Message request = protocol::Encode(body, nonce);
  const int64_t begin_ns = RawNanoseconds();
  const Status sent = channel_.Send(request, descriptor);
  if (paused_) process_.Resume();
  paused_ = false;
  if (!sent.ok()) EndBlameless(sent.error().message);
  const std::optional<protocol::Message> message = Await(protocol::Verb::kDone, nonce, stage, spin);
  Answer answer;
  answer.wall_ns = RawNanoseconds() - begin_ns;
  if (!message) return std::nullopt;
  if (!protocol::Decode(*message, &answer.done)) {
    End(DescribeMisbehaviour("answered the grader with a message of the wrong size", process_.output()));
    return std::nullopt;
  }
  return answer;
}

std::optional<protocol::Message> Session::Await(protocol::Verb verb, uint64_t nonce, Stage stage, bool spin) {
  const int64_t begin_ns = RawNanoseconds();
  patience_.Begin(options_.now_ns());
  std::optional<protocol::Message> message;
  while (alive()) {
    message = Look(verb, nonce, &stage);
    if (message || !alive() || IsOutOfTimeOrCancelled(stage)) break;
    if (!spin || RawNanoseconds() - begin_ns > kSpinNs) WaitForSomething();
    if (device_wants_) ServeDevice();
  }
  patience_.End(options_.now_ns());
  return message;
}

std::optional<protocol::Message> Session::Look(protocol::Verb verb, uint64_t nonce, Stage* stage) {
  // Check whether it has ended before reading its last output, so that no output is lost.
  const bool finished = process_.Poll();
  protocol::Message message;
  std::string fault;
  switch (channel_.Receive(&message, &fault)) {
    case ControlChannel::Received::kMessage:
      if (message.header.nonce == nonce && message.verb() == verb) return message;
      if (message.header.nonce == nonce && message.verb() == protocol::Verb::kReturned && *stage == Stage::kHostCode) {
        *stage = Stage::kKernel;
        return std::nullopt;
      }
      if (NoteCrash(message)) return std::nullopt;
      End(DescribeMisbehaviour("sent the grader an answer that nothing had asked for", process_.output()));
      return std::nullopt;
    case ControlChannel::Received::kGarbage:
      End(DescribeMisbehaviour("sent the grader a message that is " + fault, process_.output()));
      return std::nullopt;
    case ControlChannel::Received::kClosed:
      // Most often the worker is dying, and its exit status says how. A program that lives on has closed our
      // descriptor.
      if (!finished) {
        for (int i = 0; i < 100 && !process_.Poll(); ++i) poll(nullptr, 0, 10);
      }
      if (!process_.finished()) {
        End(DescribeMisbehaviour("closed its connection to the grader", process_.output()));
        return std::nullopt;
      }
      break;
    case ControlChannel::Received::kNothing:
      if (!finished) return std::nullopt;
      break;
  }
  End(DescribeEnd(*stage));
  return std::nullopt;
}

bool Session::NoteCrash(const protocol::Message& message) {
  protocol::Crashed crashed;
  if (message.header.nonce != 0 || crash_ || !protocol::Decode(message, &crashed)) return false;
  crash_ = crashed;
  crashed_on_ = device_.NameDeviceMemory(crashed.address);
  return true;
}

WorkerEnd Session::DescribeEnd(Stage stage) {
  const sandbox::ProcessResult& result = process_.result();
  // Another submission's worker may have brought the machine to this. If that is gone as well, it was this program's
  // own doing: it killed itself, or needs more memory than the machine has.
  if (result.killed_by_others() && !options_.isolation.alone) {
    WorkerEnd end;
    end.blameless = true;
    end.messages.push_back("a worker was killed, and not by the grader; most often the machine is short of memory");
    return end;
  }
  std::string crash;
  if (crash_ && crash_->signal == result.signal) {
    crash = ExplainCrash(*crash_, FindCrashLine(SearchIn(options_), *crash_), crashed_on_);
  }
  return DescribeProcessEnd(result, stage, options_.limits, crash);
}

bool Session::IsOutOfTimeOrCancelled(Stage stage) {
  if (options_.cancel != nullptr && *options_.cancel) {
    EndBlameless("grading was stopped");
    return true;
  }
  if (!patience_.IsOver(options_.now_ns()) || WasExcused()) return false;
  // On the emulator a launch is complete when the host continues, and kernel time is not charged.
  const bool emulated = device_.throughput() == nullptr;
  if (emulated && stage == Stage::kKernel) stage = Stage::kHostCode;
  End(DescribeTimeout(stage, options_.limits, process_.output()));
  return true;
}

bool Session::WasExcused() {
  // What they have waited in all is read from /proc, so only when the time is up, and then not too often.
  const int64_t now_ns = RawNanoseconds();
  if (now_ns < next_excuse_ns_) return true;
  next_excuse_ns_ = now_ns + kExcuseEveryNs;
  const int64_t judge_ns = sandbox::WaitedForCoreNs(getpid()) - judge_waited_before_ns_;
  patience_.Excuse(earlier_workers_waited_ns_ + process_.WaitedForCore() + judge_ns);
  if (!patience_.IsOver(options_.now_ns())) return true;
  next_excuse_ns_ = 0;
  return false;
}

void Session::WaitForSomething() {
  pollfd fds[] = {{channel_.fd(), POLLIN, 0},
                  {process_.exit_fd(), POLLIN, 0},
                  {process_.output_fd(), POLLIN, 0},
                  {device_.service_fd(), POLLIN, 0}};
  // At most 100 ms, so that a cancellation is seen.
  int64_t timeout_ms = std::clamp<int64_t>(patience_.Left(options_.now_ns()) / 1'000'000 + 1, 0, 100);
  if (process_.poll_timeout_ms() >= 0) timeout_ms = std::min<int64_t>(timeout_ms, process_.poll_timeout_ms());
  // Only an emulated device has requests to wait for.
  const auto wait = fds[3].fd >= 0 ? PollAwake : poll;
  wait(fds, std::size(fds), static_cast<int>(timeout_ms));
  device_wants_ = (fds[3].revents & (POLLIN | POLLHUP | POLLERR)) != 0;
  // Read the last output of a worker that has ended before forgetting its state on the device.
  if ((fds[3].revents & POLLHUP) != 0 && (fds[0].revents & POLLIN) != 0) device_wants_ = false;
}

void Session::ServeDevice() {
  device_wants_ = false;
  watchdog_.Arm();
  patience_.Forgive(device_.Serve());
  watchdog_.Disarm();
  if (const std::string failure = device_.MachineFailure(); !failure.empty()) EndBlameless(failure);
}

}  // namespace warpgrade::judge
