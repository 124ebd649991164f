// Times the programs of `warpgrade calibrate` as `grade` times submissions, and keeps each result in a file at once.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "grader/calibrate/measurements.h"
#include "grader/cli/calibrate_programs.h"
#include "grader/cli/device_choice.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

struct MeasureOptions {
  std::string course_yaml;               // "": the kit's
  std::string solutions;                 // config::Kit::solutions_dir
  std::vector<std::string> labs, rungs;  // see SelectRungs
  int rounds = 1;                        // so many gradings of each program
  int jobs = 0;
  Device device = Device::kGpu;  // kEmulator: only for tests of the file; there no program has a speed
  std::string json;              // the file. What it has already is not measured again
  const std::atomic<bool>* cancel = nullptr;
  // As SessionOptions::on_progress, with "round 2: lab2 v3_padded, mutant unpadded".
  std::function<void(int finished, int total, const std::string& what)> on_progress;
};

struct MeasureResult {
  calibrate::Measurements measurements;  // all that the file has
  std::vector<std::string> failures;     // of the machine
  bool interrupted = false;
};

// Errors: kUsage when the file is of another GPU or another kit, and those of RunSession.
Result<MeasureResult> MeasureOnGpu(const ProgramsToTime& programs, const MeasureOptions& options);

}  // namespace warpgrade::cli
