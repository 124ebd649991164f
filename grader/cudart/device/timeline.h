// Estimates when a program's copies and kernels would run on a GPU, given their streams: how much of the work overlaps,
// how many bytes are copied between host and device, how often the host waits. The work itself is done call by call; a
// Timeline only adds up times. The times are those of time_model.h.
//
//   engines    host to device  |##### a #####|##### b #####|                  each engine does one piece of work
//              kernels                       |# a #|       |# b #|            at a time, in the order of the calls
//              device to host                      |#### a ####|#### b ####|
//
// Work starts when the earlier work of its stream is done, its engine is free, and the host has launched it. The legacy
// stream and the blocking streams wait for each other. Waits for events are left out, so a program that orders its
// streams with events overlaps less than this says.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace warpgrade::cudart {

// The stream that a piece of work is in, and whether the host waits for it.
struct StreamUse {
  static constexpr uint64_t kLegacy = 0;
  static constexpr uint64_t kAll = ~uint64_t{0};  // of a wait: for all streams

  uint64_t stream = kLegacy;  // as cudaStreamGetId gives
  bool blocking = true;       // false: cudaStreamNonBlocking
  bool host_waits = false;    // a synchronous copy, or one from pageable memory
  bool synchronous = false;   // the call has no "Async" in its name

  bool operator==(const StreamUse&) const = default;
};

enum class Engine : uint8_t { kHostToDevice, kDeviceToHost, kDevice };

class Timeline {
 public:
  // A copy or fill of `bytes`, or a kernel (0 bytes).
  void Add(const StreamUse& use, Engine engine, uint64_t ns, uint64_t bytes);
  // The host waits for use.stream, or for all.
  void Wait(const StreamUse& use);

  // Metrics of metrics.def. "overlap" only where there was work.
  void AddMetrics(std::map<std::string, double>* metrics) const;

 private:
  struct Lane {
    uint64_t done_ns = 0;
    bool blocking = true;
  };
  static constexpr size_t kMostStreams = 4096;  // a peer may invent numbers; more streams count as the legacy one
  static constexpr int kEngines = 3;

  Lane& LaneOf(const StreamUse& use);
  uint64_t AllDone(bool only_blocking) const;

  std::map<uint64_t, Lane> lanes_;  // by stream
  uint64_t engine_done_ns_[kEngines] = {};
  uint64_t bytes_[kEngines] = {};
  uint64_t host_ns_ = 0;
  uint64_t work_ns_ = 0;  // of kernels and of copies between host and device, one after the other
  uint64_t end_ns_ = 0;   // of the last piece to end
  uint64_t waits_ = 0;    // since the last kernel was added
};

}  // namespace warpgrade::cudart
