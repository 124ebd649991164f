// Which rungs of a lab count in its points, where not all of them do.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace warpgrade::config {

// Of these rungs only the best count. They all have the same points, so a lab has the same points for everyone.
struct BestOf {
  size_t best = 1;              // how many count: at least 1, and fewer than there are
  std::vector<std::string> of;  // names of rungs, in the order of course.yaml
};

struct CountingRule {
  std::vector<std::string> bonus;  // rungs whose points come on top of those of the lab
  std::vector<BestOf> best_of;     // no rung is in two of them, or in one of them and a bonus

  bool CountsAll() const { return bonus.empty() && best_of.empty(); }
  bool IsBonus(const std::string& rung) const { return std::find(bonus.begin(), bonus.end(), rung) != bonus.end(); }
};

}  // namespace warpgrade::config
