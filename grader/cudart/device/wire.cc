// The bounds of every message, and the encoding of kernel descriptions. Tested by tests/cudart/device/wire_test.cc.
#include "grader/cudart/device/wire.h"

#include "grader/cudart/device/backend.h"
#include "grader/device_model/gpu_limits.h"

namespace warpgrade::cudart::wire {
namespace {

constexpr uint32_t kStringHeader = 4;
constexpr uint32_t kErrorCode = 4;
constexpr uint32_t kCall = 8;
constexpr uint32_t kRunFixed = 4 + 12 + 12 + 4 + 1;

bool IsKnown(uint16_t type) { return type >= 1 && type <= static_cast<uint16_t>(Type::kLast); }

}  // namespace

uint32_t MaxRequestPayload(Type type) {
  switch (type) {
    case Type::kFacts:
      return 4;
    case Type::kLoadModule:
      return kMaxFatbin;
    case Type::kFindKernel:
    case Type::kFindVariable:
      return 4 + kStringHeader + kMaxName;
    case Type::kAllocate:
    case Type::kFree:
    case Type::kFindAllocation:
    case Type::kShare:
      return 8;
    case Type::kAllocateShared:
      return 9;
    case Type::kAnnounceRead:
      return kCall + 16;
    case Type::kMemoryInfo:
    case Type::kSynchronize:
      return 0;
    case Type::kWrite:
      return kCall + 8 + kMaxChunk;
    case Type::kRead:
      return kCall + 8 + 4;
    case Type::kContinue:
      return kCall + 9;
    case Type::kCopy:
      return kCall + 24;
    case Type::kFill:
      return kCall + 17;
    case Type::kRun:
      return kCall + kRunFixed + gpu_limits::kParameterBytes;
    case Type::kUseStream:
      return 10;
    case Type::kOrder:
      return kCall + 17;
    case Type::kCallFailed:
      return kCall + 4 + kStringHeader + kMaxWhy;
  }
  return 0;
}

uint32_t MaxReplyPayload(Type type) {
  switch (type) {
    case Type::kFacts:
      return kErrorCode + 4 + 8 + kStringHeader + kMaxModelId;
    case Type::kRead:
      return kErrorCode + kMaxChunk;
    case Type::kRun:
    case Type::kContinue:
      return kErrorCode + 8 + Backend::kMostHostVisible * 17;
    case Type::kFindKernel:
      return kErrorCode + 8 + 2 * (kStringHeader + kMaxName) + 4 + kMaxParameters * 8 + 5 * 4;
    case Type::kLoadModule:
      return kErrorCode + kStringHeader + kMaxMessage;
    default:
      return kErrorCode + 24;
  }
}

bool IsValidRequest(const Header& header) {
  return header.magic == kRequestMagic && IsKnown(header.type) && header.zero == 0 &&
         header.payload_bytes <= MaxRequestPayload(static_cast<Type>(header.type));
}

bool IsValidReply(const Header& header, const Header& request) {
  return header.magic == kReplyMagic && header.type == request.type && header.zero == 0 &&
         header.sequence == request.sequence && header.payload_bytes >= kErrorCode &&
         header.payload_bytes <= MaxReplyPayload(static_cast<Type>(request.type));
}

void EncodeKernelInfo(const emulator::KernelInfo& info, Writer& writer) {
  writer.PutString(std::string_view(info.name).substr(0, kMaxName));
  writer.PutString(std::string_view(info.demangled).substr(0, kMaxName));
  writer.Put(static_cast<uint32_t>(info.parameter_sizes.size()));
  for (size_t i = 0; i < info.parameter_sizes.size(); ++i) {
    writer.Put(info.parameter_sizes[i]);
    writer.Put(info.parameter_offsets[i]);
  }
  for (uint32_t value :
       {info.parameter_bytes, info.static_shared_bytes, info.local_bytes, info.max_threads_per_block, info.registers}) {
    writer.Put(value);
  }
}

bool DecodeKernelInfo(Reader& reader, emulator::KernelInfo* info) {
  info->name = reader.GetString(kMaxName);
  info->demangled = reader.GetString(kMaxName);
  const auto count = reader.Get<uint32_t>();
  if (count > kMaxParameters) return false;
  info->parameter_sizes.resize(count);
  info->parameter_offsets.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    info->parameter_sizes[i] = reader.Get<uint32_t>();
    info->parameter_offsets[i] = reader.Get<uint32_t>();
  }
  info->parameter_bytes = reader.Get<uint32_t>();
  info->static_shared_bytes = reader.Get<uint32_t>();
  info->local_bytes = reader.Get<uint32_t>();
  info->max_threads_per_block = reader.Get<uint32_t>();
  info->registers = reader.Get<uint32_t>();
  if (!reader.ok() || info->parameter_bytes > gpu_limits::kParameterBytes) return false;
  for (uint32_t i = 0; i < count; ++i) {
    if (uint64_t{info->parameter_offsets[i]} + info->parameter_sizes[i] > info->parameter_bytes) return false;
  }
  return true;
}

}  // namespace warpgrade::cudart::wire
