// Vector clocks of a program's streams, events and host: which work comes before which, as CUDA defines it.
//
//   stream 1   a1 ---- a2 ---- record(e)            a2's moment: {stream 1, 2}
//   stream 2                     wait(e) ---- b1    b1's clock:  [2, 1]: so a1 and a2 come before b1
//   host       issues everything in this order, and waits for nothing
//
// All host threads count as one thread, in the order of their calls. So a missing order between two host threads is not
// found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "grader/cudart/order/order_step.h"

namespace warpgrade::cudart {

using Clock = std::vector<uint64_t>;  // by lane; missing entries are 0

// The place of a piece of work: the `time`-th in its lane. A lane is an index of a clock (not a lane of a warp). A
// stream has its own lane while it lives.
struct Moment {
  size_t lane = 0;
  uint64_t time = 0;

  bool IsBefore(const Clock& clock) const { return lane < clock.size() && clock[lane] >= time; }
};

class Clocks {
 public:
  static constexpr uint64_t kLegacy = 0;  // the default stream

  // If there are more streams or events than this, the order is not known any more. A hostile program may invent
  // numbers of streams and events, so their memory must be bounded.
  static constexpr size_t kMostStreams = 256;
  static constexpr size_t kMostEvents = 4096;

  // Updates the clocks for a step. Steps that are work or accesses (kTake and the operations below it) change nothing
  // here.
  void Apply(const OrderStep& step);
  // A piece of work in `stream` begins. Returns its moment, and sets `clock`: the work that comes before it.
  Moment Begin(uint64_t stream, Clock* clock);
  // The host waits for `stream`.
  void HostWaits(uint64_t stream);

  // True if the stream and the default stream wait for each other.
  bool IsBlocking(uint64_t stream) const;

  // The work that comes before the host's next actions.
  const Clock& host() const { return host_; }
  // True if the host has waited for this work, so that everything from now on comes after it.
  bool IsPast(const Moment& moment) const { return moment.IsBefore(host_); }
  // False: there were too many streams or events, so the clocks are not valid any more.
  bool known() const { return known_; }
  void GiveUp() { known_ = false; }

 private:
  struct Lane {
    uint64_t stream = 0;
    bool live = true;
    bool blocking = true;
    uint64_t count = 0;  // of its work, including that of earlier streams in this lane
    Clock clock;
  };

  size_t LaneOf(uint64_t stream);
  size_t NewLane(uint64_t stream);
  // Adds to the clock of this lane everything that new work in its stream must wait for.
  Clock& Enter(size_t lane);

  std::vector<Lane> lanes_;
  std::unordered_map<uint64_t, size_t> lane_of_;  // by live stream
  std::unordered_map<uint64_t, Clock> events_;    // those that were recorded
  Clock host_, barrier_;
  bool known_ = true;
};

}  // namespace warpgrade::cudart
