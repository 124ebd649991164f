// JSON for the scripts of a page.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "grader/plot/plot.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

// `json` as text in which nothing ends a script element: ASCII, with <, > and & as \u003c and so on. Bytes that are not
// UTF-8 become U+FFFD.
std::string ScriptSafe(const nlohmann::ordered_json& json);

// What is in a page before its scripts run.
struct PageContent {
  std::string html;  // in <main>; nothing in it is an author's but text
  std::string without_scripts = "This page draws its tables with JavaScript, which is switched off in this browser.";
  bool charts = true;  // without them the page is 200 KB smaller
};

// A page with the scripts shared.js and `own_script`, and with these data, which are ScriptSafe.
// `may_also`: more that its policy allows, such as "connect-src 'self'; ".
std::string PageOf(std::string_view own_script, const std::string& data, const std::string& may_also = "",
                   const PageContent& content = {});

// The scripts of the page of one submission.
std::string SubmissionScripts();

// The lines of a source, printable. A last line says what was left out.
nlohmann::ordered_json SourceJson(const std::string& source);

// The counters in the margin of a source with so many lines: columns that have a value at some line, and the values of
// each line as text. null: nothing was counted.
nlohmann::ordered_json CountersJson(const std::vector<score::LineCounts>& counts, size_t lines);

// A chart for charts.js.
nlohmann::ordered_json ChartJson(const plot::Chart& chart);

// [got, most, most that can be measured here].
template <typename Scored>
nlohmann::ordered_json PointsJson(const Scored& scored) {
  return {scored.points.ToDouble(), scored.max_points.ToDouble(), scored.measurable_points.ToDouble()};
}

// The pictures of the races, of the requests that cost most above the fewest, and of the branches that diverge most,
// for pictures.js. `source`: of the rung, for the lines of the races.
nlohmann::ordered_json PicturesJson(const score::Pictures& pictures, const std::string& source);

// The steps of a block, to go through them, for stepper.js. null: there are fewer than two. `source`: of the rung.
// `command`: writes a page with all of them. `bytes`: how much of the page is left for steps, which it takes from.
nlohmann::ordered_json BlockStepsJson(const score::Pictures& pictures, const std::string& source,
                                      const std::string& command, size_t* bytes);

}  // namespace warpgrade::report
