// What an export of marks says about a student and an assignment, and what grading itself does not need. A roster and
// the command line fill these structs; where they are empty, exports use the ids of submissions and the names of labs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/config/points.h"

namespace warpgrade::score {

// How other systems know the student of a submission. "": not known. All text may be hostile.
struct StudentFacts {
  std::string id;  // of the university; where it is not known, the id of the submission
  std::string name, last_name, first_name;
  std::string email, section;
  std::string canvas_id;               // Canvas's own number for the student
  std::string login;                   // Canvas's "SIS Login ID"
  std::map<std::string, int64_t> due;  // by lab, in seconds since 1970, where an extension makes it later than others'
};

// How a student handed in a lab, and what changed its points beside the grading. "": not known.
struct HandInFacts {
  std::string handed_in;             // UTC: "2026-11-22T10:15:00Z"
  config::Points late_points;        // lost for lateness; the points of the lab are those after it
  std::vector<std::string> changes;  // "2 days late: 4 points lost", "override: v2_shared 7 instead of 0"
};

// How another system knows a lab. "": not known.
struct AssignmentFacts {
  std::string canvas_id;  // the number in Canvas's heading "lab2 (4711)"
  std::string due;        // UTC, without extensions of students
  config::Points max_points;
  bool is_listed = false;  // files of marks have a column for it, even if nobody has points
};

// Submissions of a lab with sources that are alike, for a person to look at (grader/similarity). It proves nothing.
struct Alike {
  std::string lab;
  std::vector<std::string> who;  // ids of submissions, two or more; one of an earlier term ends in " (older)"
  double share = 0;              // of the shorter one, from 0 to 1
  std::string where;             // "v3_padded.cu: lines 6 to 12 and 8 to 14"
};

// What the page of a class says to staff beside the results. All text may be hostile.
struct ClassNotes {
  std::vector<std::string> compared;   // the labs whose submissions were compared; of others nothing is known
  std::vector<Alike> alike;            // the most alike first
  std::vector<std::string> unmatched;  // submissions of no student: "foo.zip: the roster has no student foo"
  std::vector<std::string> failures;   // how the machine failed
};

}  // namespace warpgrade::score
