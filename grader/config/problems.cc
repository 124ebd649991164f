#include "grader/config/problems.h"

#include <algorithm>
#include <tuple>

namespace warpgrade::config {

void Problems::Add(Place place, std::string what) { problems_.push_back({place, std::move(what)}); }

Error Problems::ToError(ErrorKind kind) const {
  WARPGRADE_CHECK(!problems_.empty());
  std::vector<Problem> sorted = problems_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
  });
  std::string message;
  for (size_t i = 0; i < std::min(sorted.size(), kMostShown); ++i) {
    const Problem& problem = sorted[i];
    if (i > 0) message += '\n';
    message += file_ + ':';
    if (problem.place.line > 0) {
      message += std::to_string(problem.place.line) + ':' + std::to_string(problem.place.column) + ':';
    }
    message += ' ' + problem.what;
  }
  if (sorted.size() > kMostShown) {
    message +=
        '\n' + file_ + ": and " + std::to_string(sorted.size() - kMostShown) + " more mistakes; mend these first";
  }
  return {kind, message};
}

}  // namespace warpgrade::config
