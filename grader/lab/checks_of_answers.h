// What a lab learns while it checks answers, for its author.
#pragma once

#include <optional>
#include <string>

namespace warpgrade {

// A lab may also be one of these.
class ChecksOfAnswers {
 public:
  struct Facts {
    // The largest error of a right answer, as a share of what its tolerance allows; in which case. nullopt: no answer
    // with a tolerance was right.
    std::optional<double> tolerance_used;
    std::string closest;
    double reference_s = 0;  // the longest time of the reference for one case; in which case
    std::string slowest;
  };
  virtual ~ChecksOfAnswers() = default;
  // Since the lab was made. Thread-safe.
  virtual Facts FactsOfChecks() const = 0;
};

}  // namespace warpgrade
