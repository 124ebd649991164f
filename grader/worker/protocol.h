// The messages between the judge and a worker. They travel over a SOCK_SEQPACKET socket, one message per packet. Each
// is a header and the fixed-size body of its verb, in the machine's own byte order (both ends run on one machine).
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
//      |<---------------- Crashed ------------------|  nonce 0, at any time after Ready: the program is about to die
//      |---- Nop ---------------------------------->|  everything that a Call does, without the student's work
//      |<---------------- Done ---------------------|
//      |---- Unmap {slot} ------------------------->|
//      |<---------------- Done ---------------------|
//      |---- Exit --------------------------------->|  no answer
//
// The worker holds student code, so the judge believes only what is to the student's disadvantage. A nonce cannot be
// known before its request arrives, so an answer cannot be sent ahead of the request.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "grader/lab/call.h"

namespace warpgrade::protocol {

inline constexpr char kControlFdVariable[] = "WARPGRADE_CONTROL_FD";
inline constexpr uint32_t kMagic = 0x4B524F57;  // "WORK"
inline constexpr uint16_t kVersion = 5;
inline constexpr int kMaxCalls = 32;  // calls that can be carried out as one
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

// The size of the file behind a host buffer: whole pages, at least one of which lies behind the buffer. The judge fills
// it with poison, so that it sees a write past the end.
inline constexpr uint64_t kHostPage = 4096;
inline constexpr uint64_t HostMappingBytes(uint64_t bytes) {
  return (bytes + kHostPage - 1) / kHostPage * kHostPage + kHostPage;
}

// Gives the worker a buffer, under the number `slot`.
struct Map {
  static constexpr Verb kVerb = Verb::kMap;
  int32_t slot = 0;  // 0 .. kMaxSlots-1, not mapped now
  MemoryKind kind = MemoryKind::kAddress;
  uint64_t address = 0;
  uint8_t ipc[64] = {};
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

// Takes a buffer away.
struct Unmap {
  static constexpr Verb kVerb = Verb::kUnmap;
  int32_t slot = 0;
  int32_t reserved = 0;
};

// How a Call or Nop is carried out.
inline constexpr uint32_t kReportReturn = 1;   // send Returned when the host function is back
inline constexpr uint32_t kMeasureEvents = 2;  // time the call with CUDA events on the worker's stream
inline constexpr uint32_t kMoreToCome = 4;  // only keep the Call; the next without this flag runs all of them in order
inline constexpr uint32_t kTellEvents = 8;  // of a Nop: only tell the event time of the last request that measured it

// Calls the student's function once.
struct Call {
  static constexpr Verb kVerb = Verb::kCall;
  int32_t variant = 0;
  uint32_t flags = 0;
  int32_t buffer_count = 0;
  int32_t size_count = 0;
  int32_t slots[kMaxBuffers] = {};  // mapped slot or kNoSlot, in the order of LabCall::buffers
  uint64_t sizes[kMaxSizes] = {};
};

// An empty call.
struct Nop {
  static constexpr Verb kVerb = Verb::kNop;
  uint32_t flags = 0;
  uint32_t busy_us = 0;  // with kMeasureEvents: how long the empty kernel keeps the device busy
};

// Ends the worker.
struct Exit {
  static constexpr Verb kVerb = Verb::kExit;
  uint64_t reserved = 0;
};

// main() was reached; says whether CUDA started.
struct Ready {
  static constexpr Verb kVerb = Verb::kReady;
  int32_t runtime_version = 0;      // cudaRuntimeGetVersion
  int32_t cuda_code = 0;            // cudaSuccess, or why the device cannot be used
  uint64_t stream = 0;              // cudaStreamGetId of the stream that every call gets
  char cuda_name[kNameBytes] = {};  // "cudaErrorNoDevice"; text is not assumed to be terminated
  char device_name[kTextBytes] = {};
};

// The student's host function has returned.
struct Returned {
  static constexpr Verb kVerb = Verb::kReturned;
  uint64_t reserved = 0;
};

// A signal is about to end the worker. The content only helps to find the line in the student's code.
inline constexpr int kMaxCrashCode = 16;
inline constexpr uint64_t kNoAddress = ~uint64_t{0};  // the processor does not tell the address (it was not canonical)
struct Crashed {
  static constexpr Verb kVerb = Verb::kCrashed;
  int32_t signal = 0;
  int32_t writes = 0;    // of a segmentation fault: 1 when it was a write
  uint64_t address = 0;  // the address that was accessed, or kNoAddress
  int32_t code_count = 0;
  int32_t reserved = 0;
  // Addresses in the executable, as it was linked: the instruction's, if it lies there, then those of its probable
  // callers, the nearest first.
  uint64_t code[kMaxCrashCode] = {};
};

enum class DoneStatus : uint32_t { kOk = 0, kNotWritten = 1, kException = 2, kCudaError = 3, kBadRequest = 4 };
enum class Where : uint32_t { kNowhere = 0, kMapping = 1, kLaunch = 2, kSynchronize = 3 };

// The answer to a request.
struct Done {
  static constexpr Verb kVerb = Verb::kDone;
  DoneStatus status = DoneStatus::kOk;
  Where where = Where::kNowhere;  // of a CUDA error
  int32_t cuda_code = 0;          // cudaError_t; beside an exception, what its kernels did to the device
  int32_t reserved = 0;
  int64_t event_time_ns = -1;       // of a Nop with kTellEvents; -1: not measured
  char cuda_name[kNameBytes] = {};  // "cudaErrorIllegalAddress"
  char text[kTextBytes] = {};       // the CUDA error's sentence, or the exception's what()
};

inline constexpr uint32_t kMaxMessageBytes = 1024;

// One packet.
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

// Checks the header of a packet of `received` bytes read into `message`. Returns what is wrong with it, or nullptr when
// it is of this protocol and as long as it says.
inline const char* HeaderFault(const Message& message, uint64_t received) {
  if (received < sizeof(Header)) return "shorter than a message header";
  if (message.header.magic != kMagic) return "not a message of this protocol";
  if (message.header.version != kVersion) return "from another version of the kit";
  if (message.header.body_bytes != received - sizeof(Header)) return "not as long as its header says";
  return nullptr;
}

// Reads the body of a message. False when `message` has another verb or size. REQUIRES: HeaderFault gave nullptr.
template <typename Body>
bool Decode(const Message& message, Body* body) {
  if (message.verb() != Body::kVerb || message.header.body_bytes != sizeof(Body)) return false;
  std::memcpy(body, message.body, sizeof(Body));
  return true;
}

}  // namespace warpgrade::protocol
