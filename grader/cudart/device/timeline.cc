// Tested by tests/cudart/device/timeline_test.cc.
#include "grader/cudart/device/timeline.h"

#include <algorithm>

namespace warpgrade::cudart {

Timeline::Lane& Timeline::LaneOf(const StreamUse& use) {
  const bool known = lanes_.count(use.stream) != 0 || lanes_.size() < kMostStreams;
  Lane& lane = lanes_[known ? use.stream : StreamUse::kLegacy];
  lane.blocking = use.blocking;
  return lane;
}

uint64_t Timeline::AllDone(bool only_blocking) const {
  uint64_t done = 0;
  for (const auto& [stream, lane] : lanes_) {
    if (lane.blocking || !only_blocking) done = std::max(done, lane.done_ns);
  }
  return done;
}

void Timeline::Add(const StreamUse& use, Engine engine, uint64_t ns, uint64_t bytes) {
  Lane& lane = LaneOf(use);
  uint64_t& engine_done = engine_done_ns_[static_cast<int>(engine)];
  uint64_t begin = std::max({lane.done_ns, engine_done, host_ns_});
  if (use.stream == StreamUse::kLegacy) {
    begin = std::max(begin, AllDone(/*only_blocking=*/true));
  } else if (const auto legacy = lanes_.find(StreamUse::kLegacy); use.blocking && legacy != lanes_.end()) {
    begin = std::max(begin, legacy->second.done_ns);
  }
  const uint64_t end = begin + ns;
  lane.done_ns = engine_done = end;
  end_ns_ = std::max(end_ns_, end);
  const bool is_kernel = engine == Engine::kDevice && bytes == 0;
  // Copies within the device are not counted: no lab needs them.
  if (engine != Engine::kDevice || is_kernel) work_ns_ += ns;
  bytes_[static_cast<int>(engine)] += bytes;
  if (use.host_waits) host_ns_ = end;
  if (is_kernel) waits_ = 0;  // the earlier waits were for other work
}

void Timeline::Wait(const StreamUse& use) {
  ++waits_;
  const auto lane = lanes_.find(use.stream);
  if (use.stream == StreamUse::kAll) {
    host_ns_ = std::max(host_ns_, AllDone(/*only_blocking=*/false));
  } else if (use.stream == StreamUse::kLegacy) {
    host_ns_ = std::max(host_ns_, AllDone(/*only_blocking=*/true));
  } else if (lane != lanes_.end()) {
    host_ns_ = std::max(host_ns_, lane->second.done_ns);
  }
}

void Timeline::AddMetrics(std::map<std::string, double>* metrics) const {
  (*metrics)["host_to_device_bytes"] = static_cast<double>(bytes_[static_cast<int>(Engine::kHostToDevice)]);
  (*metrics)["device_to_host_bytes"] = static_cast<double>(bytes_[static_cast<int>(Engine::kDeviceToHost)]);
  (*metrics)["streams_used"] = static_cast<double>(lanes_.size());
  (*metrics)["host_waits"] = static_cast<double>(waits_);
  if (end_ns_ > 0) (*metrics)["overlap"] = static_cast<double>(work_ns_) / static_cast<double>(end_ns_);
}

}  // namespace warpgrade::cudart
