// Which parts of a rung are judged. `grade` wants all of them, `check` some.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace warpgrade::judge {

// The block whose values are recorded.
struct BlockToRecord {
  uint64_t block = 0;   // linear
  uint64_t launch = 0;  // the number of a launch, from 1; 0: the largest
};

struct MeasuredParts {
  bool public_cases = true;  // false where they have just passed
  bool hidden_cases = true;
  bool technique = true;
  // With technique: what requests to memory looked like; of all cases: the two accesses of races.
  bool pictures = false;
  // Only `explain`: one case is run, and the measurement holds its pictures, whether it is right or not. It is the only
  // case of the request; without one that for technique; where there is none, the largest public case.
  bool only_pictures = false;
  std::optional<BlockToRecord> steps;  // with pictures or only_pictures: also the values of this block, step by step
  bool throughput = true;              // where the device can; elsewhere it is reported as not measured
  // Public and hidden cases with more elements (Case::elements) are left out; 0: none is. Only for tests of the course:
  // a rung is right when all of its cases are.
  uint64_t most_elements = 0;
  // The throughput case in these sizes, and nothing else (size_sweep.h). Empty: the rung is graded.
  std::vector<uint64_t> sizes;
  int64_t sizes_ns = 0;  // on a GPU: the wall time for all of them; 0: as long as it takes
};

}  // namespace warpgrade::judge
