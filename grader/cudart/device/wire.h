// The protocol between a student's process (RemoteBackend) and the judge (Server), over a stream socket. The student's
// side is hostile: it may send any bytes. Little-endian, no padding; one reply per request, in order, but none to
// UseStream, AnnounceRead, Order and CallFailed.
//
//   request:  u32 magic 'WGQ1' | u16 type | u16 zero | u32 sequence | u32 payload bytes | payload
//   reply:    u32 magic 'WGA1' | u16 type | u16 zero | u32 sequence | u32 payload bytes | i32 cudaError_t | outputs
//
//   type            request payload                            reply outputs (only after cudaSuccess)
//   Facts           u32 version                                i32 multiprocessors | u64 total bytes | u64 seed |
//                                                              str GPU's id
//   LoadModule      fat binary                                 u32 module          (after an error: str message)
//   FindKernel      u32 module | str mangled name              u32 kernel | i32 arch of its PTX | kernel info, see
//                                                              EncodeKernelInfo
//   FindVariable    u32 module | str name                      u64 address | u64 bytes | u8 MemoryKind
//   Allocate        u64 bytes                                  u64 address
//   AllocateShared  u64 bytes | u8 MemoryKind, not kDevice     u64 address
//   Share           u64 address                                a file descriptor goes with the reply (SCM_RIGHTS)
//   Free            u64 address                                -
//   FindAllocation  u64 address                                u8 found | u64 base | u64 bytes | u8 MemoryKind
//   MemoryInfo      -                                          u64 free | u64 total
//   Write           call | u64 to | data, 1..kMaxChunk         -
//   Read            call | u64 from | u32 bytes, 1..kMaxChunk  data
//   Copy            call | u64 to | u64 from | u64 bytes       -
//   Fill            call | u64 to | u64 bytes | u8 value       -
//   Run             call | u32 kernel | 3xu32 grid |           u64 nanoseconds | n x (u64 begin | u64 end | u8 written)
//                   3xu32 block | u32 dynamic shared bytes |   (given after an error too; Backend::host_visible)
//                   u8 flags (kCooperative, kMayWait) |        after cudaErrorNotReady: u64 launch | u8 it wrote
//                   parameter block
//   Continue        call | u64 launch | u8 alone               as Run
//   Synchronize     -                                          -
//   UseStream       u64 stream | u8 blocking | u8 waits        no reply. Of Write, Read, Copy, Fill, Run and
//                   (1: the host waits, 2: synchronous)        Synchronize from here on; for the judge's account
//                                                              (timeline.h) and the check of their order. It goes with
//                                                              the next request, in one piece: a turn of the two
//                                                              processes costs some 20 us
//   AnnounceRead    call | u64 from | u64 bytes                no reply, and goes as UseStream. The Reads that follow
//                                                              are of this range
//   Order           call | u8 OrderOp | u64 stream |           no reply, and goes as UseStream; see order_step.h
//                   u64 object
//   CallFailed      call | i32 cudaError_t | str why           no reply, and goes as UseStream
//
//   str: u32 length | bytes
//   call: u64 place of the host's call in the program (emulator::HostPlace), only for messages
//
// Bulk data goes through the socket in chunks of at most kMaxChunk. Every type has a largest payload
// (MaxRequestPayload), which is compared with the length before a byte of the payload is read. A request that is not
// understood is answered with cudaErrorUnknown, and then the server closes the connection.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "grader/emulator/device.h"

namespace warpgrade::cudart::wire {

inline constexpr uint32_t kRequestMagic = 0x31514757;  // "WGQ1"
inline constexpr uint32_t kReplyMagic = 0x31414757;    // "WGA1"
inline constexpr uint32_t kVersion = 9;
inline constexpr uint8_t kHostWaits = 1, kSynchronous = 2;  // of UseStream
inline constexpr uint8_t kCooperative = 1, kMayWait = 2;    // of Run
inline constexpr uint32_t kMaxChunk = 1 << 20;
inline constexpr uint32_t kMaxFatbin = 64 << 20;
inline constexpr uint32_t kMaxName = 64 << 10;
inline constexpr uint32_t kMaxModelId = 32;
inline constexpr uint32_t kMaxMessage = 4 << 10;  // longer messages are cut
inline constexpr uint32_t kMaxWhy = 1 << 10;      // as that
inline constexpr uint32_t kMaxParameters = 4096;  // of one kernel

enum class Type : uint16_t {
  kFacts = 1,
  kLoadModule,
  kFindKernel,
  kFindVariable,
  kAllocate,
  kFree,
  kFindAllocation,
  kMemoryInfo,
  kWrite,
  kRead,
  kCopy,
  kFill,
  kRun,
  kSynchronize,
  kAllocateShared,
  kShare,
  kUseStream,
  kAnnounceRead,
  kOrder,
  kContinue,
  kCallFailed,
  kLast = kCallFailed,
};

struct Header {
  uint32_t magic = 0;
  uint16_t type = 0;
  uint16_t zero = 0;
  uint32_t sequence = 0;
  uint32_t payload_bytes = 0;
};
static_assert(sizeof(Header) == 16 && std::is_trivially_copyable_v<Header>);

// The largest payload that a request or a reply of this type may have.
uint32_t MaxRequestPayload(Type type);
uint32_t MaxReplyPayload(Type type);

// True when the header has this magic, a known type, zero in its reserved field and a payload within its type's bound.
bool IsValidRequest(const Header& header);
bool IsValidReply(const Header& header, const Header& request);

// Appends values to a byte buffer.
class Writer {
 public:
  template <typename T>
  void Put(T value) {
    static_assert(std::is_arithmetic_v<T>);
    PutBytes(&value, sizeof value);
  }
  void PutBytes(const void* data, size_t bytes) {
    if (bytes == 0) return;
    const size_t start = buffer_.size();
    buffer_.resize(start + bytes);
    std::memcpy(buffer_.data() + start, data, bytes);
  }
  void PutString(std::string_view text) {
    Put(static_cast<uint32_t>(text.size()));
    PutBytes(text.data(), text.size());
  }
  std::vector<std::byte>& buffer() { return buffer_; }
  const std::vector<std::byte>& buffer() const { return buffer_; }

 private:
  std::vector<std::byte> buffer_;
};

// Takes values from a byte span. After the first value that is not there, everything reads as zero and ok() is false.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <typename T>
  T Get() {
    static_assert(std::is_arithmetic_v<T>);
    T value{};
    const std::span<const std::byte> bytes = GetBytes(sizeof value);
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  // Empty, and ok() false, when fewer than `bytes` are left.
  std::span<const std::byte> GetBytes(size_t bytes) {
    if (bytes > rest_.size()) {
      ok_ = false;
      rest_ = {};
      return {};
    }
    const std::span<const std::byte> taken = rest_.first(bytes);
    rest_ = rest_.subspan(bytes);
    return taken;
  }
  std::string_view GetString(uint32_t max_length) {
    const auto length = Get<uint32_t>();
    if (length > max_length) ok_ = false;
    const std::span<const std::byte> bytes = GetBytes(ok_ ? length : 0);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  std::span<const std::byte> GetRest() { return GetBytes(rest_.size()); }

  bool ok() const { return ok_; }
  // True when every value was there and nothing is left over.
  bool AtEnd() const { return ok_ && rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
  bool ok_ = true;
};

// str name | str demangled | u32 n | n x (u32 size, u32 offset) | u32 parameter bytes | u32 static shared |
// u32 local | u32 max threads per block | u32 registers
void EncodeKernelInfo(const emulator::KernelInfo& info, Writer& writer);
// False when the bytes are no kernel info, or one whose parameters lie outside their block.
bool DecodeKernelInfo(Reader& reader, emulator::KernelInfo* info);

}  // namespace warpgrade::cudart::wire
