// The graphs that the program can name, and the executable ones that it made from them.
#pragma once

#include <driver_types.h>

#include "grader/cudart/captures.h"
#include "grader/cudart/graph.h"
#include "grader/cudart/handle_table.h"

namespace warpgrade::cudart {

// Thread-compatible: Runtime::mutex guards it.
class Graphs {
 public:
  explicit Graphs(const Captures& captures) : captures_(captures) {}

  HandleTable<cudaGraph_t, Graph>& own() { return own_; }
  HandleTable<cudaGraphExec_t, GraphExec>& executable() { return executable_; }

  // One of own(), or the graph of a capture that runs (cudaStreamGetCaptureInfo gives its handle); nullptr: neither.
  Graph* Find(cudaGraph_t handle) const {
    if (Graph* own = own_.Find(handle)) return own;
    for (const auto& capture : captures_.running()) {
      if (HandleTable<cudaGraph_t, Graph>::HandleOf(capture->graph.get()) == handle) return capture->graph.get();
    }
    return nullptr;
  }

  void Clear() {
    own_.Clear();
    executable_.Clear();
  }

 private:
  const Captures& captures_;
  HandleTable<cudaGraph_t, Graph> own_;
  HandleTable<cudaGraphExec_t, GraphExec> executable_;
};

}  // namespace warpgrade::cudart
