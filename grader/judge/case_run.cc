// Allocates the buffers of a case, maps them into the worker, draws and poisons, and compares what came back. The judge
// compares copies that no worker can reach, and looks at the bytes behind each buffer as well. Tests:
// tests/judge/correctness_test.cc, host_arrays_test.cc, hostile_worker_test.cc (fake device).
#include "grader/judge/case_run.h"

#include <algorithm>

#include "grader/judge/large_arrays.h"
#include "grader/judge/plain_text.h"

namespace warpgrade::judge {
namespace {

using score::CaseFailure;

constexpr char kWithLeftovers[] =
    " Before this call, the workspace held what your last call had left there. Does your function clear what it must?";
constexpr size_t kPiece = size_t{16} << 20;  // bytes; the GPU copies this in 0.3 ms

// True if the judge checks a copy of the buffer after a call. Inputs in host memory are compared in place instead.
bool IsReadBack(const BufferSpec& spec) {
  if (spec.role == BufferSpec::Role::kInput) return spec.place == BufferSpec::Place::kDevice;
  return spec.role == BufferSpec::Role::kOutput;
}

}  // namespace

Result<std::unique_ptr<CaseBuffers>> CaseBuffers::Make(const Lab& lab, const Case& c, JudgeDevice& device,
                                                       Session& session, Arrival arrival) {
  WARPGRADE_CHECK(arrival == Arrival::kAtRefresh || device.throughput() != nullptr);
  return Complete(std::unique_ptr<CaseBuffers>(new CaseBuffers(lab, c, device, session, arrival, 0)), nullptr);
}

Result<std::unique_ptr<CaseBuffers>> CaseBuffers::MakeAnother(int set) const {
  WARPGRADE_CHECK(set > 0 && set < protocol::kMaxCalls);
  return Complete(std::unique_ptr<CaseBuffers>(new CaseBuffers(lab_, case_, device_, session_, arrival_, set)), this);
}

Result<std::unique_ptr<CaseBuffers>> CaseBuffers::Complete(std::unique_ptr<CaseBuffers> made,
                                                           const CaseBuffers* lender) {
  if (Status s = made->AllocateAndMap(lender); !s.ok()) return s.error();
  return made;
}

Status CaseBuffers::AllocateAndMap(const CaseBuffers* lender) {
  for (BufferSpec& spec : lab_.Buffers(case_)) {
    buffers_.emplace_back();
    buffers_.back().spec = std::move(spec);
  }
  WARPGRADE_CHECK(buffers_.size() <= static_cast<size_t>(kMaxBuffers));
  if (lender != nullptr) {
    own_ = lender->own_;
  } else if (arrival_ == Arrival::kAtDelivery) {
    Result<std::unique_ptr<OwnKernels>> own = OwnKernels::Make(lab_, case_, device_);
    if (!own) return own.error();
    own_ = std::move(*own);
  }
  for (size_t i = 0; i < buffers_.size(); ++i) {
    Buffer& buffer = buffers_[i];
    const uint64_t bytes = buffer.spec.bytes;
    if (IsReadBack(buffer.spec)) {
      // Outputs in host memory are copied right after a call, for all sets, before any of them is checked.
      const bool borrowed = lender != nullptr && buffer.spec.place == BufferSpec::Place::kDevice;
      buffer.after = borrowed ? lender->buffers_[i].after : std::make_shared<HostMemory>();
    }
    if (bytes == 0) continue;
    if (Status s = Allocate(i); !s.ok()) return s;
    const std::optional<Session::Answer> answer = session_.Map(Slot(i), buffer.handle);
    if (!answer) return Status();
    if (answer->done.status != protocol::DoneStatus::kOk) {
      const std::string what = buffer.spec.name + " of " + case_.name +
                               " cannot be opened: " + PlainField(answer->done.cuda_name) + " " +
                               PlainField(answer->done.text);
      return session_.EndWithoutBuffer(what, Slot(i), buffer.handle);
    }
    buffer.mapped = true;
  }
  return Status();
}

Status CaseBuffers::Allocate(size_t number) {
  Buffer& buffer = buffers_[number];
  using Place = BufferSpec::Place;
  const uint64_t bytes = buffer.spec.bytes;
  if (buffer.spec.place == Place::kDevice) {
    Result<BufferHandle> handle = device_.Allocate(bytes, buffer.spec.name);
    if (!handle) return Error{handle.error().kind, case_.name + ": " + handle.error().message};
    buffer.handle = *handle;
    buffer.allocated = true;
  } else {
    Result<std::unique_ptr<HostBuffer>> host = HostBuffer::Make(bytes);
    if (!host) return Error{host.error().kind, case_.name + ": " + host.error().message};
    buffer.host = std::move(*host);
    buffer.handle.kind =
        buffer.spec.place == Place::kLockedHost ? protocol::MemoryKind::kLockedHost : protocol::MemoryKind::kHost;
    buffer.handle.bytes = bytes;
    buffer.handle.descriptor = buffer.host->descriptor();
  }
  buffer.allocated = true;
  const bool is_input = buffer.spec.role == BufferSpec::Role::kInput;
  // Outputs in host memory are on the device only for the lab's kernels.
  const bool is_staged = arrival_ == Arrival::kAtDelivery && buffer.spec.role != BufferSpec::Role::kWorkspace &&
                         (buffer.host == nullptr || is_input || own_ != nullptr);
  if (!is_staged) return Status();
  const Result<BufferHandle> staging = device_.Allocate(bytes, buffer.spec.name + ", staged");
  if (!staging && buffer.host && !is_input && staging.error().kind == ErrorKind::kLimit) {
    own_.reset();  // then the host draws and checks
    return Status();
  }
  if (!staging) return Error{staging.error().kind, case_.name + ": " + staging.error().message};
  buffer.staging = *staging;
  if (!buffer.host || !is_input) return Status();
  std::optional<HostView> view = device_.throughput()->ViewHost(buffer.host->shared_bytes());
  if (!view) {
    return Error{ErrorKind::kUnsupported, case_.name + ": the GPU cannot reach " + buffer.spec.name +
                                              " in host memory; may this user lock so much memory (ulimit -l)?"};
  }
  buffer.view.emplace(std::move(*view));
  return Status();
}

Status CaseBuffers::ShareWith(Session& other) {
  WARPGRADE_CHECK(sharer_ == nullptr);
  sharer_ = &other;
  for (size_t i = 0; i < buffers_.size(); ++i) {
    if (!buffers_[i].mapped) continue;
    const std::optional<Session::Answer> answer = other.Map(Slot(i), buffers_[i].handle);
    if (answer && answer->done.status == protocol::DoneStatus::kOk) continue;
    const std::string why =
        answer ? PlainField(answer->done.cuda_name) + " " + PlainField(answer->done.text) : std::string("it has ended");
    return Error{ErrorKind::kMachine, "in the grader's own worker, " + buffers_[i].spec.name + " of " + case_.name +
                                          " cannot be opened: " + why};
  }
  return Status();
}

CaseBuffers::~CaseBuffers() {
  for (size_t i = 0; i < buffers_.size(); ++i) {
    if (buffers_[i].mapped) static_cast<void>(session_.Unmap(Slot(i)));
    if (buffers_[i].mapped && sharer_ != nullptr) static_cast<void>(sharer_->Unmap(Slot(i)));
    if (buffers_[i].staging) device_.Free(*buffers_[i].staging);
    if (buffers_[i].allocated && !buffers_[i].host) device_.Free(buffers_[i].handle);
  }
}

Status CaseBuffers::Refresh(Random& random) {
  for (size_t i = 0; i < buffers_.size(); ++i) {
    Buffer& buffer = buffers_[i];
    if (buffer.spec.role != BufferSpec::Role::kInput) continue;
    if (IsDrawnOnGpu(i)) {
      if (Status s = DrawOnGpu(i, random()); !s.ok()) return s;
      continue;
    }
    lab_.DrawInput(case_, static_cast<int>(i), random, Host(buffer.pristine, buffer.spec.bytes));
    if (!buffer.allocated) continue;
    if (Status s = RefreshInput(buffer); !s.ok()) return s;
  }
  return Poison();
}

Status CaseBuffers::DrawOnGpu(size_t number, uint64_t seed) {
  Buffer& buffer = buffers_[number];
  buffer.pristine = HostMemory();  // until the host checks, only the GPU has it
  if (Status s = own_->Draw(static_cast<int>(number), seed, *buffer.staging); !s.ok()) return s;
  if (!buffer.host) return device_.FillGuard(buffer.handle, kPoison);
  buffer.host->FillGuard(kPoison);
  return Status();
}

bool CaseBuffers::IsDrawnOnGpu(size_t buffer) const {
  return own_ != nullptr && buffers_[buffer].staging.has_value() && own_->Draws(static_cast<int>(buffer));
}

// The bytes of `memory`, which is allocated when it is first asked for: what the GPU draws and checks needs none.
std::span<std::byte> CaseBuffers::Host(HostMemory& memory, uint64_t bytes) {
  if (memory.bytes().size() != bytes) memory = device_.AllocateHost(bytes);
  return memory.bytes();
}

Status CaseBuffers::Poison() {
  for (const Buffer& buffer : buffers_) {
    if (buffer.spec.role == BufferSpec::Role::kInput || !buffer.allocated) continue;
    if (buffer.host) {
      buffer.host->Fill(kPoison);
      buffer.host->FillGuard(kPoison);
    } else if (Status s = device_.Fill(buffer.handle, kPoison); !s.ok()) {
      return s;
    }
  }
  return Status();
}

Status CaseBuffers::PutLeftovers(const Leftovers& leftovers) {
  for (const auto& [number, left] : leftovers) {
    if (number >= buffers_.size()) continue;
    const Buffer& buffer = buffers_[number];
    if (buffer.spec.role != BufferSpec::Role::kWorkspace || !buffer.allocated || buffer.host) continue;
    std::vector<std::byte> bytes(buffer.spec.bytes, kPoison);
    std::copy_n(left.begin(), std::min(left.size(), bytes.size()), bytes.begin());
    if (Status s = device_.Upload(buffer.handle, bytes); !s.ok()) return s;
  }
  return Status();
}

Status CaseBuffers::TakeLeftovers(Leftovers* leftovers) {
  for (size_t i = 0; i < buffers_.size(); ++i) {
    const Buffer& buffer = buffers_[i];
    if (buffer.spec.role != BufferSpec::Role::kWorkspace || !buffer.allocated || buffer.host) continue;
    std::vector<std::byte>& left = (*leftovers)[i];
    left.resize(buffer.spec.bytes);
    if (Status s = device_.Peek(buffer.handle, left); !s.ok()) return s;
  }
  return Status();
}

Status CaseBuffers::CopyToHost(const std::function<Status()>& after_each_piece) {
  WARPGRADE_CHECK(arrival_ == Arrival::kAtDelivery);
  for (Buffer& buffer : buffers_) {
    if (!buffer.view) continue;
    for (size_t at = 0; at < buffer.spec.bytes; at += kPiece) {
      BufferHandle piece = *buffer.staging;
      piece.address += at;
      piece.bytes = std::min(kPiece, buffer.spec.bytes - at);
      const std::span<std::byte> to = buffer.host->shared_bytes().subspan(at, piece.bytes);
      if (Status s = device_.throughput()->CopyToHost(to, piece); !s.ok()) return s;
      if (Status s = after_each_piece(); !s.ok()) return s;
    }
  }
  return Status();
}

uint64_t CaseBuffers::bytes_copied_to_host() const {
  uint64_t bytes = 0;
  for (const Buffer& buffer : buffers_) {
    if (buffer.view) bytes += buffer.spec.bytes;
  }
  return bytes;
}

Status CaseBuffers::Deliver() {
  WARPGRADE_CHECK(arrival_ == Arrival::kAtDelivery);
  ThroughputDevice& gpu = *device_.throughput();
  for (const Buffer& buffer : buffers_) {
    if (!buffer.staging || buffer.host || buffer.spec.role != BufferSpec::Role::kInput) continue;
    if (Status s = gpu.CopyInside(buffer.handle, *buffer.staging); !s.ok()) return s;
  }
  return Status();
}

Status CaseBuffers::Collect() {
  WARPGRADE_CHECK(arrival_ == Arrival::kAtDelivery);
  ThroughputDevice& gpu = *device_.throughput();
  for (const Buffer& buffer : buffers_) {
    if (!buffer.staging || buffer.host || buffer.spec.role != BufferSpec::Role::kOutput) continue;
    if (Status s = gpu.CopyInside(*buffer.staging, buffer.handle); !s.ok()) return s;
  }
  return Status();
}

bool CaseBuffers::has_host_arrays() const {
  return std::any_of(buffers_.begin(), buffers_.end(), [](const Buffer& buffer) { return buffer.host != nullptr; });
}

uint64_t CaseBuffers::device_bytes() const {
  uint64_t bytes = 0;
  for (const Buffer& buffer : buffers_) {
    if (buffer.allocated && !buffer.host) bytes += buffer.spec.bytes;
    if (buffer.staging) bytes += buffer.spec.bytes;
  }
  return bytes;
}

uint64_t CaseBuffers::host_bytes() const {
  uint64_t bytes = 0;
  for (size_t i = 0; i < buffers_.size(); ++i) {
    const Buffer& buffer = buffers_[i];
    if (buffer.spec.role == BufferSpec::Role::kInput && !IsDrawnOnGpu(i)) bytes += buffer.spec.bytes;
    if (buffer.host) bytes += buffer.spec.bytes;
    if (buffer.host && IsReadBack(buffer.spec)) bytes += buffer.spec.bytes;
  }
  return bytes;
}

void CaseBuffers::TakeHostOutputs(Random& random) {
  for (Buffer& buffer : buffers_) {
    if (!buffer.host || buffer.spec.role != BufferSpec::Role::kOutput) continue;
    buffer.host->ReadScattered(Host(*buffer.after, buffer.spec.bytes), random);
  }
}

Status CaseBuffers::RefreshInput(Buffer& buffer) {
  if (buffer.host) {
    if (arrival_ == Arrival::kAtRefresh) buffer.host->Write(std::as_const(buffer.pristine).bytes());
    buffer.host->FillGuard(kPoison);
    return buffer.staging ? device_.Upload(*buffer.staging, buffer.pristine.bytes()) : Status();
  }
  const BufferHandle& to = buffer.staging ? *buffer.staging : buffer.handle;
  if (Status s = device_.Upload(to, buffer.pristine.bytes()); !s.ok()) return s;
  return device_.FillGuard(buffer.handle, kPoison);
}

Status CaseBuffers::ReadBack(Buffer& buffer) {
  if (buffer.host || !IsReadBack(buffer.spec)) return Status();
  const bool collected = buffer.staging && buffer.spec.role == BufferSpec::Role::kOutput;
  return device_.Download(collected ? *buffer.staging : buffer.handle, Host(*buffer.after, buffer.spec.bytes));
}

Result<bool> CaseBuffers::GuardIsIntact(const Buffer& buffer) {
  if (!buffer.host) return device_.GuardIsIntact(buffer.handle, kPoison);
  return buffer.host->GuardIsIntact(kPoison);
}

protocol::Call CaseBuffers::MakeCall(uint32_t flags) const {
  protocol::Call call;
  call.variant = case_.variant;
  call.flags = flags;
  call.buffer_count = static_cast<int32_t>(buffers_.size());
  call.size_count = static_cast<int32_t>(case_.sizes.size());
  WARPGRADE_CHECK(case_.sizes.size() <= static_cast<size_t>(kMaxSizes));
  for (size_t i = 0; i < buffers_.size(); ++i) {
    call.slots[i] = buffers_[i].mapped ? Slot(i) : protocol::kNoSlot;
  }
  std::copy(case_.sizes.begin(), case_.sizes.end(), call.sizes);
  return call;
}

// Whether the GPU finds everything right. If it cannot say so, for whatever reason, the host looks.
bool CaseBuffers::IsRightOnGpu(Random& random) {
  std::vector<OwnKernels::Array> arrays(buffers_.size());
  for (size_t i = 0; i < buffers_.size(); ++i) {
    Buffer& buffer = buffers_[i];
    if (!buffer.allocated) continue;
    const Result<bool> intact = GuardIsIntact(buffer);
    if (!intact || !*intact) return false;
    if (!buffer.staging) continue;
    arrays[i] = {.address = buffer.staging->address, .bytes = buffer.spec.bytes};
    if (buffer.view) {
      arrays[i].now = buffer.view->address();
    } else if (buffer.host) {  // an output: the GPU checks a copy of what no worker can reach
      if (!device_.Upload(*buffer.staging, std::as_const(*buffer.after).bytes()).ok()) return false;
    } else if (buffer.spec.role == BufferSpec::Role::kInput) {
      arrays[i].now = buffer.handle.address;
    }
  }
  const Result<bool> right = own_->FindsRight(arrays, random());
  return right && *right;
}

// Copies the inputs that the GPU drew to the host, for its check.
Status CaseBuffers::FetchPristine() {
  for (size_t i = 0; i < buffers_.size(); ++i) {
    Buffer& buffer = buffers_[i];
    if (!IsDrawnOnGpu(i)) continue;
    if (Status s = device_.Download(*buffer.staging, Host(buffer.pristine, buffer.spec.bytes)); !s.ok()) return s;
  }
  return Status();
}

std::optional<CaseFailure> CaseBuffers::Verify(Random& random) {
  if (own_ != nullptr && IsRightOnGpu(random)) return std::nullopt;
  if (Status s = FetchPristine(); !s.ok()) return Failure("the inputs could not be read back: " + s.error().message);
  std::vector<std::span<const std::byte>> contents;
  std::optional<CaseFailure> damage;
  for (Buffer& buffer : buffers_) {
    if (!damage) damage = VerifyBuffer(buffer);
    switch (buffer.spec.role) {
      case BufferSpec::Role::kInput:
        contents.push_back(std::as_const(buffer.pristine).bytes());
        break;
      case BufferSpec::Role::kOutput:
        contents.push_back(std::as_const(*buffer.after).bytes());
        break;
      case BufferSpec::Role::kWorkspace:
        contents.emplace_back();
        break;
    }
  }
  if (damage) return damage;
  const std::optional<Mismatch> mismatch = lab_.Check(case_, contents);
  if (!mismatch) return std::nullopt;
  CaseFailure failure = Failure(mismatch->message);
  if (mismatch->count > 0) failure.index = mismatch->index;
  failure.got = mismatch->got;
  failure.want = mismatch->want;
  return failure;
}

// Reads the buffer back. An input must be unchanged, and the bytes behind every buffer must be untouched.
std::optional<CaseFailure> CaseBuffers::VerifyBuffer(Buffer& buffer) {
  if (!buffer.allocated) return std::nullopt;
  if (Status s = ReadBack(buffer); !s.ok()) {
    return Failure(buffer.spec.name + " could not be read back after the call: " + s.error().message);
  }
  const Result<bool> intact = GuardIsIntact(buffer);
  if (!intact)
    return Failure("the memory behind " + buffer.spec.name + " could not be read: " + intact.error().message);
  if (!*intact) {
    return Failure("wrote past the end of " + buffer.spec.name + " (" + std::to_string(buffer.spec.bytes) + " bytes)");
  }
  if (buffer.spec.role != BufferSpec::Role::kInput) return std::nullopt;
  const std::span<const std::byte> before = std::as_const(buffer.pristine).bytes();
  const std::optional<size_t> first = buffer.host ? buffer.host->FirstDifferenceFrom(before)
                                                  : FirstDifference(before, std::as_const(*buffer.after).bytes());
  if (!first) return std::nullopt;
  return Failure("changed its input " + buffer.spec.name + " (first at byte " + std::to_string(*first) +
                 "): inputs are read-only; write intermediate results to the workspace or the output");
}

void CaseBuffers::BeginCall() const {
  std::vector<BufferHandle> arrays;
  for (const Buffer& buffer : buffers_) {
    if (buffer.allocated && buffer.host == nullptr) arrays.push_back(buffer.handle);
  }
  if (!arrays.empty()) device_.BeginCall(session_.ready().stream, arrays);
}

CaseFailure CaseBuffers::Failure(std::string message) const {
  CaseFailure failure;
  failure.case_name = case_.name;
  failure.message = std::move(message);
  return failure;
}

Result<CaseOutcome> RunCase(const Lab& lab, const Case& c, JudgeDevice& device, Session& session, Random random,
                            Leftovers* leftovers) {
  CaseOutcome ended;
  ended.kind = CaseOutcome::Kind::kEnded;
  Result<std::unique_ptr<CaseBuffers>> buffers = CaseBuffers::Make(lab, c, device, session);
  if (!buffers) return buffers.error();
  if (!session.alive()) return ended;
  if (Status s = (*buffers)->Refresh(random); !s.ok()) return s.error();
  const bool has_leftovers = leftovers != nullptr && !leftovers->empty();
  if (has_leftovers) {
    if (Status s = (*buffers)->PutLeftovers(*leftovers); !s.ok()) return s.error();
  }
  (*buffers)->BeginCall();
  device.FailAllocation(c.failing_allocation);
  const std::optional<Session::Answer> answer = session.Call((*buffers)->MakeCall(protocol::kReportReturn));
  device.FailAllocation(0);
  if (!answer) return ended;
  (*buffers)->TakeHostOutputs(random);
  CaseOutcome outcome = Interpret(answer->done, c.name);
  NameFailedCall(answer->done, device, session, &outcome.failure);
  if (outcome.kind != CaseOutcome::Kind::kPassed) return outcome;
  if (std::optional<score::CaseFailure> failure = (*buffers)->Verify(random)) {
    outcome.kind = CaseOutcome::Kind::kFailed;
    outcome.failure = std::move(*failure);
    if (has_leftovers) outcome.failure.message += kWithLeftovers;
  } else if (leftovers != nullptr) {
    // A program that freed the buffer has lost its rung already.
    if (Status s = (*buffers)->TakeLeftovers(leftovers); !s.ok()) leftovers->clear();
  }
  return outcome;
}

}  // namespace warpgrade::judge
