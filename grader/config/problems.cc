#include "grader/config/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace warpgrade::config {

void Problems::Add(Place place, std::string what) { problems_.push_back({place, std::move(what)}); }

std::vector<Problem> Problems::Sorted() const {
  std::vector<Problem> sorted = problems_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
  });
  return sorted;
}

Error Problems::ToError(ErrorKind kind) const {
  WARPGRADE_CHECK(!problems_.empty());
  const std::vector<Problem> sorted = Sorted();
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
        '\n' + file_ + ": and " + std::to_string(sorted.size() - kMostShown) + " more mistakes; correct these first";
  }
  return {kind, message};
}

std::string Shown(std::string_view text) {
  constexpr size_t kMostShown = 40;  // enough to recognise it
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool begins_character = (byte & 0xC0) != 0x80;
    if (begins_character && shown.size() >= kMostShown) return shown + "...";
    if (byte < 0x20 || byte == 0x7F) {
      shown += fmt::format("\\x{:02X}", byte);
    } else {
      shown += c;
    }
  }
  return shown;
}

}  // namespace warpgrade::config
