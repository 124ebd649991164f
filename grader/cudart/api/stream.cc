// Streams: creating them, asking about them, waiting for them, and making them wait for events. Work in them runs at
// once (runtime.h), so most functions only check handles. Tested by tests/cudart/programs_test.cc
// (programs/streams.cu).
#include <algorithm>

#include "grader/cudart/api/api.h"
#include "grader/cudart/call.h"
#include "grader/cudart/captures.h"
#include "grader/cudart/device_link.h"
#include "grader/cudart/events.h"
#include "grader/cudart/streams.h"
#include "grader/cudart/work_queue.h"

namespace {

using warpgrade::cudart::Call;
using warpgrade::cudart::Capture;
using warpgrade::cudart::Event;
using warpgrade::cudart::GraphNode;
using warpgrade::cudart::NumberOf;
using warpgrade::cudart::OrderOp;
using warpgrade::cudart::Runtime;
using warpgrade::cudart::Stream;
using warpgrade::cudart::StreamUse;

constexpr int kGreatestPriority = -5;  // lower numbers have a higher priority
constexpr int kLeastPriority = 0;

cudaError_t Create(Runtime& runtime, cudaStream_t* stream, unsigned flags, int priority) {
  if (stream == nullptr || (flags & ~unsigned{cudaStreamNonBlocking}) != 0) return cudaErrorInvalidValue;
  *stream = runtime.streams.Create(flags, std::clamp(priority, kGreatestPriority, kLeastPriority));
  return cudaSuccess;
}

// Answers a question about a live stream. The built-in ones have no flags and no priority, and their handles are their
// ids.
template <typename Value>
cudaError_t Ask(const char* api, cudaStream_t stream, Value* answer, Value (*question)(const Stream&),
                const void* caller = __builtin_return_address(0)) {
  const auto body = [&](Runtime& runtime) {
    if (answer == nullptr) return cudaErrorInvalidValue;
    if (!runtime.streams.IsLive(stream)) return cudaErrorInvalidResourceHandle;
    const Stream* created = runtime.streams.FindCreated(stream);
    const Stream built_in{0, 0, reinterpret_cast<uint64_t>(stream), {}};
    *answer = question(created == nullptr ? built_in : *created);
    return cudaSuccess;
  };
  return Call(api, body, caller);
}

// `waits`: until the stream's work is done. Else cudaErrorNotReady says that it is not.
cudaError_t CheckDone(const char* api, cudaStream_t stream, bool waits,
                      const void* caller = __builtin_return_address(0)) {
  const auto body = [&](Runtime& runtime) {
    if (!runtime.streams.IsLive(stream)) return cudaErrorInvalidResourceHandle;
    cudaError_t error = runtime.captures.CheckWait(stream);
    if (error != cudaSuccess) return error;
    const StreamUse use = runtime.streams.UseOf(stream);
    if (!waits) runtime.queue.Progress(runtime);
    if (!waits && runtime.queue.HasWorkOf(use)) return cudaErrorNotReady;
    error = runtime.queue.WaitFor(runtime, use);
    if (error != cudaSuccess) return error;
    runtime.streams.Use(stream);
    runtime.streams.Order(OrderOp::kHostWaitsStream, stream);
    return runtime.device.backend().Synchronize();
  };
  return Call(api, body, caller);
}

// In a capture an event carries dependencies: the waiting stream takes part in the capture that the event belongs to.
cudaError_t Depend(Runtime& runtime, cudaStream_t stream, const Event& event) {
  const std::shared_ptr<Capture> own = runtime.captures.Of(stream);
  if (event.capture == nullptr) {
    if (own == nullptr) runtime.streams.Order(OrderOp::kWaitEvent, stream, NumberOf(event));
    if (own == nullptr && runtime.queue.IsLeft(event.record)) {
      runtime.queue.Add(runtime, runtime.streams.UseOf(stream), nullptr, event.record);
    }
    if (own == nullptr || !event.recorded_ns) return cudaSuccess;
    own->invalidated = true;
    return cudaErrorStreamCaptureIsolation;
  }
  if (!runtime.captures.IsRunning(event.capture)) return cudaErrorCapturedEvent;
  if (own != nullptr && own != event.capture) {
    own->invalidated = event.capture->invalidated = true;
    return cudaErrorStreamCaptureMerge;
  }
  std::vector<GraphNode*>& heads = event.capture->heads[stream];
  for (GraphNode* head : event.heads) {
    if (std::find(heads.begin(), heads.end(), head) == heads.end()) heads.push_back(head);
  }
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return Call(__func__, [&](Runtime& runtime) { return Create(runtime, stream, cudaStreamDefault, 0); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return Call(__func__, [&](Runtime& runtime) { return Create(runtime, stream, flags, 0); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return Call(__func__, [&](Runtime& runtime) { return Create(runtime, stream, flags, priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return Call(__func__, [&](Runtime& runtime) {
    return runtime.streams.Destroy(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return CheckDone(__func__, stream, /*waits=*/false); }

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return CheckDone(__func__, stream, /*waits=*/true); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return Call(__func__, [&](Runtime& runtime) {
    if (flags != cudaEventWaitDefault && flags != cudaEventWaitExternal) return cudaErrorInvalidValue;
    const Event* found = runtime.events.Find(event);
    if (!runtime.streams.IsLive(stream) || found == nullptr) return cudaErrorInvalidResourceHandle;
    return Depend(runtime, stream, *found);
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return Ask<unsigned>(__func__, stream, flags, [](const Stream& s) { return s.flags; });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return Ask<int>(__func__, stream, priority, [](const Stream& s) { return s.priority; });
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return Ask<unsigned long long>(__func__, stream, id, [](const Stream& s) { return (unsigned long long){s.id}; });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return Ask<int>(__func__, stream, device, [](const Stream&) { return 0; });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return Call(__func__, [&](Runtime& runtime) {
    if (!runtime.streams.IsLive(to) || !runtime.streams.IsLive(from)) return cudaErrorInvalidResourceHandle;
    const Stream* source = runtime.streams.FindCreated(from);
    Stream* target = runtime.streams.FindCreated(to);
    if (source == nullptr || target == nullptr) return cudaSuccess;
    target->attributes = source->attributes;
    return cudaSuccess;
  });
}

// Attributes only affect speed on a GPU. They are kept for later queries.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID id, const cudaStreamAttrValue* value) {
  return Call(__func__, [&](Runtime& runtime) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (!runtime.streams.IsLive(stream)) return cudaErrorInvalidResourceHandle;
    if (Stream* created = runtime.streams.FindCreated(stream)) created->attributes[id] = *value;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID id, cudaStreamAttrValue* value) {
  return Call(__func__, [&](Runtime& runtime) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (!runtime.streams.IsLive(stream)) return cudaErrorInvalidResourceHandle;
    *value = {};
    if (Stream* created = runtime.streams.FindCreated(stream)) *value = created->attributes[id];
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return Call(__func__, [&](Runtime&) {
    if (least != nullptr) *least = kLeastPriority;
    if (greatest != nullptr) *greatest = kGreatestPriority;
    return cudaSuccess;
  });
}

}  // extern "C"
