// Records the requests to memory of one host thread, while it runs a launch. Requests of one instruction that cost the
// same form a class, of which only the first request is kept. So what is kept is bounded, however long the kernel runs.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "grader/emulator/recorders/request.h"

namespace warpgrade::emulator {

// Where a request stands in its launch. Blocks run in any order, so their numbers decide what comes first.
struct RequestPlace {
  uint64_t block = 0;     // linear
  uint64_t sequence = 0;  // grows while a host thread runs, so it orders the requests of one block
  int32_t warp = 0;
  bool Precedes(const RequestPlace& other) const {
    return std::tie(block, sequence) < std::tie(other.block, other.sequence);
  }
};

struct RequestClass {
  uint64_t count = 0;
  Request first;
  RequestPlace place;  // of `first`
};

// All requests of one instruction to one space.
struct InstRequests {
  uint64_t requests = 0, cost = 0, fewest = 0;  // sums
  std::map<RequestCost, RequestClass> classes;  // without those beyond RequestRecorder::kMostClasses
  void Add(const InstRequests& other);          // of another host thread, in the same launch
};

struct RequestKey {
  uint32_t inst = 0;  // Inst::index
  RequestSpace space = RequestSpace::kGlobal;
  AccessDirection direction = AccessDirection::kLoad;
  friend auto operator<=>(const RequestKey&, const RequestKey&) = default;
};
using RecordedRequests = std::map<RequestKey, InstRequests>;

class RequestRecorder {
 public:
  // Classes beyond this number are counted in the sums and not kept. A kernel that a person wrote has a few for each
  // line. One class takes 0.4 KB.
  static constexpr size_t kMostClasses = 4096;

  // `request.lanes` must not be 0.
  void Note(uint32_t inst, const Request& request, uint64_t block, int32_t warp);
  const RecordedRequests& all() const { return all_; }

 private:
  // The last request of an instruction: the next one mostly has the same shape, and then it costs the same.
  struct Last {
    Request request;
    RequestCost cost;
    InstRequests* all = nullptr;
    RequestClass* of_class = nullptr;  // null: not kept
  };
  static bool HasShapeOf(const Request& a, const Request& b);

  RecordedRequests all_;
  std::map<RequestKey, Last> last_;
  size_t classes_ = 0;
  uint64_t sequence_ = 0;
};

}  // namespace warpgrade::emulator
