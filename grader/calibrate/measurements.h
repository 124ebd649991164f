// What `warpgrade calibrate` has measured on one GPU: how fast known programs are when they are handed in as a rung.
// The file of --json has one line for each grading, so a person can read it and two files can be compared.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::calibrate {

enum class Kind {
  kSolution,     // the course's solution of the rung
  kEarlier,      // the solution of an earlier rung, handed in as this one
  kMutant,       // right answers by a wrong or slow technique (labs/LAB/mutants)
  kAlternative,  // another right program (labs/LAB/alternatives)
};

// A program that is handed in as `rung`.
struct Program {
  std::string lab, rung;
  Kind kind = Kind::kSolution;
  std::string name;  // "solution"; of kEarlier the rung that it solves; of others the file's name after RUNG__
  friend auto operator<=>(const Program&, const Program&) = default;
};

// One grading of a program.
struct Grading {
  Program program;
  int round = 1;                              // each round grades every program once
  std::string left_out;                       // why it says nothing about speed: "failed: ..."; "": it was timed
  score::ThroughputMeasurement speed;         // REQUIRES: left_out is empty
  std::optional<double> Value() const;        // in speed.unit; nullopt: left out, not finite, or not above 0
  std::optional<double> ShareOfCopy() const;  // likewise; nullopt also if the unit is not that of a copy
};

struct Measurements {
  std::string kit_version;
  std::string began;  // UTC
  score::DeviceDescription device;
  std::vector<Grading> gradings;  // in the order in which they ended

  bool Has(const Program& program, int round) const;
};

// The text of a file of measurements.
std::string JsonText(const Measurements& measurements);

// Reads such a text; errors (kUsage) name `path`. A number that is missing or not finite leaves its grading out, with
// the reason.
Result<Measurements> ParseMeasurements(const std::string& text, const std::string& path);

// The same for the file at `path`.
Result<Measurements> ReadMeasurements(const std::string& path);

// Files of the same GPU's model as one: the rounds of a later file follow those of the files before it.
// Files of different models stay apart. The order is that of the first file of each model.
std::vector<Measurements> Pooled(std::vector<Measurements> files);

// "solution", "v2_naive handed in", "mutant no_padding", "alternative grid_sync".
std::string Words(const Program& program);

}  // namespace warpgrade::calibrate
