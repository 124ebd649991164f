// cudaMemcpy*, cudaMemset* and the copies to and from symbols. The copies themselves are in transfer.h; this file
// decides the stream that each is in. Tested by tests/cudart/programs_test.cc (programs/memory.cu, symbols.cu,
// async_copies.cu).
#include <fmt/format.h>

#include "grader/cudart/api/api.h"
#include "grader/cudart/device_link.h"
#include "grader/cudart/modules.h"
#include "grader/cudart/stream_work.h"
#include "grader/cudart/transfer.h"

namespace {

using warpgrade::cudart::Call;
using warpgrade::cudart::CheckSet;
using warpgrade::cudart::CheckTransfer;
using warpgrade::cudart::DeviceWork;
using warpgrade::cudart::DoNow;
using warpgrade::cudart::DoOnDevice;
using warpgrade::cudart::Enqueue;
using warpgrade::cudart::HostVisibleBytes;
using warpgrade::cudart::HostVisibleOf;
using warpgrade::cudart::IsPageable;
using warpgrade::cudart::KeepSource;
using warpgrade::cudart::Runtime;
using warpgrade::cudart::Set;
using warpgrade::cudart::Shape;
using warpgrade::cudart::Submit;
using warpgrade::cudart::Transfer;
using warpgrade::cudart::Variable;
using warpgrade::cudart::WorkQueue;

// A larger copy from pageable memory is not delayed, since a delay keeps what its source holds.
constexpr size_t kMostKept = size_t{64} << 10;

// The address of byte `offset` of a symbol. The `count` bytes from there must lie inside the symbol.
cudaError_t InSymbol(Runtime& runtime, const void* symbol, size_t count, size_t offset, void** address) {
  Variable* variable = runtime.modules.FindVariable(symbol);
  if (variable == nullptr) {
    return runtime.errors.Explain(cudaErrorInvalidSymbol, "this is not a __device__ or __constant__ variable");
  }
  const cudaError_t error = runtime.modules.Prepare(*variable);
  if (error != cudaSuccess) return error;
  if (offset > variable->place->bytes || count > variable->place->bytes - offset) {
    return runtime.errors.Explain(cudaErrorInvalidValue,
                                  fmt::format("{} bytes at offset {} do not fit into {}, which has {}", count, offset,
                                              variable->name, variable->place->bytes));
  }
  *address = reinterpret_cast<void*>(variable->place->base + offset);
  return cudaSuccess;
}

cudaError_t ToSymbol(Runtime& runtime, const void* symbol, const void* from, size_t count, size_t offset,
                     cudaMemcpyKind kind) {
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) {
    return cudaErrorInvalidMemcpyDirection;
  }
  void* to = nullptr;
  const cudaError_t error = InSymbol(runtime, symbol, count, offset, &to);
  return error != cudaSuccess ? error : Transfer(runtime, to, count, from, count, {count}, kind);
}

// An asynchronous copy. Behind work that is not done it is queued, with what a pageable source holds now.
cudaError_t EnqueueCopy(const char* api, void* to, size_t to_pitch, const void* from, size_t from_pitch, Shape shape,
                        cudaMemcpyKind kind, cudaStream_t stream, const void* caller = __builtin_return_address(0)) {
  const auto body = [&](Runtime& runtime) {
    const auto make = [=](const void* source) -> DeviceWork {
      return [=](Runtime& r) { return Transfer(r, to, to_pitch, source, from_pitch, shape, kind); };
    };
    bool delays = runtime.queue.MayDelay(runtime);
    if (delays) {
      const cudaError_t error = CheckTransfer(runtime, to, to_pitch, from, from_pitch, shape, kind);
      if (error != cudaSuccess) return error;
    }
    if (delays && IsPageable(runtime, to)) {
      delays = false;
    } else if (delays && IsPageable(runtime, from) && shape.width * shape.height > kMostKept) {
      delays = false;
      runtime.queue.Progress(runtime);
    }
    const bool is_queued = delays || (!runtime.queue.empty() && runtime.streams.IsLive(stream) &&
                                      runtime.queue.IsBehind(runtime.streams.UseOf(stream)));
    const bool keeps = is_queued && runtime.captures.Of(stream) == nullptr;
    DeviceWork work = keeps ? KeepSource(runtime, from, from_pitch, shape, make) : make(from);
    if (!delays) {
      return Submit(runtime, stream, cudaGraphNodeTypeMemcpy, std::move(work), {to});
    }
    return Submit(runtime, stream, cudaGraphNodeTypeMemcpy, std::move(work), {}, WorkQueue::When::kSoon,
                  HostVisibleOf(runtime, to, from, shape));
  };
  return Call(api, body, caller);
}

// An asynchronous set of memory.
cudaError_t EnqueueSet(const char* api, void* to, size_t pitch, int value, Shape shape, cudaStream_t stream,
                       const void* caller = __builtin_return_address(0)) {
  const auto body = [&](Runtime& runtime) {
    const bool delays = runtime.queue.MayDelay(runtime);
    const cudaError_t error = delays ? CheckSet(runtime, to, pitch, shape) : cudaSuccess;
    if (error != cudaSuccess) return error;
    return Submit(
        runtime, stream, cudaGraphNodeTypeMemset, [=](Runtime& r) { return Set(r, to, pitch, value, shape); }, {},
        delays ? WorkQueue::When::kSoon : WorkQueue::When::kAtTheCall,
        delays ? HostVisibleOf(runtime, to, nullptr, shape) : std::vector<HostVisibleBytes>());
  };
  return Call(api, body, caller);
}

cudaError_t FromSymbol(Runtime& runtime, void* to, const void* symbol, size_t count, size_t offset,
                       cudaMemcpyKind kind) {
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) {
    return cudaErrorInvalidMemcpyDirection;
  }
  void* from = nullptr;
  const cudaError_t error = InSymbol(runtime, symbol, count, offset, &from);
  return error != cudaSuccess ? error : Transfer(runtime, to, count, from, count, {count}, kind);
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t count, cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDeviceToDevice) {
    return DoOnDevice(__func__, {to, from},
                      [=](Runtime& runtime) { return Transfer(runtime, to, count, from, count, {count}, kind); });
  }
  return DoNow(__func__, [&](Runtime& runtime) { return Transfer(runtime, to, count, from, count, {count}, kind); });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  return EnqueueCopy(__func__, to, count, from, count, {count}, kind, stream);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
  return DoNow(__func__, [&](Runtime& runtime) {
    return Transfer(runtime, to, to_pitch, from, from_pitch, {width, height}, kind);
  });
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return EnqueueCopy(__func__, to, to_pitch, from, from_pitch, {width, height}, kind, stream);
}

cudaError_t cudaMemset(void* to, int value, size_t count) {
  return DoOnDevice(__func__, {to}, [=](Runtime& runtime) { return Set(runtime, to, count, value, {count}); });
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t count, cudaStream_t stream) {
  return EnqueueSet(__func__, to, count, value, {count}, stream);
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  return DoOnDevice(__func__, {to}, [=](Runtime& runtime) { return Set(runtime, to, pitch, value, {width, height}); });
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return EnqueueSet(__func__, to, pitch, value, {width, height}, stream);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t count, size_t offset, cudaMemcpyKind kind) {
  return DoNow(__func__, [&](Runtime& runtime) { return ToSymbol(runtime, symbol, from, count, offset, kind); });
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t count, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return Enqueue(__func__, stream, cudaGraphNodeTypeMemcpy,
                 [=](Runtime& runtime) { return ToSymbol(runtime, symbol, from, count, offset, kind); }, {from});
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind) {
  return DoNow(__func__, [&](Runtime& runtime) { return FromSymbol(runtime, to, symbol, count, offset, kind); });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return Enqueue(__func__, stream, cudaGraphNodeTypeMemcpy,
                 [=](Runtime& runtime) { return FromSymbol(runtime, to, symbol, count, offset, kind); }, {to});
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return Call(__func__, [&](Runtime& runtime) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    return InSymbol(runtime, symbol, 0, 0, pointer);
  });
}

cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return Call(__func__, [&](Runtime& runtime) {
    void* address = nullptr;
    if (size == nullptr) return cudaErrorInvalidValue;
    const cudaError_t error = InSymbol(runtime, symbol, 0, 0, &address);
    if (error == cudaSuccess) *size = runtime.modules.FindVariable(symbol)->place->bytes;
    return error;
  });
}

}  // extern "C"
