// Events are marks on the device's clock. Each launch and copy advances that clock by the time of time_model.h, so
// elapsed times are the same on every machine. They say which of two kernels does less work, not how fast a GPU is.
// Tested by tests/cudart/programs_test.cc (programs/streams.cu, stream_queries.cu).
#include "grader/cudart/api/api.h"
#include "grader/cudart/call.h"
#include "grader/cudart/captures.h"
#include "grader/cudart/device_link.h"
#include "grader/cudart/events.h"
#include "grader/cudart/streams.h"
#include "grader/cudart/work_queue.h"

namespace {

using warpgrade::cudart::Call;
using warpgrade::cudart::Event;
using warpgrade::cudart::NumberOf;
using warpgrade::cudart::OrderOp;
using warpgrade::cudart::Runtime;
using warpgrade::cudart::StreamUse;

cudaError_t Create(Runtime& runtime, cudaEvent_t* event, unsigned flags) {
  constexpr unsigned kKnown = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (event == nullptr || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
  const bool interprocess = (flags & cudaEventInterprocess) != 0;
  if (interprocess && (flags & cudaEventDisableTiming) == 0) return cudaErrorInvalidValue;
  auto made = std::make_unique<Event>();
  made->flags = flags;
  *event = runtime.events.Add(std::move(made));
  return cudaSuccess;
}

cudaError_t Record(Runtime& runtime, cudaEvent_t event, cudaStream_t stream) {
  Event* found = runtime.events.Find(event);
  if (found == nullptr || !runtime.streams.IsLive(stream)) return cudaErrorInvalidResourceHandle;
  found->capture = runtime.captures.Of(stream);
  if (found->capture != nullptr) {
    found->heads = found->capture->heads.at(stream);
    found->recorded_ns.reset();
    return cudaSuccess;
  }
  const cudaError_t error = runtime.captures.CheckImplicit(stream);
  if (error != cudaSuccess) return error;
  found->recorded_ns = runtime.device.clock_ns();
  found->record = 0;
  runtime.streams.Order(OrderOp::kRecord, stream, NumberOf(*found));
  if (runtime.queue.empty()) return cudaSuccess;
  const StreamUse use = runtime.streams.UseOf(stream);
  if (runtime.queue.IsBehind(use)) found->record = runtime.queue.AddRecord(runtime, use, event);
  return cudaSuccess;
}

// An event that was never recorded counts as done.
cudaError_t CheckDone(const char* api, cudaEvent_t event, bool waits,
                      const void* caller = __builtin_return_address(0)) {
  const auto body = [&](Runtime& runtime) {
    const Event* found = runtime.events.Find(event);
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    if (found->capture != nullptr) return cudaErrorCapturedEvent;
    const uint64_t record = found->record;
    if (!waits) runtime.queue.Progress(runtime);
    if (!waits && runtime.queue.IsLeft(record)) return cudaErrorNotReady;
    const cudaError_t error = runtime.queue.WaitForItem(runtime, record);
    if (error != cudaSuccess) return error;
    runtime.device.Order(OrderOp::kHostWaitsEvent, 0, NumberOf(*found));
    runtime.device.backend().UseStream({.stream = StreamUse::kAll});
    return runtime.device.backend().Synchronize();
  };
  return Call(api, body, caller);
}

}  // namespace

extern "C" {

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return Call(__func__, [&](Runtime& runtime) { return Create(runtime, event, cudaEventDefault); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return Call(__func__, [&](Runtime& runtime) { return Create(runtime, event, flags); });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return Call(__func__, [&](Runtime& runtime) {
    const Event* found = runtime.events.Find(event);
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    runtime.device.Order(OrderOp::kEventGone, 0, NumberOf(*found));
    runtime.events.Remove(event);
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return Call(__func__, [&](Runtime& runtime) { return Record(runtime, event, stream); });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return Call(__func__, [&](Runtime& runtime) {
    if (flags != cudaEventRecordDefault && flags != cudaEventRecordExternal) return cudaErrorInvalidValue;
    return Record(runtime, event, stream);
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return CheckDone(__func__, event, /*waits=*/false); }

cudaError_t cudaEventSynchronize(cudaEvent_t event) { return CheckDone(__func__, event, /*waits=*/true); }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return Call(__func__, [&](Runtime& runtime) {
    if (milliseconds == nullptr) return cudaErrorInvalidValue;
    const Event* first = runtime.events.Find(start);
    const Event* last = runtime.events.Find(end);
    const bool live = first != nullptr && last != nullptr;
    if (live && (first->capture || last->capture)) return cudaErrorCapturedEvent;
    if (!live || !first->IsTimed() || !last->IsTimed()) return cudaErrorInvalidResourceHandle;
    if (runtime.queue.IsLeft(first->record) || runtime.queue.IsLeft(last->record)) return cudaErrorNotReady;
    *milliseconds = static_cast<float>((double(*last->recorded_ns) - double(*first->recorded_ns)) / 1e6);
    return cudaSuccess;
  });
}

}  // extern "C"
