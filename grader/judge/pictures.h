// Turns what the emulator recorded into what is drawn.
#pragma once

#include <string>
#include <vector>

#include "grader/emulator/checks/finding.h"
#include "grader/emulator/recorders/line_branches.h"
#include "grader/emulator/recorders/line_requests.h"
#include "grader/judge/correctness.h"

namespace warpgrade::judge {

// Groups of requests, and lines with branches, that a measurement holds at most. Those that cost most above the fewest,
// or diverge most, are kept. Chosen: a person's rung has a few dozen.
inline constexpr size_t kMostPicturedLines = 256;

// The requests of the rung's own file, by line.
std::vector<score::LineRequests> ToScore(const std::vector<emulator::LineRequests>& recorded, const std::string& rung);

// The branches of the rung's own file at which lanes went both ways, by line.
std::vector<score::LineBranches> ToScore(const std::vector<emulator::LineBranches>& recorded, const std::string& rung);

// The races between two threads, in the order of the findings.
std::vector<score::RaceOfTwo> RacesOf(const std::vector<emulator::Finding>& findings, const std::string& rung);

// Runs one case, and keeps what it did at each line, whether it is right or not: `explain`. Errors: as RunCases.
Status RecordCase(const RungContext& context, const Case& c, score::RungMeasurement* measurement);

}  // namespace warpgrade::judge
