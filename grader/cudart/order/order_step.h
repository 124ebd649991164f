// The calls of a program that order its streams and its host, as the runtime tells them to the device.
#pragma once

#include <cstdint>

namespace warpgrade::cudart {

enum class OrderOp : uint8_t {
  kStreamMade,  // `object`: 1 if it is blocking
  kStreamGone,
  kRecord,           // the event `object` is recorded in `stream`
  kWaitEvent,        // `stream` waits for the event `object`
  kEventGone,        // the event `object`
  kHostWaitsStream,  // what the host does from now on comes after the work in `stream`
  kHostWaitsEvent,   // ... after what the event `object` marks
  kHostWaitsAll,     // ... after all work
  kDeviceBarrier,    // all work from now on comes after all earlier work, and the host does not wait
  kTake,             // cudaMallocAsync in `stream` gave the allocation at `object`
  kGiveBack,         // cudaFreeAsync in `stream` frees the allocation at `object`
  kHostGivesBack,    // the host frees it, and the device does not wait
  kBranch,           // the work in `stream` from here on is of the branch `object` of a graph; 0: of the stream itself
  kHostReads,        // the host reads byte `object` of what work in `stream` writes, and has not waited
  kHostWrites,       // the host writes byte `object` of what work in `stream` uses, and has not waited
  kReserve,          // the work `object` in `stream` has its place in the order here, and is done later
  kDo,               // what is done from here on is part of the work `object`; 0: it has its place here
  kDone,             // the work `object` is done
  kAbandon,          // the launch `object`, which waits, is forgotten
  kLast = kAbandon,
};

// Branches of graphs and the events between them have numbers from here on, which no stream or pointer has.
inline constexpr uint64_t kFirstBranch = uint64_t{1} << 63;

// Numbers of work that has its place in the order before it is done (tickets). The program's side counts from 1 on, and
// the device numbers launches that wait from here on.
inline constexpr uint64_t kFirstLaunchTicket = uint64_t{1} << 62;

struct OrderStep {
  OrderOp op = OrderOp::kHostWaitsAll;
  uint64_t stream = 0;  // as cudaStreamGetId gives
  uint64_t object = 0;

  bool operator==(const OrderStep&) const = default;
};

}  // namespace warpgrade::cudart
