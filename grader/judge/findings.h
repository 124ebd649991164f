// Prepares the emulator's findings for a rung's report: each fault once.
#pragma once

#include <string>
#include <vector>

#include "grader/lab/lab.h"
#include "grader/score/measurement.h"

namespace warpgrade::judge {

// A short name for `file`: the file name alone for the rung's own file ("v3_sequential.cu", wherever it was compiled),
// the last two parts of the path for any other.
std::string ShortFile(const std::string& file, const std::string& rung);

// Adds what the emulator saw in one case to `findings`. A fault of the same kind at the same line is the same fault,
// whichever kernel of a template shows it: its counts go up, and its details are those of the most typical case. The
// first of these rules that decides says which case is more typical: a race across warps before one within a warp; a
// public case before a hidden one; a case with elements before an empty one; a smaller case before a larger one.
void AddFindings(std::vector<score::Finding> seen, const Case& c, std::vector<score::Finding>* findings);

// Removes findings that have the same cause as another one. The first kind is a read of unwritten memory at a line that
// also has a race: the read only came before the write. The second kind is a use after free, or a race in global
// memory, at a line that also has an out-of-bounds access: it is chance which memory a wrong index hits.
void DropConsequences(std::vector<score::Finding>* findings);

// Adds the races of the case that has just run, for pictures. One of the same two lines is kept once, and of all a few.
void KeepRaces(const std::vector<score::RaceOfTwo>& races, score::RungMeasurement* measurement);

// Drops races whose finding was dropped, because it follows from another fault (DropConsequences).
void DropRacesWithoutFinding(const std::string& rung, score::RungMeasurement* measurement);

// Line numbers come from the student's object, where an asm statement may name any file and line. This replaces places
// that are neither in the rung's file, which has `source_lines` lines, nor in the header of its lab, by "(line not
// known)", and drops the hints for metrics that name such a place. Then it puts the lines of host calls into messages.
inline constexpr char kUnknownPlace[] = "(line not known)";
void HideForeignPlaces(const std::string& lab, const std::string& rung, int source_lines,
                       score::RungMeasurement* measurement);

}  // namespace warpgrade::judge
