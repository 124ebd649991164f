// What the judge and a worker say to each other over a SOCK_SEQPACKET socket: one message per packet, each a header and
// the fixed-size body of its verb, in the machine's own byte order (both ends run on one machine).
//
//    0        4        6       8            12         16         24
//    +--------+--------+-------+------------+----------+----------+--------------------+
//    | magic  |version | verb  | body_bytes | reserved |  nonce   | body ...           |
//    +--------+--------+-------+------------+----------+----------+--------------------+
//
//    judge                                        worker
//      |                                            |  static constructors, then main
//      |<---------------- Ready --------------------|  nonce 0
//      |---- Map {slot, where} -------------------->|
//      |<---------------- Done ---------------------|  nonce of the request, here and below
//      |---- Call {variant, sizes, slots} --------->|
//      |<---------------- Returned -----------------|  only when asked: host code is over, kernels may still run
//      |<---------------- Done ---------------------|  after a device-wide synchronise
//      |<---------------- Crashed ------------------|  nonce 0, at any time after Ready: the program's last words
//      |---- Nop ---------------------------------->|  everything a Call does but the student's work
//      |<---------------- Done ---------------------|
//      |---- Unmap {slot} ------------------------->|
//      |<---------------- Done ---------------------|
//      |---- Exit --------------------------------->|  no answer
//
// The worker holds student code, so the judge believes nothing in a message beyond what it costs the student. A nonce
// cannot be known before its request arrives, so an answer cannot be sent ahead of the question.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "grader/lab/call.h"

namespace warpgrade::protocol {

inline constexpr char kControlFdVariable[] = "WARPGRADE_CONTROL_FD";
inline constexpr uint32_t kMagic = 0x4B524F57;  // "WORK"
inline constexpr uint16_t kVersion = 4;
inline constexpr int kMaxCalls = 8;  // that are carried out as one
inline constexpr int kMaxSlots = kMaxCalls * kMaxBuffers;
inline constexpr int kNoSlot = -1;  // a buffer of 0 bytes: the student gets a null pointer
inline constexpr int kNameBytes = 64;
inline constexpr int kTextBytes = 512;

enum class Verb : uint16_t {
  // judge -> worker
  kMap = 1,
  kUnmap = 2,
  kCall = 3,
  kNop = 4,
  kExit = 5,
  // worker -> judge
  kReady = 100,
  kReturned = 101,
  kDone = 102,
  kCrashed = 103,
};

struct Header {
  uint32_t magic = kMagic;
  uint16_t version = kVersion;
  uint16_t verb = 0;
  uint32_t body_bytes = 0;
  uint32_t reserved = 0;
  uint64_t nonce = 0;
};
static_assert(sizeof(Header) == 24);

enum class MemoryKind : uint32_t {
  kAddress = 0,  // emulator: `address` is valid in the worker's runtime as it is
  kIpc = 1,      // GPU: `ipc` is a cudaIpcMemHandle_t; the buffer starts `offset` bytes into what it opens
  kHost = 2,     // host memory, either device: a file descriptor goes with the message (SCM_RIGHTS), to be mapped whole
  kLockedHost = 3,  // the same, page-locked by the worker: asynchronous copies from and to it are asynchronous
};

// How large the file behind a host buffer is: whole pages, of which at least one lies behind the buffer. The judge
// keeps its poison there, so that a write past the end is seen.
inline constexpr uint64_t kHostPage = 4096;
inline constexpr uint64_t HostMappingBytes(uint64_t bytes) {
  return (bytes + kHostPage - 1) / kHostPage * kHostPage + kHostPage;
}

struct Map {
  static constexpr Verb kVerb = Verb::kMap;
  int32_t slot = 0;  // 0 .. kMaxSlots-1, not mapped now
  MemoryKind kind = MemoryKind::kAddress;
  uint64_t address = 0;
  uint8_t ipc[64] = {};
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

struct Unmap {
  static constexpr Verb kVerb = Verb::kUnmap;
  int32_t slot = 0;
  int32_t reserved = 0;
};

// How a Call or Nop is carried out.
inline constexpr uint32_t kReportReturn = 1;   // send Returned when the host function is back
inline constexpr uint32_t kMeasureEvents = 2;  // time the call with CUDA events on the worker's stream
inline constexpr uint32_t kMoreToCome = 4;  // only keep the Call; the first without this flag carries out all in order
inline constexpr uint32_t kTellEvents = 8;  // only tell the event time of the last request that was to measure it

struct Call {
  static constexpr Verb kVerb = Verb::kCall;
  int32_t variant = 0;
  uint32_t flags = 0;
  int32_t buffer_count = 0;
  int32_t size_count = 0;
  int32_t slots[kMaxBuffers] = {};  // mapped slot or kNoSlot, in the order of LabCall::buffers
  uint64_t sizes[kMaxSizes] = {};
};

struct Nop {
  static constexpr Verb kVerb = Verb::kNop;
  uint32_t flags = 0;
  uint32_t busy_us = 0;  // with kMeasureEvents: how long the device is kept busy
};

struct Exit {
  static constexpr Verb kVerb = Verb::kExit;
  uint64_t reserved = 0;
};

// main() was reached and CUDA answered, or did not.
struct Ready {
  static constexpr Verb kVerb = Verb::kReady;
  int32_t runtime_version = 0;      // cudaRuntimeGetVersion
  int32_t cuda_code = 0;            // cudaSuccess, or why the device cannot be used
  char cuda_name[kNameBytes] = {};  // "cudaErrorNoDevice"; text is not assumed to be terminated
  char device_name[kTextBytes] = {};
};

struct Returned {
  static constexpr Verb kVerb = Verb::kReturned;
  uint64_t reserved = 0;
};

// The signal comes next. What is said here helps to find the line, and nothing else.
inline constexpr int kMaxCrashCode = 16;
inline constexpr uint64_t kNoAddress = ~uint64_t{0};  // garbage, of which the processor does not even say what it is
struct Crashed {
  static constexpr Verb kVerb = Verb::kCrashed;
  int32_t signal = 0;
  int32_t writes = 0;    // of a segmentation fault: whether it came of a write
  uint64_t address = 0;  // that was accessed, or kNoAddress
  int32_t code_count = 0;
  int32_t reserved = 0;
  // Places in the executable, as it was linked: of the instruction if it is there, then of what seems to have called
  // it, the nearest first.
  uint64_t code[kMaxCrashCode] = {};
};

enum class DoneStatus : uint32_t { kOk = 0, kNotWritten = 1, kException = 2, kCudaError = 3, kBadRequest = 4 };
enum class Where : uint32_t { kNowhere = 0, kMapping = 1, kLaunch = 2, kSynchronize = 3 };

struct Done {
  static constexpr Verb kVerb = Verb::kDone;
  DoneStatus status = DoneStatus::kOk;
  Where where = Where::kNowhere;  // of a CUDA error
  int32_t cuda_code = 0;          // cudaError_t
  int32_t reserved = 0;
  int64_t event_time_ns = -1;       // of a Nop with kTellEvents; -1: not measured
  char cuda_name[kNameBytes] = {};  // "cudaErrorIllegalAddress"
  char text[kTextBytes] = {};       // the CUDA error's sentence, or the exception's what()
};

inline constexpr uint32_t kMaxMessageBytes = 1024;

// A packet as it travels.
struct Message {
  Header header;
  unsigned char body[kMaxMessageBytes - sizeof(Header)] = {};

  Verb verb() const { return static_cast<Verb>(header.verb); }
  uint32_t bytes() const { return static_cast<uint32_t>(sizeof(Header)) + header.body_bytes; }
};
static_assert(sizeof(Message) == kMaxMessageBytes);

template <typename Body>
Message Encode(const Body& body, uint64_t nonce) {
  static_assert(std::is_trivially_copyable_v<Body> && sizeof(Body) <= sizeof(Message::body));
  Message message;
  message.header.verb = static_cast<uint16_t>(Body::kVerb);
  message.header.body_bytes = sizeof(Body);
  message.header.nonce = nonce;
  std::memcpy(message.body, &body, sizeof(Body));
  return message;
}

// What is wrong with a packet of `received` bytes read into `message`, or nullptr when its header can be trusted as far
// as its length goes.
inline const char* HeaderFault(const Message& message, uint64_t received) {
  if (received < sizeof(Header)) return "shorter than a message header";
  if (message.header.magic != kMagic) return "not a message of this protocol";
  if (message.header.version != kVersion) return "from another version of the kit";
  if (message.header.body_bytes != received - sizeof(Header)) return "not as long as its header says";
  return nullptr;
}

// False when `message` is not a Body of exactly its size. REQUIRES: HeaderFault gave nullptr.
template <typename Body>
bool Decode(const Message& message, Body* body) {
  if (message.verb() != Body::kVerb || message.header.body_bytes != sizeof(Body)) return false;
  std::memcpy(body, message.body, sizeof(Body));
  return true;
}

}  // namespace warpgrade::protocol
