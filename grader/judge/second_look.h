// A second look at a rung with wrong values. nvcc keeps an array in registers when it knows each index. An index past
// the end is undefined then, and leaves no access in the program that the emulator runs, so no finding can say why the
// values are wrong. Compiled without optimisation, the array is in local memory, and the access is there. So the course
// compiles such a rung once more, runs one failed case, and takes over what it says about local memory. This is advice:
// points and verdict stay those of the optimised program.
#pragma once

#include "grader/judge/judge.h"
#include "grader/score/measurement.h"

namespace warpgrade::judge {

// True if the rung has a wrong value in a public case, or crashed there, and no finding says why. REQUIRES: measured on
// the emulator.
bool NeedsSecondLook(const score::RungMeasurement& measurement);

// The request for the second look: `first`, but only with the smallest public case that failed. Nothing is delayed,
// nothing else is measured, and the limits are lower. The caller sets the executable. REQUIRES:
// NeedsSecondLook(measurement).
JudgeRequest RequestForSecondLook(JudgeRequest first, const score::RungMeasurement& measurement);

// Adds what `look` found in local memory: indices outside of a local array, and reads of local memory that nothing has
// written. All else in `look` is left out.
void AddSecondLook(score::RungMeasurement look, score::RungMeasurement* measurement);

}  // namespace warpgrade::judge
