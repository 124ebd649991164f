// Which parts of a rung are judged, beside its public cases. `grade` wants all of them, `check` some.
#pragma once

namespace warpgrade::judge {

struct MeasuredParts {
  bool hidden_cases = true;
  bool technique = true;
  bool throughput = true;  // where the device can; elsewhere it is reported as not measured
};

}  // namespace warpgrade::judge
