// The calls of a program that order its streams and its host, as the runtime reports them to the device.
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
  kTake,             // cudaMallocAsync in `stream` returned the allocation at `object`
  kGiveBack,         // cudaFreeAsync in `stream` frees the allocation at `object`
  kHostGivesBack,    // the host frees the allocation at `object`, and the device does not wait
  kBranch,           // from here on, work in `stream` belongs to branch `object` of a graph; 0: to the stream itself
  kHostReads,        // the host reads byte `object`, which work in `stream` writes, and has not waited for this work
  kHostWrites,       // the host writes byte `object`, which work in `stream` uses, and has not waited for this work
  kReserve,          // the work `object` in `stream` has its place in the order here, and is done later
  kDo,               // from here on, the device does the work `object`; 0: work that has its place here
  kDone,             // the work `object` is done
  kAbandon,          // the suspended launch `object` is forgotten
  kLast = kAbandon,
};

// Branches of graphs, and the events between them, are numbered from here on. No stream or pointer has such a number.
inline constexpr uint64_t kFirstBranch = uint64_t{1} << 63;

// A ticket is the number of work that has its place in the order before it is done. The program's process counts
// tickets from 1 on. The device numbers suspended launches from here on.
inline constexpr uint64_t kFirstLaunchTicket = uint64_t{1} << 62;

struct OrderStep {
  OrderOp op = OrderOp::kHostWaitsAll;
  uint64_t stream = 0;  // as cudaStreamGetId gives
  uint64_t object = 0;
  uint64_t call = 0;  // the place of the host's call or access (emulator::HostPlace)

  bool operator==(const OrderStep&) const = default;
};

}  // namespace warpgrade::cudart
