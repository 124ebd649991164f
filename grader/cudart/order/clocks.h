// Vector clocks of a program's streams, events and host: which work comes before which, as CUDA defines it.
//
//   stream 1   a1 ---- a2 ---- record(e)            a2's moment: {stream 1, 2}
//   stream 2                     wait(e) ---- b1    b1's clock:  [2, 1]: so a1 and a2 come before b1
//   host       issues everything in this order, and waits for nothing
//
// All host threads count as one thread, in the order of their calls. A missing order between two host threads is
// therefore not found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "grader/cudart/order/order_step.h"

namespace warpgrade::cudart {

using Clock = std::vector<uint64_t>;  // by lane; what lies beyond its end is 0

// The place of a piece of work: the `time`-th in its lane. A stream has a lane of its own while it lives.
struct Moment {
  size_t lane = 0;
  uint64_t time = 0;

  bool IsBefore(const Clock& clock) const { return lane < clock.size() && clock[lane] >= time; }
};

class Clocks {
 public:
  static constexpr uint64_t kLegacy = 0;  // the default stream

  // With more streams or events than this, nothing is known any more: a hostile peer may invent numbers.
  static constexpr size_t kMostStreams = 256;
  static constexpr size_t kMostEvents = 4096;

  // Takes in a step. Those that are work or accesses (kTake and below) change nothing here.
  void Apply(const OrderStep& step);
  // A piece of work in `stream` begins. The clock says what it comes after.
  Moment Begin(uint64_t stream, Clock* clock);
  // The host waits for `stream`.
  void HostWaits(uint64_t stream);

  // True if the stream and the default stream wait for each other.
  bool IsBlocking(uint64_t stream) const;

  // What the host's next actions come after.
  const Clock& host() const { return host_; }
  // True if the host waited for it, so that everything from now on comes after it.
  bool IsPast(const Moment& moment) const { return moment.IsBefore(host_); }
  // False: there were too many streams or events, and no clock means anything any more.
  bool known() const { return known_; }
  void GiveUp() { known_ = false; }

 private:
  struct Lane {
    uint64_t stream = 0;
    bool live = true;
    bool blocking = true;
    uint64_t count = 0;  // of its work, also of streams that had the lane before
    Clock clock;
  };

  size_t LaneOf(uint64_t stream);
  size_t NewLane(uint64_t stream);
  // Lets the stream wait for what a piece of work in it would wait for.
  Clock& Enter(size_t lane);

  std::vector<Lane> lanes_;
  std::unordered_map<uint64_t, size_t> lane_of_;  // by live stream
  std::unordered_map<uint64_t, Clock> events_;    // those that were recorded
  Clock host_, barrier_;
  bool known_ = true;
};

}  // namespace warpgrade::cudart
