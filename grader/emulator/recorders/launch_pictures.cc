// Tested by tests/emulator/exec/requests_test.cc.
#include "grader/emulator/recorders/launch_pictures.h"

namespace warpgrade::emulator {
namespace {

void NameArray(const GlobalMemory& memory, RequestSample* sample) {
  if (sample->request.space != RequestSpace::kGlobal) return;
  const auto first = static_cast<size_t>(__builtin_ctz(sample->request.lanes));
  const Allocation* const allocation = memory.Find(sample->request.at[first]);
  if (allocation == nullptr) return;
  sample->array = allocation->label;
  sample->array_base = allocation->base;
}

}  // namespace

void LaunchPictures::Add(const RequestedBy& launch, const RecordedRequests& requests, const RecordedBranches& branches,
                         const GlobalMemory& memory) {
  for (RequestSample* sample : requests_.Add(launch, requests)) NameArray(memory, sample);
  branches_.Add(launch, branches);
}

}  // namespace warpgrade::emulator
