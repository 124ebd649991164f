#include "grader/config/nearest.h"

#include <algorithm>
#include <cctype>

namespace warpgrade::config {
namespace {

constexpr size_t kLongestName = 100;  // longer than any name we know: keeps the table small for hostile input

bool SameLetter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

}  // namespace

int EditDistance(std::string_view a, std::string_view b) {
  // distance[i][j]: between the first i letters of a and the first j of b.
  std::vector<std::vector<int>> distance(a.size() + 1, std::vector<int>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) distance[i][0] = static_cast<int>(i);
  for (size_t j = 0; j <= b.size(); ++j) distance[0][j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const int replace = distance[i - 1][j - 1] + (SameLetter(a[i - 1], b[j - 1]) ? 0 : 1);
      distance[i][j] = std::min({distance[i - 1][j] + 1, distance[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && SameLetter(a[i - 1], b[j - 2]) && SameLetter(a[i - 2], b[j - 1])) {
        distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
      }
    }
  }
  return distance[a.size()][b.size()];
}

std::optional<std::string> NearestName(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.size() > kLongestName) return std::nullopt;
  std::optional<std::string> nearest;
  int nearest_distance = 0;
  for (const std::string& candidate : candidates) {
    const int distance = EditDistance(name, candidate);
    if (distance > std::max(1, static_cast<int>(candidate.size()) / 3)) continue;
    if (!nearest || distance < nearest_distance) {
      nearest = candidate;
      nearest_distance = distance;
    }
  }
  return nearest;
}

std::vector<std::string> NearestNames(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr size_t kMost = 3;
  const std::optional<std::string> nearest = NearestName(name, candidates);
  if (!nearest) return {};
  std::vector<std::string> all;
  for (const std::string& candidate : candidates) {
    if (EditDistance(name, candidate) == EditDistance(name, *nearest)) all.push_back(candidate);
  }
  return all.size() <= kMost ? all : std::vector<std::string>();
}

std::string ListNames(const std::vector<std::string>& names) {
  std::string list;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 == names.size() ? " and " : ", ";
    list += names[i];
  }
  return list;
}

}  // namespace warpgrade::config
