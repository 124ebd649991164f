#include "grader/cudart/streams.h"

#include <memory>
#include <utility>

namespace warpgrade::cudart {

cudaStream_t Streams::Create(unsigned flags, int priority) {
  auto stream = std::make_unique<Stream>();
  stream->flags = flags;
  stream->priority = priority;
  stream->id = next_id_++;
  return created_.Add(std::move(stream));
}

bool Streams::IsLive(cudaStream_t stream) const {
  const bool built_in = IsLegacyStream(stream) || stream == cudaStreamPerThread;
  return built_in || created_.Find(stream) != nullptr;
}

void Streams::Use(cudaStream_t stream, bool host_waits) {
  StreamUse use = {reinterpret_cast<uint64_t>(stream), true, host_waits};  // a built-in stream's handle is its number
  if (stream == cudaStreamLegacy) use.stream = StreamUse::kLegacy;
  if (const Stream* created = FindCreated(stream)) {
    use.stream = created->id;
    use.blocking = created->IsBlocking();
  }
  device_.UseStream(use);
}

}  // namespace warpgrade::cudart
