// The steps of one block, with the names of its arrays and with what each written value was computed from: what
// `warpgrade explain --steps` draws.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "grader/emulator/recorders/line_requests.h"
#include "grader/emulator/recorders/step_recorder.h"

namespace warpgrade::emulator {

// An array in memory, as a place in it is named. The arrays of registers have one element for each thread.
struct StepArray {
  std::string name;
  uint64_t base = 0;   // an offset in shared memory, or a global address
  uint64_t bytes = 0;  // of the whole array; 0: not known
};
// Names what lies at an offset of shared memory or a global address.
using NameOfPlace = std::function<StepArray(StepSpace space, uint64_t at)>;

// Elements of one array that are accessed as values of one type.
struct StepColumn {
  std::string name;
  StepSpace space = StepSpace::kShared;
  ptx::Type type = ptx::Type::kNone;
  uint32_t bytes = 0;     // of an element
  uint64_t elements = 0;  // 0: not known
};

struct StepValue {
  uint32_t column = 0;  // of BlockSteps::columns
  uint64_t element = 0;
  uint64_t value = 0;  // its bits
};

struct StepRead {
  uint32_t thread = 0;
  StepValue what;
};

struct StepWrite {
  uint32_t thread = 0;
  StepDoes does = StepDoes::kWrite;
  StepValue what;
  // What the thread read for it, in this step, or before it and not used for a write until now: the first kMostSources,
  // in the order in which it was read. Empty: the value comes from registers alone, or it is not known from where.
  std::vector<StepValue> sources;
  uint64_t more_sources = 0;
};

struct Step {
  StepNumber number;
  StepCounts counts;
  std::vector<std::string> files;  // of `lines`
  std::vector<int> lines;          // that read or write in this step, each once
  std::vector<StepRead> reads;
  std::vector<StepWrite> writes;
};

struct BlockSteps {
  static constexpr size_t kMostSources = 8;

  std::string kernel;
  uint64_t launch = 0;  // its number among all launches, from 1
  Dim3 grid, block_size, block;
  std::vector<StepColumn> columns;
  std::vector<Step> steps;
  uint64_t left_out = 0;  // values that were not recorded
};

// REQUIRES: recorded.ran.
BlockSteps StepsOf(const RequestedBy& launch, const RecordedSteps& recorded, const NameOfPlace& name_of);

// Chooses one of all launches: the wanted one, or the first of those with most threads whose recorded block has used
// shared memory or shuffles.
class StepsOfLaunches {
 public:
  void Add(const RequestedBy& launch, const RecordedSteps& recorded, const NameOfPlace& name_of);
  const std::vector<BlockSteps>& chosen() const { return chosen_; }  // none or one
  uint64_t launches() const { return launches_; }                    // how many were added

 private:
  uint64_t launches_ = 0;
  std::vector<BlockSteps> chosen_;
  uint64_t threads_ = 0;  // this and the next: of the chosen launch
  bool has_tree_ = false;
};

}  // namespace warpgrade::emulator
