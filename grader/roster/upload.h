// Who handed in, when a platform starts an autograder for one submission.
//
// Gradescope writes /autograder/submission_metadata.json:
//
//   {"created_at": "2026-11-22T10:15:00.123456-07:00",
//    "assignment": {"title": "lab3", "total_points": "110.0", "due_date": "2026-11-22T23:59:00-07:00", ...},
//    "users": [{"email": "ada@example.org", "id": 1234, "name": "Ada Lovelace"}],
//    "previous_submissions": [...], ...}
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/result/result.h"
#include "grader/roster/roster.h"

namespace warpgrade::roster {

inline constexpr size_t kMostMetadataBytes = 64 << 20;  // it has the results of all earlier submissions

struct UploadedTo {
  std::vector<std::string> emails;     // of all who handed in; several: a group
  std::optional<double> total_points;  // of the assignment, with what people grade by hand
};

// Reads submission_metadata.json. What is missing in it is left out. Errors (kUsage): it is no such file.
Result<UploadedTo> ReadUpload(const std::string& path);

// The id of the first of `emails` that is in `students`; else the part of the first e-mail address before the "@"; else
// "student". Capital letters do not matter.
std::string IdOfEmails(const std::vector<std::string>& emails, const std::vector<Student>& students);

// The id of the student with this name on GitHub, or else this name.
std::string IdOfGithubName(const std::string& name, const std::vector<Student>& students);

}  // namespace warpgrade::roster
