// JSON for the scripts of a page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "grader/score/measurement.h"

namespace warpgrade::report {

// `json` as text in which nothing ends a script element: ASCII, with <, > and & as \u003c and so on. Bytes that are not
// UTF-8 become U+FFFD.
std::string ScriptSafe(const nlohmann::ordered_json& json);

// [got, most, most that can be measured here].
template <typename Scored>
nlohmann::ordered_json PointsJson(const Scored& scored) {
  return {scored.points.ToDouble(), scored.max_points.ToDouble(), scored.measurable_points.ToDouble()};
}

}  // namespace warpgrade::report
