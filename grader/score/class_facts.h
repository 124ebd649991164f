// What an export of marks says about a student and an assignment, and what grading itself does not need. A roster and
// the command line fill these structs; where they are empty, exports use the ids of submissions and the names of labs.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "grader/config/points.h"

namespace warpgrade::score {

// How other systems know the student of a submission. "": not known. All text may be hostile.
struct StudentFacts {
  std::string id;  // of the university; where it is not known, the id of the submission
  std::string name, last_name, first_name;
  std::string email, section;
  std::string canvas_id;               // Canvas's own number for the student
  std::string login;                   // Canvas's "SIS Login ID"
  std::string handed_in;               // when, as the other system writes times
  config::Points late_points;          // to subtract for lateness; the points of the report are those before
  std::map<std::string, int64_t> due;  // by lab, in seconds since 1970, where an extension makes it later than others'
};

// How another system knows a lab. "": not known.
struct AssignmentFacts {
  std::string canvas_id;  // the number in Canvas's heading "lab2 (4711)"
  std::string due;        // as the other system writes times
};

}  // namespace warpgrade::score
