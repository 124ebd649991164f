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
// "line 2: wrote element 33 of tile", without " in shared memory" or " (1024 bytes)", which RaceWords() has.
std::string DeedWords(const score::RaceAccess& access, const std::string& place);
// "(33,0,0)".
std::string TripleWords(const score::Triple& at);
// What may happen, because either access may come first.
std::string RaceOutcomeWords(const score::RaceOfTwo& race);

// The drawing, with these sentences. `source`: of the rung, for the lines.
std::string RaceText(const score::RaceOfTwo& race, const std::string& source, const PictureStyle& style);

}  // namespace warpgrade::report
