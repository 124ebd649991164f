// What counts: of all attempts, gradings and overrides of a gradebook, the report of the marks as they are now.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/config/course.h"
#include "grader/gradebook/gradebook.h"
#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::gradebook {

struct MarksOptions {
  std::string student, lab;  // "": all
  // False: only what tables of marks and leaderboards need. See Gradebook::Rungs.
  bool details = true;
  // Which attempts count and what late ones are worth, titles of labs, and the names of the rungs of an attempt that is
  // not graded yet. May be null: then the latest attempts count, and nothing is late.
  const config::Course* course = nullptr;
  // Scores that count in place of gradings, by Grading::measured; see rescore.h. May be null.
  const std::map<int64_t, score::LabScore>* instead = nullptr;
  // All attempts of the gradebook, in the order in which Gradebook::Attempts gives them, if the caller has read them
  // already and wants the whole class. Those that count are moved away. May be null.
  std::vector<Attempt>* attempts = nullptr;
};

// An attempt that counts.
struct CountedAttempt {
  Attempt attempt;
  int of = 0;                         // how many attempts the student has for this lab
  int days_late = 0, grace_days = 0;  // grace_days: how many of these cost nothing
  std::optional<int64_t> due;         // with the student's extension, in seconds since 1970
  int ungraded = 0;                   // the number of an attempt that may count, too, but is not graded yet; 0: none
};

// `due`, later by an extension of the roster: a number of days, or the last day.
int64_t WithExtension(int64_t due, const std::string& extension);

// The overrides of one student that count, each by its lab and rung: the last of each place, if it is not withdrawn.
using OverridesByPlace = std::map<std::pair<std::string, std::string>, Override>;
OverridesByPlace CountingOverrides(std::vector<Override> of_student);

// "3 days late, 1 grace day"; "" if it is in time.
std::string LateWords(const CountedAttempt& counted);
// "+5", "-0.5".
std::string ChangeWords(config::Points change);

// For each student and lab the attempt that counts, by student and then by lab. By course.yaml, that is the latest that
// was handed in, or the one with the most points after the deduction for lateness. A student's grace days go to the
// labs in the order of their due dates. Errors: those of Gradebook.
Result<std::vector<CountedAttempt>> CountedAttempts(Gradebook* book, const MarksOptions& options);

// One submission for each student who is enrolled or has an attempt, by id. Its labs are those of which an attempt
// counts, with its latest grading. A lab with an attempt that may count and is not graded yet is unfinished. A late
// attempt has one more rung "late" with the points that it loses. The report has what the roster says of each student,
// and what course.yaml says students may see.
// Overrides are applied: of a rung, to the points of the rung, before it is decided which rungs count
// (score/counting.h) and before the deduction for lateness; of a lab, as one more rung "override" with the points that
// are missing or too many. One that changes points never makes them negative. GradingReport::assignments has each lab
// of which there is an attempt, and `options.lab`. Errors: those of Gradebook.
Result<score::GradingReport> CurrentMarks(Gradebook* book, const MarksOptions& options);

}  // namespace warpgrade::gradebook
