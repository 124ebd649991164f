// A rung that is judged on a GPU runs on the emulator first, which sees faults that a GPU does not show. A rung that
// fails there is not run on the GPU.
#pragma once

#include <vector>

#include "grader/lab/lab.h"
#include "grader/score/measurement.h"

namespace warpgrade::judge {

// The cases that the emulator runs before the GPU: all but those with many blocks (Case::many_blocks), unless there are
// no others.
std::vector<Case> CasesBeforeGpu(const std::vector<Case>& cases);

// The cases with many blocks that failed on the GPU: the emulator runs them after it, and may say why they failed.
std::vector<Case> CasesAfterGpu(const std::vector<Case>& cases, const score::RungMeasurement& on_gpu);

// True if nothing that the GPU shows could make the rung pass: it failed on the emulator. `unsupported`: the emulator
// met something that it cannot run, so its verdict does not count.
bool SettlesTheVerdict(const score::RungMeasurement& opinion, bool unsupported);

// Puts the emulator's results into `measurement`, which is the GPU's: its verdict, cases, technique and findings. The
// emulator's messages follow the GPU's, and throughput stays the GPU's. `unsupported`: the emulator met something that
// it cannot run. Then it cannot judge the rung; the student loses the technique, and messages say so. REQUIRES: the
// rung passed on the GPU.
void AddSecondOpinion(score::RungMeasurement opinion, bool unsupported, score::RungMeasurement* measurement);

// Puts what the emulator saw in cases that failed on the GPU into the GPU's measurement: findings are added, and the
// failures of these cases are the emulator's, which name the line of a call. Everything else stays the GPU's.
void AddExplanation(score::RungMeasurement emulated, score::RungMeasurement* on_gpu);

// Flags the speed of a rung that the emulator could not run, so that a person looks at it before it gives points:
// nobody has looked for races and for work of the host, and the program alone decides what it calls.
void FlagUnwatched(score::ThroughputMeasurement* throughput);

}  // namespace warpgrade::judge
