// Subjects and gradings for tests, with speeds that are given or drawn.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "grader/calibrate/propose.h"

namespace warpgrade::calibrate {

constexpr config::Points Whole(int points) { return config::Points::FromHundredths(100 * points); }

inline Program SolutionOf(const std::string& rung) { return {"lab1", rung, Kind::kSolution, "solution"}; }
inline Program Earlier(const std::string& rung, const std::string& name) {
  return {"lab1", rung, Kind::kEarlier, name};
}
inline Program Mutant(const std::string& rung, const std::string& name) { return {"lab1", rung, Kind::kMutant, name}; }

Speeds SpeedsOf(Program program, std::vector<double> values);

// v2 of lab1 for 4 points in GB/s. Its solution has these speeds, and the rung before is v1.
Subject SubjectWith(std::vector<double> solution, std::vector<double> before);

// The same programs, each graded `gradings` times with speeds that differ by up to `share` from those of `subject`.
Subject Noisy(const Subject& subject, double share, int gradings, std::mt19937* random);

Grading GradingOf(Program program, double value, int round = 1);

config::ThroughputScale Linear(double zero, double full);

// The points of a program by the proposal; they must not depend on the grading.
config::Points PointsOf(const Proposal& proposal, const Program& program);

}  // namespace warpgrade::calibrate
