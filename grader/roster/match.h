// Which submission is whose, and when it was handed in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/result/result.h"
#include "grader/roster/roster.h"
#include "grader/submission/submission.h"

namespace warpgrade::roster {

// A submission and a student whose it is. The submission of a group is there once for each of its students.
struct Owned {
  size_t submission = 0;            // index
  std::string student;              // id
  std::string handed_in;            // "2026-11-22T10:15:00Z"
  std::string time_from;            // "the platform": Gradescope's export says it; "file time": see file_time.h
  std::optional<bool> marked_late;  // Canvas: whether the name says LATE; nullopt: the platform does not say
};

struct Unmatched {
  size_t submission = 0;
  std::string why;  // "the roster has no student s1044"
};

struct Matched {
  std::vector<Owned> owned;                 // in the order of the submissions
  std::vector<Unmatched> unmatched;         // with a roster only
  std::vector<std::string> handed_nothing;  // ids of the roster's students, in its order
};

// Finds the student of each submission by the layout in which it was exported:
//
//   Gradescope         submission_123456789/ and submission_metadata.yml beside it: by its id, else by e-mail
//   Canvas             lovelaceada_LATE_12345_67890_lab3.zip: by Canvas's number of the student, else by name
//   GitHub Classroom   lab3-ada/, with `lab` for lab3: by the name on GitHub, else by id
//   plain              s1042/ or s1042.zip: by id, else by e-mail, else by login or the part of the e-mail before the @
//
// Letters of any case match. Without a roster (nullptr) the id is made from the name: Gradescope's id or e-mail,
// Canvas's name and number ("lovelaceada-12345"), the name on GitHub, or the whole name. Errors (kUsage):
// submission_metadata.yml has mistakes.
Result<Matched> Match(const std::vector<submission::Submission>& submissions, const std::string& lab,
                      const std::vector<Student>* roster);

}  // namespace warpgrade::roster
