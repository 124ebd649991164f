// Tested by tests/emulator/exec/requests_test.cc.
#include "grader/emulator/recorders/line_requests.h"

#include <utility>

namespace warpgrade::emulator {
namespace {

RequestSample SampleOf(const RequestedBy& launch, const RequestCost& cost, const RequestClass& of_class) {
  RequestSample sample{of_class.first, cost, of_class.count, launch.kernel};
  sample.block = launch.BlockAt(of_class.place.block);
  sample.block_size = launch.block_size;
  sample.warp = of_class.place.warp;
  return sample;
}

}  // namespace

Dim3 RequestedBy::BlockAt(uint64_t linear) const {
  return Dim3{static_cast<uint32_t>(linear % grid.x), static_cast<uint32_t>(linear / grid.x % grid.y),
              static_cast<uint32_t>(linear / grid.x / grid.y)};
}

std::string RequestedBy::FileOf(const InstOrigin& origin) const {
  const std::vector<std::string>& files = program.module->files;
  return origin.file >= 0 && static_cast<size_t>(origin.file) < files.size() ? files[static_cast<size_t>(origin.file)]
                                                                             : "";
}

std::vector<RequestSample*> LineRequestsOfLaunches::Add(const RequestedBy& launch, const RecordedRequests& recorded) {
  // Several instructions of one line count together, so first find the first request of each class.
  std::map<Key, InstRequests> of_line;
  for (const auto& [key, requests] : recorded) {
    const InstOrigin& origin = launch.program.origins[key.inst];
    if (origin.line <= 0) continue;
    of_line[{launch.FileOf(origin), origin.line, key.space, key.direction}].Add(requests);
  }
  std::vector<RequestSample*> added;
  for (const auto& [key, requests] : of_line) {
    Line& line = lines_[key];
    line.requests += requests.requests;
    line.cost += requests.cost;
    line.fewest += requests.fewest;
    for (const auto& [cost, of_class] : requests.classes) {
      if (const auto known = line.samples.find(cost); known != line.samples.end()) {
        known->second.count += of_class.count;
        continue;
      }
      if (samples_ == kMostSamples) continue;
      ++samples_;
      added.push_back(&line.samples.try_emplace(cost, SampleOf(launch, cost, of_class)).first->second);
    }
  }
  return added;
}

std::vector<LineRequests> LineRequestsOfLaunches::All() const {
  std::vector<LineRequests> all;
  for (const auto& [key, line] : lines_) {
    LineRequests& of_line = all.emplace_back(
        LineRequests{key.file, key.line, key.space, key.direction, line.requests, line.cost, line.fewest, {}});
    for (const auto& [cost, sample] : line.samples) of_line.samples.push_back(sample);
  }
  return all;
}

void LineRequestsOfLaunches::Clear() {
  lines_.clear();
  samples_ = 0;
}

}  // namespace warpgrade::emulator
