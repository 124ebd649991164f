#include "grader/config/course.h"

#include <algorithm>

namespace warpgrade::config {
namespace {

// "NVIDIA H200" fits "NVIDIA H200" and "NVIDIA H200 NVL", not "NVIDIA H2000".
bool Fits(const std::string& match, const std::string& device_name) {
  return device_name == match || device_name.starts_with(match + ' ');
}

}  // namespace

Points Lab::Total() const {
  Points total = quiz.value_or(Points());
  for (const Rung& rung : rungs) {
    if (!counting.IsBonus(rung.name)) total += rung.Total();
  }
  for (const BestOf& group : counting.best_of) {
    size_t counted = 0;
    for (const Rung& rung : rungs) {
      const bool is_in = std::find(group.of.begin(), group.of.end(), rung.name) != group.of.end();
      if (is_in && ++counted > group.best) total = total - rung.Total();
    }
  }
  return total;
}

const Lab* Course::FindLab(const std::string& name) const {
  for (const Lab& lab : labs) {
    if (lab.name == name) return &lab;
  }
  return nullptr;
}

const Target* Course::FindTarget(const std::string& device_name) const {
  const Target* best = nullptr;
  for (const Target& target : targets) {
    if (!Fits(target.match, device_name)) continue;
    if (!best || target.match.size() > best->match.size()) best = &target;  // the most exact name
  }
  return best;
}

}  // namespace warpgrade::config
