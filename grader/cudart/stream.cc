// Streams: handles that are checked; all work runs in the order of the calls (runtime.h).
#include "grader/cudart/api.h"
#include "grader/cudart/runtime.h"

namespace {

using warpgrade::cudart::Call;
using warpgrade::cudart::Runtime;
using warpgrade::cudart::Stream;

constexpr int kGreatestPriority = -5;  // lower numbers go first
constexpr int kLeastPriority = 0;

cudaError_t Create(Runtime& runtime, cudaStream_t* stream, unsigned flags, int priority) {
  if (stream == nullptr || (flags & ~unsigned{cudaStreamNonBlocking}) != 0) return cudaErrorInvalidValue;
  auto made = std::make_unique<Stream>();
  made->flags = flags;
  made->priority = std::min(std::max(priority, kGreatestPriority), kLeastPriority);
  made->id = runtime.next_stream_id++;
  *stream = reinterpret_cast<cudaStream_t>(made.get());
  runtime.streams.emplace(*stream, std::move(made));
  return cudaSuccess;
}

// What Stream says of a live stream; the built-in ones are plain and numbered by their handles.
template <typename Value>
cudaError_t Ask(const char* api, cudaStream_t stream, Value* answer, Value (*question)(const Stream&)) {
  return Call(api, [&](Runtime& runtime) {
    if (answer == nullptr) return cudaErrorInvalidValue;
    if (!runtime.IsStream(stream)) return cudaErrorInvalidResourceHandle;
    const auto found = runtime.streams.find(stream);
    const Stream built_in{0, 0, reinterpret_cast<uint64_t>(stream)};
    *answer = question(found == runtime.streams.end() ? built_in : *found->second);
    return cudaSuccess;
  });
}

cudaError_t CheckLive(const char* api, cudaStream_t stream) {
  return Call(api, [&](Runtime& runtime) {
    if (!runtime.IsStream(stream)) return cudaErrorInvalidResourceHandle;
    return runtime.backend().Synchronize();
  });
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
    return runtime.streams.erase(stream) == 1 ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return CheckLive(__func__, stream); }

cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return CheckLive(__func__, stream); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return Call(__func__, [&](Runtime& runtime) {
    if (flags != cudaEventWaitDefault && flags != cudaEventWaitExternal) return cudaErrorInvalidValue;
    const bool live = runtime.IsStream(stream) && runtime.FindEvent(event) != nullptr;
    return live ? cudaSuccess : cudaErrorInvalidResourceHandle;
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

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return Ask<cudaStreamCaptureStatus>(__func__, stream, status,
                                      [](const Stream&) { return cudaStreamCaptureStatusNone; });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return Call(__func__, [&](Runtime&) {
    if (least != nullptr) *least = kLeastPriority;
    if (greatest != nullptr) *greatest = kGreatestPriority;
    return cudaSuccess;
  });
}

}  // extern "C"
