// Draws a race as a time line of two threads, in characters: the two accesses, and the barrier that is not there.
#pragma once

#include <string>

#include "grader/report/memory_text.h"
#include "grader/score/pictures.h"

namespace warpgrade::report {

// "__syncthreads()", "__syncwarp()", or what two blocks need.
std::string MissingBarrier(const score::RaceOfTwo& race);
// "two threads of one block access tile[33], and nothing orders them".
std::string RaceWords(const score::RaceOfTwo& race);
// What may happen, because either access may come first.
std::string RaceOutcomeWords(const score::RaceOfTwo& race);

// The drawing, with these sentences. `source`: of the rung, for the lines.
std::string RaceText(const score::RaceOfTwo& race, const std::string& source, const PictureStyle& style);

}  // namespace warpgrade::report
