// What `warpgrade explain` prints: the line of a rung that costs most above the fewest, and its worst request, drawn;
// and the line at which warps diverge most.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/report/branch_text.h"
#include "grader/report/memory_text.h"
#include "grader/score/measurement.h"

namespace warpgrade::report {

// What is drawn: the groups of requests of one line, the most costly first. Without `line` it is the line that costs
// most above the fewest; if none does, the one with most requests. Groups of the line that cost no more than they must
// are left out. If all are such, they are drawn if `line` is given; otherwise the most frequent one is. Empty: there
// are no requests, or none in `line`.
std::vector<const score::LineRequests*> ChooseRequests(const score::Pictures& pictures, std::optional<int> line);

// The branches that are drawn: those of `line`, or of the line at which lanes of warps go both ways most often.
// nullptr: there are none.
const score::LineBranches* ChooseBranches(const score::Pictures& pictures, std::optional<int> line);

// The races that are drawn: the first one, or those of `line`, at most three.
std::vector<const score::RaceOfTwo*> ChooseRaces(const score::Pictures& pictures, std::optional<int> line);

// "21, 24 and 29": the lines with something to draw. "" if there is none.
std::string LinesWithPictures(const score::Pictures& pictures);

struct ExplainedRung {
  std::string file;    // "v3_padded.cu"
  std::string source;  // its text
  std::string check;   // the command that checks it (CheckCommand)
};

// REQUIRES: ChooseRequests, ChooseBranches or ChooseRaces gives something for this line.
std::string ExplainText(const score::RungMeasurement& measurement, const ExplainedRung& rung, std::optional<int> line,
                        const PictureStyle& style);

}  // namespace warpgrade::report
