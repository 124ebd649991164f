// The program's events: marks on the device's clock (DeviceLink::clock_ns) and, while a stream is captured, marks in
// the graph that it is captured into.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "grader/cudart/graph.h"
#include "grader/cudart/handle_table.h"

namespace warpgrade::cudart {

struct Event {
  unsigned flags = 0;
  std::optional<uint64_t> recorded_ns;  // on the device's clock
  uint64_t record = 0;                  // the item of the queue that records it; 0: it was recorded at the call
  // If it was last recorded in a captured stream: the capture, and the nodes on which a stream that waits for it
  // depends.
  std::shared_ptr<Capture> capture;
  std::vector<GraphNode*> heads;

  bool IsTimed() const { return recorded_ns && (flags & cudaEventDisableTiming) == 0; }
};

// The event's name in steps of order (order_step.h).
inline uint64_t NumberOf(const Event& event) { return reinterpret_cast<uint64_t>(&event); }

// Thread-compatible: Runtime::mutex guards it.
using Events = HandleTable<cudaEvent_t, Event>;

}  // namespace warpgrade::cudart
