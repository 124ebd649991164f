// The requests to memory of each source line, over all launches.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/emulator/recorders/request_recorder.h"
#include "grader/emulator/state/dim3.h"

namespace warpgrade::emulator {

// One request that stands for `count` requests of its line, which all cost the same. It is the first of them.
struct RequestSample {
  Request request;
  RequestCost cost;
  uint64_t count = 0;
  std::string kernel;  // demangled
  Dim3 block, block_size;
  int warp = 0;             // in its block
  std::string array;        // in global memory: the label of the allocation that the first lane is in; "": none
  uint64_t array_base = 0;  // its address
};

// All requests of one line that access the same space in the same way.
struct LineRequests {
  std::string file;
  int line = 0;
  RequestSpace space = RequestSpace::kGlobal;
  AccessDirection direction = AccessDirection::kLoad;
  uint64_t requests = 0, cost = 0, fewest = 0;  // sums; they agree with the line's counters
  std::vector<RequestSample> samples;           // by cost; without those beyond the limits of the recorder
};

// The launch that was recorded.
struct RequestedBy {
  const Program& program;
  std::string kernel;
  Dim3 grid, block_size;
  Dim3 BlockAt(uint64_t linear) const;
  std::string FileOf(const InstOrigin& origin) const;  // "": not known
};

class LineRequestsOfLaunches {
 public:
  // The limit of samples of all launches together. One sample takes 0.5 KB.
  static constexpr size_t kMostSamples = 8192;

  // Adds what a launch recorded. The samples that it adds have no `array` yet. Returns them.
  std::vector<RequestSample*> Add(const RequestedBy& launch, const RecordedRequests& recorded);
  // Sorted by file, line, space, direction.
  std::vector<LineRequests> All() const;
  void Clear();

 private:
  struct Key {
    std::string file;
    int line = 0;
    RequestSpace space = RequestSpace::kGlobal;
    AccessDirection direction = AccessDirection::kLoad;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Line {
    uint64_t requests = 0, cost = 0, fewest = 0;
    std::map<RequestCost, RequestSample> samples;
  };
  std::map<Key, Line> lines_;
  size_t samples_ = 0;
};

}  // namespace warpgrade::emulator
