// The roster: who takes the course. A CSV file with a line of headings:
//
//   id,name,e-mail,section,extension
//   s1042,Ada Lovelace,ada@example.org,A,2
//   s1043,"Babbage, Charles",charles@example.org,A,2026-11-29
#pragma once

#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::roster {

struct Student {
  std::string id;  // unique, not empty
  std::string name, email, section;
  std::string extension;       // "2" days, "2026-11-29" (the whole day), "2026-11-29T12:00Z", or ""
  std::string canvas, github;  // the number that Canvas gives the student, and the name on GitHub; "": not known
  std::string login;           // with which the student logs in, such as "ada"; "": not known
};

inline constexpr size_t kMostRosterBytes = 16 << 20;
inline constexpr size_t kMostStudents = 100'000;
inline constexpr size_t kMostFieldBytes = 4096;

// Reads the file. Columns may stand in any order, and headings that are not known are ignored, so that the export of a
// platform can be used as it is. Only `id` must be there. Errors (kUsage): all mistakes, as "FILE:LINE:COLUMN: what;
// what to do".
Result<std::vector<Student>> ReadRoster(const std::string& path);

// Whether `text` is an extension: a whole number of days up to 366, a date, or a UTC time.
bool IsExtension(const std::string& text);

}  // namespace warpgrade::roster
