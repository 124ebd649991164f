// Tested by tests/emulator/exec/requests_test.cc.
#include "grader/emulator/recorders/request_recorder.h"

namespace warpgrade::emulator {

void InstRequests::Add(const InstRequests& other) {
  requests += other.requests;
  cost += other.cost;
  fewest += other.fewest;
  for (const auto& [of_cost, theirs] : other.classes) {
    const auto [mine, added] = classes.try_emplace(of_cost, theirs);
    if (added) continue;
    const uint64_t count = mine->second.count + theirs.count;
    if (theirs.place.Precedes(mine->second.place)) mine->second = theirs;
    mine->second.count = count;
  }
}

// True if both ask for the same bytes, but for a distance of whole sectors.
bool RequestRecorder::HasShapeOf(const Request& a, const Request& b) {
  if (a.lanes != b.lanes || a.bytes != b.bytes) return false;
  const auto first = static_cast<size_t>(__builtin_ctz(a.lanes));
  const uint64_t distance = a.at[first] - b.at[first];
  if (distance % kSectorBytes != 0) return false;
  uint64_t difference = 0;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    difference |= (a.lanes >> lane & 1) != 0 ? a.at[lane] - b.at[lane] - distance : 0;
  }
  return difference == 0;
}

void RequestRecorder::Note(uint32_t inst, const Request& request, uint64_t block, int32_t warp) {
  const RequestKey key{inst, request.space, request.direction};
  const RequestPlace place{block, ++sequence_, warp};
  Last& last = last_[key];
  if (last.all == nullptr) last.all = &all_[key];
  InstRequests& all = *last.all;
  if (all.requests == 0 || !HasShapeOf(request, last.request)) {
    last.request = request;
    last.cost = CostOf(request);
    auto found = all.classes.find(last.cost);
    if (found == all.classes.end() && classes_ < kMostClasses) {
      ++classes_;
      found = all.classes.try_emplace(last.cost, RequestClass{0, request, place}).first;
    }
    last.of_class = found == all.classes.end() ? nullptr : &found->second;
  }
  ++all.requests;
  all.cost += last.cost.cost;
  all.fewest += last.cost.fewest;
  RequestClass* const of_class = last.of_class;
  if (of_class == nullptr) return;
  ++of_class->count;
  if (place.Precedes(of_class->place)) {  // under a seed, blocks start in another order
    of_class->first = request;
    of_class->place = place;
  }
}

}  // namespace warpgrade::emulator
