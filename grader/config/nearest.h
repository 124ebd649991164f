// For "did you mean ...?": finds the known name that is nearest to a mistyped one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::config {

// The fewest insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`; letters of different
// case count as equal. (Optimal string alignment.)
int EditDistance(std::string_view a, std::string_view b);

// The candidate nearest to `name`, if it is near enough to be a typing mistake: the distance is at most a third of its
// length. Of several candidates with the same distance, the first.
std::optional<std::string> NearestName(std::string_view name, const std::vector<std::string>& candidates);

// All candidates at that distance, in their order. None if there are more than three, because then it was not one of
// them that was meant.
std::vector<std::string> NearestNames(std::string_view name, const std::vector<std::string>& candidates);

// "a, b and c".
std::string ListNames(const std::vector<std::string>& names);

}  // namespace warpgrade::config
