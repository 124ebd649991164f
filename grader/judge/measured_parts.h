// Which parts of a rung are judged. `grade` wants all of them, `check` some.
#pragma once

#include <cstdint>

namespace warpgrade::judge {

struct MeasuredParts {
  bool public_cases = true;  // false where they have just passed
  bool hidden_cases = true;
  bool technique = true;
  bool throughput = true;  // where the device can; elsewhere it is reported as not measured
  // Public and hidden cases with more elements (Case::elements) are left out; 0: none is. Only for tests of the course:
  // a rung is right when all of its cases are.
  uint64_t most_elements = 0;
};

}  // namespace warpgrade::judge
