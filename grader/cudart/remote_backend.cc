// Sends one request at a time and blocks until its answer arrives. The judge's answers are trusted, but their lengths
// are checked: after a wrong length the connection is closed before it can damage memory. Tested by
// tests/cudart/remote_backend_test.cc against the real Server.
#include "grader/cudart/remote_backend.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <span>
#include <utility>

#include "grader/poll_awake/poll_awake.h"

namespace warpgrade::cudart {
namespace {

using wire::Reader;
using wire::Type;
using wire::Writer;

bool SendAll(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return true;
}

// Sends the header together with the beginning of the payload: a header alone would wake the judge too early. Not with
// sendmsg, which the sandbox denies because it can send descriptors.
bool SendAll(int fd, std::span<const std::byte> header, std::span<const std::byte> payload) {
  std::array<std::byte, 4096> together;
  const size_t room = header.size() < together.size() ? together.size() - header.size() : 0;
  const std::span<const std::byte> first = payload.first(std::min(room, payload.size()));
  if (room == 0) return SendAll(fd, header) && SendAll(fd, payload);
  std::copy(header.begin(), header.end(), together.begin());
  std::copy(first.begin(), first.end(), together.begin() + static_cast<ptrdiff_t>(header.size()));
  return SendAll(fd, std::span(together).first(header.size() + first.size())) &&
         SendAll(fd, payload.subspan(first.size()));
}

bool ReceiveAll(int fd, void* data, size_t bytes) {
  char* next = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t n = recv(fd, next, bytes, MSG_WAITALL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    next += n;
    bytes -= static_cast<size_t>(n);
  }
  return true;
}

// As ReceiveAll. `*descriptor` is the file descriptor that came with the bytes, or -1.
bool ReceiveWithDescriptor(int fd, void* data, size_t bytes, int* descriptor) {
  *descriptor = -1;
  iovec part{data, bytes};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t n;
  do {
    n = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
  } while (n < 0 && errno == EINTR);
  if (n <= 0) return false;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
      header->cmsg_len == CMSG_LEN(sizeof(int))) {
    std::memcpy(descriptor, CMSG_DATA(header), sizeof(int));
  }
  return ReceiveAll(fd, static_cast<char*>(data) + n, bytes - static_cast<size_t>(n));
}

wire::Header MakeHeader(Type type, uint32_t sequence, const Writer& payload) {
  return {wire::kRequestMagic, static_cast<uint16_t>(type), 0, sequence,
          static_cast<uint32_t>(payload.buffer().size())};
}

void PutDim3(Writer& request, const emulator::Dim3& dim) {
  request.Put(dim.x);
  request.Put(dim.y);
  request.Put(dim.z);
}

}  // namespace

cudaError_t RemoteBackend::Break(const char* why) {
  if (!broken_) std::fprintf(stderr, "warpgrade: the connection to the emulated device is lost: %s\n", why);
  broken_ = true;
  return cudaErrorDevicesUnavailable;
}

cudaError_t RemoteBackend::Ask(Type type, const Writer& request, int* descriptor) {
  reply_.assign(sizeof(int32_t), std::byte{0});  // what Outputs() sees when there is no reply
  if (broken_) return cudaErrorDevicesUnavailable;
  const std::vector<std::byte>& payload = request.buffer();
  if (payload.size() > wire::MaxRequestPayload(type)) return cudaErrorInvalidValue;
  const wire::Header header = MakeHeader(type, ++sequence_, request);
  Writer first = std::exchange(unsent_, {});
  first.PutBytes(&header, sizeof header);
  if (!SendAll(fd_, first.buffer(), payload)) return Break("the judge does not listen any more");
  pollfd readable{fd_, POLLIN, 0};
  static_cast<void>(PollAwake(&readable, 1, -1));  // the read will report an error again
  wire::Header answer;
  const bool received = descriptor == nullptr ? ReceiveAll(fd_, &answer, sizeof answer)
                                              : ReceiveWithDescriptor(fd_, &answer, sizeof answer, descriptor);
  if (!received) return Break("the judge hung up");
  if (!wire::IsValidReply(answer, header)) return Break("the answer is not of this protocol; rebuild the kit");
  reply_.resize(answer.payload_bytes);
  if (!ReceiveAll(fd_, reply_.data(), reply_.size())) return Break("the judge hung up");
  return static_cast<cudaError_t>(Reader(reply_).Get<int32_t>());
}

// UseStream has no answer, so this does not wait for the judge.
void RemoteBackend::TellUse() {
  if (broken_ || use_ == told_use_) return;
  Writer payload;
  payload.Put(use_.stream);
  payload.Put(static_cast<uint8_t>(use_.blocking));
  payload.Put(
      static_cast<uint8_t>((use_.host_waits ? wire::kHostWaits : 0) | (use_.synchronous ? wire::kSynchronous : 0)));
  SendLater(Type::kUseStream, payload);
  told_use_ = use_;
}

Writer RemoteBackend::WorkOfCall() const {
  Writer request;
  request.Put(call_);
  return request;
}

void RemoteBackend::CallFailed(int32_t error, std::string_view why) {
  Writer payload = WorkOfCall();
  payload.Put(error);
  payload.PutString(why.substr(0, wire::kMaxWhy));
  SendLater(Type::kCallFailed, payload);
}

void RemoteBackend::Order(const OrderStep& step) {
  Writer payload;
  payload.Put(step.call);
  payload.Put(static_cast<uint8_t>(step.op));
  payload.Put(step.stream);
  payload.Put(step.object);
  SendLater(Type::kOrder, payload);
}

void RemoteBackend::SendLater(Type type, const Writer& payload) {
  constexpr size_t kMostUnsent = 64 << 10;
  if (broken_) return;
  const wire::Header header = MakeHeader(type, ++sequence_, payload);
  unsent_.PutBytes(&header, sizeof header);
  unsent_.PutBytes(payload.buffer().data(), payload.buffer().size());
  if (unsent_.buffer().size() < kMostUnsent) return;
  const Writer now = std::exchange(unsent_, {});
  if (!SendAll(fd_, now.buffer(), {})) Break("the judge does not listen any more");
}

// As UseStream, it goes with the next request.
void RemoteBackend::AnnounceRead(DevicePtr from, uint64_t bytes) {
  Writer payload = WorkOfCall();
  payload.Put(from);
  payload.Put(bytes);
  SendLater(Type::kAnnounceRead, payload);
}

cudaError_t RemoteBackend::Finish(cudaError_t error, const Reader& outputs) {
  if (error == cudaSuccess && !outputs.AtEnd()) return Break("the answer has the wrong length; rebuild the kit");
  return error;
}

cudaError_t RemoteBackend::Facts(DeviceFacts* facts) {
  Writer request;
  request.Put(wire::kVersion);
  const cudaError_t error = Ask(Type::kFacts, request);
  if (error != cudaSuccess) return error;
  Reader outputs = Outputs();
  facts->multiprocessors = outputs.Get<int32_t>();
  facts->total_bytes = outputs.Get<uint64_t>();
  facts->delay_seed = outputs.Get<uint64_t>();
  facts->delays_anew = true;  // a case of a grading is delayed in the same way when it runs alone
  const Result<const DeviceModel*> model = FindDeviceModel(outputs.GetString(wire::kMaxModelId));
  if (!model) return Break("the answer names no GPU that we know; rebuild the kit");
  facts->model = *model;
  return Finish(error, outputs);
}

cudaError_t RemoteBackend::LoadModule(std::span<const std::byte> fatbin, ModuleHandle* module, std::string* message) {
  if (fatbin.size() > wire::kMaxFatbin) {
    *message = "the program's fat binary is larger than 64 MiB; compile for fewer architectures";
    return cudaErrorInvalidKernelImage;
  }
  Writer request;
  request.PutBytes(fatbin.data(), fatbin.size());
  const cudaError_t error = Ask(Type::kLoadModule, request);
  if (broken_) {
    *message = "there is no device any more";
    return error;
  }
  Reader outputs = Outputs();
  if (error != cudaSuccess) {
    *message = outputs.GetString(wire::kMaxMessage);
    return error;
  }
  *module = outputs.Get<uint32_t>();
  return Finish(error, outputs);
}

// The judge compiles what students write, and never with -rdc=true. It takes no program that it would have to link.
cudaError_t RemoteBackend::LoadProgram(const std::vector<std::span<const std::byte>>& /*units*/,
                                       ModuleHandle* /*module*/, std::string* message) {
  *message = "what is graded cannot be a program of several translation units; compile without -rdc=true";
  return cudaErrorNoKernelImageForDevice;
}

cudaError_t RemoteBackend::FindKernel(ModuleHandle module, std::string_view mangled_name, Kernel* kernel) {
  Writer request;
  request.Put(module);
  request.PutString(mangled_name);
  const cudaError_t error = Ask(Type::kFindKernel, request);
  if (error != cudaSuccess) return error;
  Reader outputs = Outputs();
  kernel->handle = outputs.Get<uint32_t>();
  kernel->ptx_arch = outputs.Get<int32_t>();
  if (!wire::DecodeKernelInfo(outputs, &kernel->info)) return Break("the answer describes no kernel; rebuild the kit");
  return Finish(error, outputs);
}

cudaError_t RemoteBackend::FindVariable(ModuleHandle module, std::string_view name, AllocationInfo* variable) {
  Writer request;
  request.Put(module);
  request.PutString(name);
  const cudaError_t error = Ask(Type::kFindVariable, request);
  if (error != cudaSuccess) return error;
  Reader outputs = Outputs();
  variable->base = outputs.Get<uint64_t>();
  variable->bytes = outputs.Get<uint64_t>();
  variable->kind = static_cast<MemoryKind>(outputs.Get<uint8_t>());
  return Finish(error, outputs);
}

cudaError_t RemoteBackend::Allocate(uint64_t bytes, DevicePtr* pointer) {
  Writer request;
  request.Put(bytes);
  const cudaError_t error = Ask(Type::kAllocate, request);
  if (error != cudaSuccess) return error;
  Reader outputs = Outputs();
  *pointer = outputs.Get<uint64_t>();
  return Finish(error, outputs);
}

cudaError_t RemoteBackend::AllocateShared(uint64_t bytes, MemoryKind kind, DevicePtr* pointer) {
  Writer request;
  request.Put(bytes);
  request.Put(static_cast<uint8_t>(kind));
  const cudaError_t error = Ask(Type::kAllocateShared, request);
  if (error != cudaSuccess) return error;
  Reader outputs = Outputs();
  *pointer = outputs.Get<uint64_t>();
  return Finish(error, outputs);
}

cudaError_t RemoteBackend::Share(DevicePtr base, int* descriptor) {
  Writer request;
  request.Put(base);
  int received = -1;
  const cudaError_t error = Ask(Type::kShare, request, &received);
  if (error == cudaSuccess && received < 0) return Break("the answer lacks a file descriptor; rebuild the kit");
  if (error == cudaSuccess) *descriptor = received;
  return error;
}

cudaError_t RemoteBackend::Free(DevicePtr pointer) {
  Writer request;
  request.Put(pointer);
  return Ask(Type::kFree, request);
}

cudaError_t RemoteBackend::FindAllocation(DevicePtr pointer, std::optional<AllocationInfo>* allocation) {
  Writer request;
  request.Put(pointer);
  const cudaError_t error = Ask(Type::kFindAllocation, request);
  if (error != cudaSuccess) return error;
  Reader outputs = Outputs();
  const bool found = outputs.Get<uint8_t>() != 0;
  AllocationInfo info;
  info.base = outputs.Get<uint64_t>();
  info.bytes = outputs.Get<uint64_t>();
  info.kind = static_cast<MemoryKind>(outputs.Get<uint8_t>());
  *allocation = found ? std::optional(info) : std::nullopt;
  return Finish(error, outputs);
}

cudaError_t RemoteBackend::MemoryInfo(uint64_t* free_bytes, uint64_t* total_bytes) {
  const cudaError_t error = Ask(Type::kMemoryInfo, {});
  if (error != cudaSuccess) return error;
  Reader outputs = Outputs();
  *free_bytes = outputs.Get<uint64_t>();
  *total_bytes = outputs.Get<uint64_t>();
  return Finish(error, outputs);
}

cudaError_t RemoteBackend::Write(DevicePtr to, const void* from, uint64_t bytes) {
  TellUse();
  const char* next = static_cast<const char*>(from);
  while (bytes > 0) {
    const uint64_t chunk = std::min<uint64_t>(bytes, wire::kMaxChunk);
    Writer request = WorkOfCall();
    request.buffer().reserve(sizeof call_ + sizeof to + chunk);
    request.Put(to);
    request.PutBytes(next, chunk);
    const cudaError_t error = Ask(Type::kWrite, request);
    if (error != cudaSuccess) return error;
    next += chunk;
    to += chunk;
    bytes -= chunk;
  }
  return cudaSuccess;
}

cudaError_t RemoteBackend::Read(void* to, DevicePtr from, uint64_t bytes) {
  TellUse();
  char* next = static_cast<char*>(to);
  while (bytes > 0) {
    const auto chunk = static_cast<uint32_t>(std::min<uint64_t>(bytes, wire::kMaxChunk));
    Writer request = WorkOfCall();
    request.Put(from);
    request.Put(chunk);
    const cudaError_t error = Ask(Type::kRead, request);
    if (error != cudaSuccess) return error;
    Reader outputs = Outputs();
    const std::span<const std::byte> data = outputs.GetBytes(chunk);
    if (!outputs.AtEnd()) return Finish(error, outputs);
    std::memcpy(next, data.data(), chunk);
    next += chunk;
    from += chunk;
    bytes -= chunk;
  }
  return cudaSuccess;
}

cudaError_t RemoteBackend::Copy(DevicePtr to, DevicePtr from, uint64_t bytes) {
  TellUse();
  Writer request = WorkOfCall();
  request.Put(to);
  request.Put(from);
  request.Put(bytes);
  return Ask(Type::kCopy, request);
}

cudaError_t RemoteBackend::Fill(DevicePtr to, uint8_t value, uint64_t bytes) {
  TellUse();
  Writer request = WorkOfCall();
  request.Put(to);
  request.Put(bytes);
  request.Put(value);
  return Ask(Type::kFill, request);
}

cudaError_t RemoteBackend::Run(const Launch& launch, uint64_t* device_ns) {
  TellUse();
  Writer request = WorkOfCall();
  request.Put(launch.kernel);
  PutDim3(request, launch.grid);
  PutDim3(request, launch.block);
  request.Put(launch.dynamic_shared_bytes);
  request.Put(
      static_cast<uint8_t>((launch.cooperative ? wire::kCooperative : 0) | (launch.may_wait ? wire::kMayWait : 0)));
  request.PutBytes(launch.parameters.data(), launch.parameters.size());
  return AskRun(Type::kRun, request, device_ns);
}

cudaError_t RemoteBackend::Continue(emulator::LaunchId launch, bool alone, uint64_t* device_ns) {
  TellUse();
  Writer request = WorkOfCall();
  request.Put(launch);
  request.Put(static_cast<uint8_t>(alone));
  return AskRun(Type::kContinue, request, device_ns);
}

cudaError_t RemoteBackend::AskRun(Type type, const Writer& request, uint64_t* device_ns) {
  const cudaError_t error = Ask(type, request);
  if (broken_) return error;
  Reader outputs = Outputs();
  if (error == cudaErrorNotReady) {
    waiting_.id = outputs.Get<uint64_t>();
    waiting_.wrote = outputs.Get<uint8_t>() != 0;
    return outputs.AtEnd() ? error : Break("the answer has the wrong length; rebuild the kit");
  }
  *device_ns = outputs.Get<uint64_t>();
  host_visible_.clear();
  while (outputs.ok() && !outputs.AtEnd()) {
    HostVisibleBytes bytes;
    bytes.begin = outputs.Get<uint64_t>();
    bytes.end = outputs.Get<uint64_t>();
    bytes.written = outputs.Get<uint8_t>() != 0;
    if (outputs.ok()) host_visible_.push_back(bytes);
  }
  return Finish(error, outputs);
}

cudaError_t RemoteBackend::Synchronize() {
  TellUse();
  return Ask(Type::kSynchronize, {});
}

}  // namespace warpgrade::cudart
