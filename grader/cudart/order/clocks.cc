// The rules are those of the CUDA programming guide's chapter on asynchronous execution and of the runtime API's
// "Stream synchronization behavior". Tested by tests/cudart/order/clocks_test.cc.
#include "grader/cudart/order/clocks.h"

#include <algorithm>

namespace warpgrade::cudart {
namespace {

void Join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (size_t lane = 0; lane < other.size(); ++lane) clock[lane] = std::max(clock[lane], other[lane]);
}

}  // namespace

size_t Clocks::NewLane(uint64_t stream) {
  // The lane of a stream that is gone goes on counting, so the moments of its past work stay in the past.
  size_t lane = 0;
  const auto is_free = [&](const Lane& l) { return !l.live && (l.count == 0 || IsPast({lane, l.count})); };
  while (lane < lanes_.size() && !is_free(lanes_[lane])) ++lane;
  if (lane == lanes_.size()) {
    if (lanes_.size() >= kMostStreams) {
      known_ = false;
      return 0;
    }
    lanes_.emplace_back();
  }
  lanes_[lane] = {stream, true, true, lanes_[lane].count, {}};
  return lane;
}

size_t Clocks::LaneOf(uint64_t stream) {
  const auto found = lane_of_.find(stream);
  if (found != lane_of_.end()) return found->second;
  const size_t lane = NewLane(stream);
  if (known_) lane_of_[stream] = lane;
  return lane;
}

Clock& Clocks::Enter(size_t lane) {
  Clock& clock = lanes_[lane].clock;
  Join(clock, host_);
  Join(clock, barrier_);
  const bool is_legacy = lanes_[lane].stream == kLegacy;
  if (!is_legacy && !lanes_[lane].blocking) return clock;
  for (const Lane& other : lanes_) {
    const bool waits = is_legacy ? other.blocking : other.stream == kLegacy;
    if (waits && &other != &lanes_[lane]) Join(clock, other.clock);
  }
  return clock;
}

Moment Clocks::Begin(uint64_t stream, Clock* clock) {
  const size_t lane = LaneOf(stream);
  if (!known_) return {};
  Clock& own = Enter(lane);
  if (own.size() <= lane) own.resize(lane + 1);
  own[lane] = ++lanes_[lane].count;
  *clock = own;
  return {lane, own[lane]};
}

bool Clocks::IsBlocking(uint64_t stream) const {
  const auto found = lane_of_.find(stream);
  return found == lane_of_.end() || lanes_[found->second].blocking;
}

void Clocks::HostWaits(uint64_t stream) {
  const size_t lane = LaneOf(stream);
  if (!known_) return;
  // A wait for the default stream is a wait for all that the default stream waits for.
  if (stream == kLegacy) Enter(lane);
  Join(host_, lanes_[lane].clock);
}

void Clocks::Apply(const OrderStep& step) {
  if (!known_) return;
  switch (step.op) {
    case OrderOp::kStreamMade:
      if (const size_t lane = LaneOf(step.stream); known_) lanes_[lane].blocking = step.object != 0;
      break;
    case OrderOp::kStreamGone:
      if (const auto found = lane_of_.find(step.stream); found != lane_of_.end()) {
        lanes_[found->second].live = false;
        lane_of_.erase(found);
      }
      break;
    case OrderOp::kRecord:
      if (events_.size() >= kMostEvents && !events_.contains(step.object)) known_ = false;
      if (const size_t lane = LaneOf(step.stream); known_) events_[step.object] = Enter(lane);
      break;
    case OrderOp::kWaitEvent:
      if (const auto event = events_.find(step.object); event != events_.end()) {
        if (const size_t lane = LaneOf(step.stream); known_) Join(lanes_[lane].clock, event->second);
      }
      break;
    case OrderOp::kEventGone:
      events_.erase(step.object);
      break;
    case OrderOp::kHostWaitsStream:
      HostWaits(step.stream);
      break;
    case OrderOp::kHostWaitsEvent:
      if (const auto event = events_.find(step.object); event != events_.end()) Join(host_, event->second);
      break;
    case OrderOp::kHostWaitsAll:
      for (const Lane& lane : lanes_) Join(host_, lane.clock);
      break;
    case OrderOp::kDeviceBarrier:
      for (const Lane& lane : lanes_) Join(barrier_, lane.clock);
      break;
    case OrderOp::kTake:
    case OrderOp::kGiveBack:
    case OrderOp::kHostGivesBack:
    case OrderOp::kBranch:
    case OrderOp::kHostReads:
    case OrderOp::kHostWrites:
    case OrderOp::kReserve:
    case OrderOp::kDo:
    case OrderOp::kDone:
    case OrderOp::kAbandon:
      break;
  }
}

}  // namespace warpgrade::cudart
