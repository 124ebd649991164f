// Proposes the scale of one rung from the speeds of known programs. Pure.
//
//   speed  --|------------|==========|-----|==========|----|----------|===========|-->
//            .            rung before      mutant          full       solution
//
// Each program has an interval (==): its gradings, and on both sides what its speed may differ by on another host or
// another day. A threshold lies in no interval if there is room. Then each of these programs gets the same points in
// every grading, and two calibrations that put a threshold at two places of one gap give the same points.
//
//   - The solution gets all points: `full` lies below its interval.
//   - The rung before, handed in unchanged, gets at most half: `zero` lies above its interval. On a linear scale the
//     points are then the share of the improvement over the rung before that a program reaches.
//   - If other programs lie between the two, the scale has steps. If there is no room for a line, it has one step above
//     the rung before, and one below it with a quarter of the points.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/calibrate/measurements.h"
#include "grader/config/course.h"

namespace warpgrade::calibrate {

// All gradings of one program, in the unit of one scale.
struct Speeds {
  Program program;
  std::vector<double> values;         // finite and above 0; empty: it is left out
  double spread_percent = 0;          // the largest within one grading
  std::vector<std::string> left_out;  // why gradings do not count
};

// One rung on one GPU, or on any.
struct Subject {
  std::string lab, rung;
  std::string target;  // "h200", "any"
  config::ThroughputScale::Unit unit = config::ThroughputScale::Unit::kGigabytesPerSecond;
  config::Points points;  // for throughput
  std::vector<Speeds> programs;
  std::string before;                          // the rung before, a Program::name of kEarlier; "": there is none
  std::optional<config::ThroughputScale> now;  // what course.yaml has for this target
};

// What speeds may differ by, as shares.
struct Margins {
  // A speed may differ by the first of these from grading to grading and from host to host. The others are tried in
  // turn where the rung before is too near. Measured: gradings on one host differ by less than 1%, and two hosts with
  // an H200 by up to 3.3% (BENCHMARKS.md).
  std::vector<double> floors = {0.03, 0.02, 0.015};
  double keeping = 0.01;  // `now` stays if it fits with this one: what fitted yesterday should stay
  // Or by so many times the difference between the slowest and the fastest grading, or the spread within a grading.
  double of_range = 1, of_spread = 3;
  double full_below = 0.08;  // `full` lies so far below the slowest grading of the solution, where there is room
};

// What a program gets.
struct Outcome {
  Program program;
  int gradings = 0;
  double slowest = 0, fastest = 0;
  // By the proposed scale, at the ends of its interval. If they differ, another run may give other points.
  config::Points least, most;
  config::Points least_now, most_now;  // by Subject::now
  std::string left_out;                // why it has no speed; "": it has one
  bool IsNear() const { return least != most; }
};

struct Proposal {
  std::string lab, rung, target;
  config::ThroughputScale::Unit unit = config::ThroughputScale::Unit::kGigabytesPerSecond;
  config::Points points;
  std::optional<config::ThroughputScale> now;
  std::optional<config::ThroughputScale> scale;  // the proposal; nullopt: there is none, and a remark says why
  bool keeps = false;                            // no scale is better than `now`, so it is the proposal
  double floor = 0;                              // the one of Margins::floors that was used
  double solution_margin = 0;        // how far the solution's slowest grading lies above what all points need
  double solution_range = 0;         // its fastest grading against its slowest
  std::vector<std::string> faults;   // of `now`
  std::vector<std::string> remarks;  // what no scale can do here, and what to know
  std::vector<Outcome> programs;     // the solution first, then from the fastest to the slowest
};

Proposal Propose(const Subject& subject, const Margins& margins = {});

// What `scale` does wrong with these programs: sentences. Empty: nothing.
std::vector<std::string> FaultsOf(const config::ThroughputScale& scale, const Subject& subject, const Margins& margins);

// Four significant digits or more, without an exponent: "417.2", "26450".
std::string SpeedNumber(double value);

// "zero 300, full 1150", or "1 point from 0.2, 3 from 0.25".
std::string Words(const config::ThroughputScale& scale);

// As in course.yaml: "{unit: GB/s, zero: 300, full: 1150}".
std::string YamlText(const config::ThroughputScale& scale);

}  // namespace warpgrade::calibrate
