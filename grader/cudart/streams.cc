#include "grader/cudart/streams.h"

#include <atomic>
#include <memory>
#include <utility>

namespace warpgrade::cudart {

cudaStream_t Streams::Create(unsigned flags, int priority) {
  auto stream = std::make_unique<Stream>();
  stream->flags = flags;
  stream->priority = priority;
  stream->id = next_id_++;
  const Stream& made = *stream;
  const cudaStream_t handle = created_.Add(std::move(stream));
  Order(OrderOp::kStreamMade, handle, made.IsBlocking() ? 1 : 0);
  return handle;
}

bool Streams::IsLive(cudaStream_t stream) const {
  const bool built_in = IsLegacyStream(stream) || stream == cudaStreamPerThread;
  return built_in || created_.Find(stream) != nullptr;
}

bool Streams::Destroy(cudaStream_t stream) {
  if (FindCreated(stream) == nullptr) return false;
  Order(OrderOp::kStreamGone, stream);
  return created_.Remove(stream);
}

// A built-in stream's handle is its number. Each thread has a per-thread default stream of its own.
uint64_t Streams::IdOf(cudaStream_t stream) const {
  static std::atomic<uint64_t> threads{0};
  thread_local const uint64_t kThread = threads++;
  if (const Stream* created = FindCreated(stream)) return created->id;
  if (stream == cudaStreamPerThread) return reinterpret_cast<uint64_t>(stream) | kThread << 32;
  return StreamUse::kLegacy;
}

StreamUse Streams::UseOf(cudaStream_t stream, bool synchronous) const {
  const Stream* created = FindCreated(stream);
  return {IdOf(stream), created == nullptr || created->IsBlocking(), synchronous, synchronous};
}

}  // namespace warpgrade::cudart
