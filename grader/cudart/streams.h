// The program's streams. All work runs in the order of the calls, so a stream orders nothing. It is a handle that is
// checked, and a number. The device uses the number to estimate times (timeline.h), and to check that the program
// orders its work (order/stream_order.h).
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <map>

#include "grader/cudart/device_link.h"
#include "grader/cudart/handle_table.h"

namespace warpgrade::cudart {

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  uint64_t id = 0;
  std::map<int, cudaStreamAttrValue> attributes;  // by cudaStreamAttrID

  bool IsBlocking() const { return (flags & cudaStreamNonBlocking) == 0; }
};

// The default stream of a program that is compiled without --default-stream per-thread.
inline bool IsLegacyStream(cudaStream_t stream) { return stream == nullptr || stream == cudaStreamLegacy; }

// Thread-compatible: Runtime::mutex guards it.
class Streams {
 public:
  explicit Streams(DeviceLink& device) : device_(device) {}

  cudaStream_t Create(unsigned flags, int priority);
  // False if Create did not make this stream, or if it was destroyed already.
  bool Destroy(cudaStream_t stream);
  void Clear() { created_.Clear(); }
  // How many created streams are live.
  size_t created() const { return created_.size(); }

  // The stream is one of the three built-in ones, or a live created one.
  bool IsLive(cudaStream_t stream) const;
  // A live created stream; nullptr: a built-in one, or none at all.
  Stream* FindCreated(cudaStream_t stream) const { return created_.Find(stream); }

  // Tells the device that the following work is in `stream`. In a synchronous call the host waits for the work.
  void Use(cudaStream_t stream, bool synchronous = false) { device_.UseStream(UseOf(stream, synchronous)); }
  StreamUse UseOf(cudaStream_t stream, bool synchronous = false) const;
  // Tells the device of a call that orders `stream` (DeviceLink::Order).
  void Order(OrderOp op, cudaStream_t stream, uint64_t object = 0) { device_.Order(op, IdOf(stream), object); }
  // As cudaStreamGetId gives. REQUIRES: the stream is live.
  uint64_t IdOf(cudaStream_t stream) const;

 private:
  DeviceLink& device_;
  HandleTable<cudaStream_t, Stream> created_;
  uint64_t next_id_ = 3;  // 0, 1 and 2 are the built-in streams
};

}  // namespace warpgrade::cudart
