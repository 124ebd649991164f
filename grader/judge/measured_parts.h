// Which parts of a rung are judged. `grade` wants all of them, `check` some.
#pragma once

namespace warpgrade::judge {

struct MeasuredParts {
  bool public_cases = true;  // false where they have just passed
  bool hidden_cases = true;
  bool technique = true;
  bool throughput = true;  // where the device can; elsewhere it is reported as not measured
};

}  // namespace warpgrade::judge
