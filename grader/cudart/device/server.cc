// A small state machine: header, payload, answer. Input is read without blocking, so that the judge's loop can poll
// this socket beside its control socket. Memory for a payload grows with the bytes that arrive, not with the length
// that was announced. Tested by tests/cudart/device/server_test.cc with hostile bytes.
#include "grader/cudart/device/server.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

namespace warpgrade::cudart {
namespace {

using wire::Reader;
using wire::Writer;

constexpr size_t kGrowth = 1 << 20;
// The most time that is left out of the peer's own time (busy_ns) for one request, and for each instruction that the
// request took from the device's budget. Both are some hundred times what a machine needs that has nothing else to do.
constexpr int64_t kMostRequestNs = 1'000'000;
constexpr int64_t kMostInstructionNs = 20'000;
constexpr int kPollSliceMs = 50;  // how soon a blocked answer notices that `cancel` is set

void PutError(Writer& reply, cudaError_t error) { reply.Put(static_cast<int32_t>(error)); }

// Writes an answer that consists of the error code alone.
bool Only(Writer& reply, cudaError_t error) {
  PutError(reply, error);
  return true;
}

emulator::Dim3 GetDim3(Reader& request) {
  emulator::Dim3 dim;
  dim.x = request.Get<uint32_t>();
  dim.y = request.Get<uint32_t>();
  dim.z = request.Get<uint32_t>();
  return dim;
}

// True if the device's instruction budgets bound the total work of such requests.
bool TakesInstructions(wire::Type type) {
  switch (type) {
    case wire::Type::kCopy:
    case wire::Type::kFill:
    case wire::Type::kRun:
    case wire::Type::kContinue:
      return true;
    default:
      return false;
  }
}

}  // namespace

Server::Server(emulator::Device& device, int fd, ServerOptions options)
    : device_(device),
      backend_(device, options.limits, nullptr, *options.model),
      cancel_(device.options().cancel),
      fd_(fd),
      options_(options) {
  backend_.DelayWork(options.delay_seed);
}

Server::Outcome Server::ServeOne() {
  if (closed_) return Outcome::kClosed;
  if (header_got_ < sizeof header_) {
    size_t got = 0;
    if (!ReadSome(reinterpret_cast<char*>(&header_) + header_got_, sizeof header_ - header_got_, &got)) return Close();
    header_got_ += got;
    if (header_got_ < sizeof header_) return Outcome::kWaiting;
    payload_.clear();
    payload_got_ = 0;
    if (!wire::IsValidRequest(header_)) {
      Writer refusal;
      PutError(refusal, cudaErrorUnknown);
      static_cast<void>(Send(refusal));
      return Close();
    }
  }
  while (payload_got_ < header_.payload_bytes) {
    const size_t want = std::min<size_t>(header_.payload_bytes - payload_got_, kGrowth);
    payload_.resize(payload_got_ + want);
    size_t got = 0;
    if (!ReadSome(payload_.data() + payload_got_, want, &got)) return Close();
    payload_got_ += got;
    if (got == 0) return Outcome::kWaiting;
  }
  payload_.resize(payload_got_);
  return Answer();
}

// Returns false if the peer hung up. *got is 0 if no bytes have arrived yet.
bool Server::ReadSome(void* to, size_t bytes, size_t* got) {
  for (;;) {
    const ssize_t n = recv(fd_, to, bytes, MSG_DONTWAIT);
    if (n > 0) {
      *got = static_cast<size_t>(n);
      return true;
    }
    if (n < 0 && errno == EINTR) continue;
    *got = 0;
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }
}

Server::Outcome Server::Answer() {
  Reader request(payload_);
  Writer reply;
  const int64_t begin_ns = options_.now_ns();
  const uint64_t left = device_.InstructionsLeft();
  const bool understood = CarryOut(request, reply);
  NoteBusy(options_.now_ns() - begin_ns, left - device_.InstructionsLeft());
  if (!understood) {
    reply.buffer().clear();
    PutError(reply, cudaErrorUnknown);
  }
  const bool sent = reply.buffer().empty() || Send(reply);
  if (!sent || !understood) return Close();
  header_got_ = 0;
  if (payload_.capacity() > kGrowth) std::vector<std::byte>().swap(payload_);
  return Outcome::kServed;
}

void Server::NoteBusy(int64_t ns, uint64_t instructions) {
  const auto type = static_cast<wire::Type>(header_.type);
  if (type == wire::Type::kLoadModule) busy_ns_ += ns;  // PeerLimits bounds the modules
  if (!TakesInstructions(type)) return;
  const uint64_t counted =
      std::min<uint64_t>(instructions, std::numeric_limits<int64_t>::max() / kMostInstructionNs / 2);
  busy_ns_ += std::min(ns, kMostRequestNs + static_cast<int64_t>(counted) * kMostInstructionNs);
}

bool Server::CarryOut(Reader& request, Writer& reply) {
  using wire::Type;
  switch (static_cast<Type>(header_.type)) {
    case Type::kFacts:
      return Facts(request, reply);
    case Type::kLoadModule:
      return LoadModule(request, reply);
    case Type::kFindKernel:
      return FindKernel(request, reply);
    case Type::kFindVariable:
      return FindVariable(request, reply);
    case Type::kAllocate:
      return Allocate(request, reply);
    case Type::kAllocateShared:
      return AllocateShared(request, reply);
    case Type::kShare:
      return Share(request, reply);
    case Type::kFree:
      return Free(request, reply);
    case Type::kFindAllocation:
      return FindAllocation(request, reply);
    case Type::kMemoryInfo:
      return MemoryInfo(request, reply);
    case Type::kWrite:
      return Write(request, reply);
    case Type::kRead:
      return Read(request, reply);
    case Type::kCopy:
      return Copy(request, reply);
    case Type::kFill:
      return Fill(request, reply);
    case Type::kRun:
      return Run(request, reply);
    case Type::kContinue:
      return Continue(request, reply);
    case Type::kSynchronize:
      return Synchronize(request, reply);
    case Type::kUseStream:
      return UseStream(request);
    case Type::kAnnounceRead:
      return AnnounceRead(request);
    case Type::kOrder:
      return Order(request);
    case Type::kCallFailed:
      return CallFailed(request);
  }
  return false;
}

// Sends some of the bytes, together with descriptor_to_send_. Returns false if the peer hung up. *sent is 0 if the
// socket is full.
bool Server::SendPart(const std::byte* data, size_t bytes, size_t* sent) {
  iovec part{const_cast<std::byte*>(data), bytes};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  if (descriptor_to_send_ >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor_to_send_, sizeof(int));
  }
  *sent = 0;
  const ssize_t n = sendmsg(fd_, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (n < 0 && (errno == ETOOMANYREFS || errno == ENOBUFS || errno == ENOMEM)) {
    machine_failure_ = std::string("cannot send the worker a message: ") + std::strerror(errno);
  }
  if (n < 0) return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK;
  if (n > 0 && descriptor_to_send_ >= 0) close(std::exchange(descriptor_to_send_, -1));
  *sent = static_cast<size_t>(n);
  return true;
}

// Returns false if the peer hung up, does not read, or the judge has cancelled.
bool Server::Send(const Writer& reply) {
  wire::Header header = header_;
  header.magic = wire::kReplyMagic;
  header.zero = 0;
  header.payload_bytes = static_cast<uint32_t>(reply.buffer().size());
  Writer message;
  message.PutBytes(&header, sizeof header);
  message.PutBytes(reply.buffer().data(), reply.buffer().size());
  const std::vector<std::byte>& bytes = message.buffer();

  const int64_t deadline_ns = options_.now_ns() + int64_t{options_.write_timeout_ms} * 1'000'000;
  for (size_t sent = 0; sent < bytes.size();) {
    size_t part = 0;
    if (!SendPart(bytes.data() + sent, bytes.size() - sent, &part)) return false;
    sent += part;
    if (part > 0) continue;
    if (options_.now_ns() >= deadline_ns || (cancel_ != nullptr && cancel_->load())) return false;
    pollfd writable{fd_, POLLOUT, 0};
    poll(&writable, 1, kPollSliceMs);
  }
  return true;
}

Server::Outcome Server::Close() {
  closed_ = true;
  if (descriptor_to_send_ >= 0) close(std::exchange(descriptor_to_send_, -1));
  shutdown(fd_, SHUT_RDWR);
  std::vector<std::byte>().swap(payload_);
  return Outcome::kClosed;
}

bool Server::Facts(Reader& request, Writer& reply) {
  const auto version = request.Get<uint32_t>();
  if (!request.AtEnd()) return false;
  DeviceFacts facts;
  const cudaError_t error = version == wire::kVersion ? backend_.Facts(&facts) : cudaErrorSystemDriverMismatch;
  PutError(reply, error);
  if (error != cudaSuccess) return true;
  reply.Put(static_cast<int32_t>(facts.multiprocessors));
  reply.Put(facts.total_bytes);
  reply.Put(facts.delay_seed);
  reply.PutString(facts.model->id);
  return true;
}

bool Server::LoadModule(Reader& request, Writer& reply) {
  ModuleHandle module = 0;
  std::string message;
  const cudaError_t error = backend_.LoadModule(request.GetRest(), &module, &message);
  PutError(reply, error);
  if (error == cudaSuccess) {
    reply.Put(module);
  } else {
    reply.PutString(std::string_view(message).substr(0, wire::kMaxMessage));
  }
  return true;
}

bool Server::FindKernel(Reader& request, Writer& reply) {
  const auto module = request.Get<uint32_t>();
  const std::string_view name = request.GetString(wire::kMaxName);
  if (!request.AtEnd()) return false;
  Kernel kernel;
  cudaError_t error = backend_.FindKernel(module, name, &kernel);
  if (error == cudaSuccess && kernel.info.parameter_sizes.size() > wire::kMaxParameters) {
    error = cudaErrorInvalidDeviceFunction;
  }
  PutError(reply, error);
  if (error != cudaSuccess) return true;
  reply.Put(kernel.handle);
  reply.Put(static_cast<int32_t>(kernel.ptx_arch));
  wire::EncodeKernelInfo(kernel.info, reply);
  return true;
}

bool Server::FindVariable(Reader& request, Writer& reply) {
  const auto module = request.Get<uint32_t>();
  const std::string_view name = request.GetString(wire::kMaxName);
  if (!request.AtEnd()) return false;
  AllocationInfo variable;
  const cudaError_t error = backend_.FindVariable(module, name, &variable);
  PutError(reply, error);
  if (error != cudaSuccess) return true;
  reply.Put(variable.base);
  reply.Put(variable.bytes);
  reply.Put(static_cast<uint8_t>(variable.kind));
  return true;
}

bool Server::Allocate(Reader& request, Writer& reply) {
  const auto bytes = request.Get<uint64_t>();
  if (!request.AtEnd()) return false;
  DevicePtr pointer = 0;
  const cudaError_t error = backend_.Allocate(bytes, &pointer);
  PutError(reply, error);
  if (error == cudaSuccess) reply.Put(pointer);
  return true;
}

bool Server::AllocateShared(Reader& request, Writer& reply) {
  const auto bytes = request.Get<uint64_t>();
  const auto kind = static_cast<MemoryKind>(request.Get<uint8_t>());
  if (!request.AtEnd() || (kind != MemoryKind::kPinned && kind != MemoryKind::kManaged)) return false;
  DevicePtr pointer = 0;
  const cudaError_t error = backend_.AllocateShared(bytes, kind, &pointer);
  PutError(reply, error);
  if (error == cudaSuccess) reply.Put(pointer);
  return true;
}

// The peer can get the memory of its own allocations and of its modules' variables. The judge's own buffers have no
// descriptor.
bool Server::Share(Reader& request, Writer& reply) {
  const auto base = request.Get<uint64_t>();
  if (!request.AtEnd()) return false;
  return Only(reply, backend_.Share(base, &descriptor_to_send_));
}

bool Server::Free(Reader& request, Writer& reply) {
  const auto pointer = request.Get<uint64_t>();
  if (!request.AtEnd()) return false;
  return Only(reply, backend_.Free(pointer));
}

bool Server::FindAllocation(Reader& request, Writer& reply) {
  const auto pointer = request.Get<uint64_t>();
  if (!request.AtEnd()) return false;
  std::optional<AllocationInfo> allocation;
  const cudaError_t error = backend_.FindAllocation(pointer, &allocation);
  PutError(reply, error);
  if (error != cudaSuccess) return true;
  reply.Put(static_cast<uint8_t>(allocation.has_value()));
  reply.Put(allocation ? allocation->base : 0);
  reply.Put(allocation ? allocation->bytes : 0);
  reply.Put(static_cast<uint8_t>(allocation ? allocation->kind : MemoryKind::kDevice));
  return true;
}

bool Server::MemoryInfo(Reader& request, Writer& reply) {
  if (!request.AtEnd()) return false;
  uint64_t free_bytes = 0, total_bytes = 0;
  const cudaError_t error = backend_.MemoryInfo(&free_bytes, &total_bytes);
  PutError(reply, error);
  if (error != cudaSuccess) return true;
  reply.Put(free_bytes);
  reply.Put(total_bytes);
  return true;
}

bool Server::Write(Reader& request, Writer& reply) {
  backend_.NoteCall(request.Get<uint64_t>());
  const auto to = request.Get<uint64_t>();
  const std::span<const std::byte> data = request.GetRest();
  if (!request.ok() || data.empty()) return false;
  return Only(reply, backend_.Write(to, data.data(), data.size()));
}

bool Server::Read(Reader& request, Writer& reply) {
  backend_.NoteCall(request.Get<uint64_t>());
  const auto from = request.Get<uint64_t>();
  const auto bytes = request.Get<uint32_t>();
  if (!request.AtEnd() || bytes == 0 || bytes > wire::kMaxChunk) return false;
  PutError(reply, cudaSuccess);
  const size_t start = reply.buffer().size();
  reply.buffer().resize(start + bytes);
  const cudaError_t error = backend_.Read(reply.buffer().data() + start, from, bytes);
  if (error == cudaSuccess) return true;
  reply.buffer().clear();
  return Only(reply, error);
}

bool Server::Copy(Reader& request, Writer& reply) {
  backend_.NoteCall(request.Get<uint64_t>());
  const auto to = request.Get<uint64_t>();
  const auto from = request.Get<uint64_t>();
  const auto bytes = request.Get<uint64_t>();
  if (!request.AtEnd()) return false;
  return Only(reply, backend_.Copy(to, from, bytes));
}

bool Server::Fill(Reader& request, Writer& reply) {
  backend_.NoteCall(request.Get<uint64_t>());
  const auto to = request.Get<uint64_t>();
  const auto bytes = request.Get<uint64_t>();
  const auto value = request.Get<uint8_t>();
  if (!request.AtEnd()) return false;
  return Only(reply, backend_.Fill(to, value, bytes));
}

bool Server::Run(Reader& request, Writer& reply) {
  backend_.NoteCall(request.Get<uint64_t>());
  Launch launch;
  launch.kernel = request.Get<uint32_t>();
  launch.grid = GetDim3(request);
  launch.block = GetDim3(request);
  launch.dynamic_shared_bytes = request.Get<uint32_t>();
  const auto flags = request.Get<uint8_t>();
  launch.cooperative = (flags & wire::kCooperative) != 0;
  launch.may_wait = (flags & wire::kMayWait) != 0;
  launch.parameters = request.GetRest();
  if (!request.ok()) return false;
  uint64_t device_ns = 0;
  const cudaError_t error = backend_.Run(launch, &device_ns);
  PutRun(error, device_ns, reply);
  return true;
}

bool Server::Continue(Reader& request, Writer& reply) {
  backend_.NoteCall(request.Get<uint64_t>());
  const auto launch = request.Get<uint64_t>();
  const bool alone = request.Get<uint8_t>() != 0;
  if (!request.AtEnd()) return false;
  uint64_t device_ns = 0;
  const cudaError_t error = backend_.Continue(launch, alone, &device_ns);
  PutRun(error, device_ns, reply);
  return true;
}

void Server::PutRun(cudaError_t error, uint64_t device_ns, Writer& reply) {
  PutError(reply, error);
  if (error == cudaErrorNotReady) {
    reply.Put(backend_.waiting().id);
    reply.Put(static_cast<uint8_t>(backend_.waiting().wrote));
    return;
  }
  reply.Put(device_ns);
  for (const HostVisibleBytes& bytes : backend_.host_visible()) {
    reply.Put(bytes.begin);
    reply.Put(bytes.end);
    reply.Put(static_cast<uint8_t>(bytes.written));
  }
}

bool Server::Synchronize(Reader& request, Writer& reply) {
  if (!request.AtEnd()) return false;
  return Only(reply, backend_.Synchronize());
}

bool Server::AnnounceRead(Reader& request) {
  backend_.NoteCall(request.Get<uint64_t>());
  const auto from = request.Get<uint64_t>();
  const auto bytes = request.Get<uint64_t>();
  if (!request.AtEnd()) return false;
  backend_.AnnounceRead(from, bytes);
  return true;
}

bool Server::UseStream(Reader& request) {
  StreamUse use;
  use.stream = request.Get<uint64_t>();
  use.blocking = request.Get<uint8_t>() != 0;
  const auto waits = request.Get<uint8_t>();
  use.host_waits = (waits & wire::kHostWaits) != 0;
  use.synchronous = (waits & wire::kSynchronous) != 0;
  if (!request.AtEnd()) return false;
  backend_.UseStream(use);
  return true;
}

bool Server::Order(Reader& request) {
  OrderStep step;
  step.call = request.Get<uint64_t>();
  const auto op = request.Get<uint8_t>();
  step.stream = request.Get<uint64_t>();
  step.object = request.Get<uint64_t>();
  if (!request.AtEnd() || op > static_cast<uint8_t>(OrderOp::kLast)) return false;
  step.op = static_cast<OrderOp>(op);
  backend_.Order(step);
  return true;
}

bool Server::CallFailed(Reader& request) {
  backend_.NoteCall(request.Get<uint64_t>());
  const auto error = request.Get<int32_t>();
  const std::string_view why = request.GetString(wire::kMaxWhy);
  if (!request.AtEnd()) return false;
  backend_.CallFailed(error, why);
  return true;
}

}  // namespace warpgrade::cudart
