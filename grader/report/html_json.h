// JSON for the scripts of a page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "grader/score/measurement.h"

namespace warpgrade::report {

// `json` as text in which nothing ends a script element: ASCII, with <, > and & as \u003c and so on. Bytes that are not
// UTF-8 become U+FFFD.
std::string ScriptSafe(const nlohmann::ordered_json& json);

// A page with the scripts shared.js and `own_script`, and with these data, which are ScriptSafe.
// `may_also`: more that its policy allows, such as "connect-src 'self'; ".
std::string PageOf(std::string_view own_script, const std::string& data, const std::string& may_also = "");

// [got, most, most that can be measured here].
template <typename Scored>
nlohmann::ordered_json PointsJson(const Scored& scored) {
  return {scored.points.ToDouble(), scored.max_points.ToDouble(), scored.measurable_points.ToDouble()};
}

// The pictures of the races, of the requests that cost most above the fewest, and of the branches that diverge most,
// for pictures.js. `source`: of the rung, for the lines of the races.
nlohmann::ordered_json PicturesJson(const score::Pictures& pictures, const std::string& source);

}  // namespace warpgrade::report
