// Tests: tests/cli/progress_test.cc.
#include "grader/cli/running.h"

#include <fmt/format.h>

#include <utility>

namespace warpgrade::cli {

std::shared_ptr<const void> Running::Begin(std::string what, std::function<std::string()> where, TimePoint now) {
  const std::lock_guard lock(mutex_);
  works_.push_back({std::move(what), std::move(where), now});
  const auto work = std::prev(works_.end());
  return {&*work, [this, work](const void*) {
            const std::lock_guard end(mutex_);
            works_.erase(work);
          }};
}

std::string Running::Words(TimePoint now) const {
  const std::lock_guard lock(mutex_);
  if (works_.empty()) return "";
  const Work& oldest = works_.front();
  std::string words = oldest.what;
  if (const std::string where = oldest.where(); !where.empty()) words += ": " + where;
  words += fmt::format(", {} s", std::chrono::duration_cast<std::chrono::seconds>(now - oldest.since).count());
  if (works_.size() > 1) words += fmt::format(", and {} more", works_.size() - 1);
  return words;
}

}  // namespace warpgrade::cli
