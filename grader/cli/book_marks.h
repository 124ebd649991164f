// The marks of a gradebook as `export`, `leaderboard` and `book` print them: with course.yaml, so with leaderboards.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/gradebook/gradebook.h"
#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::cli {

// `path`, or the path of the kit's course.yaml if it is "".
Result<std::string> CoursePath(const std::string& path);
// The course.yaml at CoursePath(path).
Result<config::Course> CourseAt(const std::string& path);

// The option --course of the commands on a gradebook.
void AddBookCourseOption(CLI::App* command, std::string* typed);
// The course.yaml of a command on `book`: `typed` with --course, else the one that the gradebook remembers, else the
// kit's. Says on standard error if it is a remembered one. Errors: kUsage if that one is no longer there.
Result<std::string> CoursePathOf(gradebook::Gradebook* book, const std::string& typed);
// The course.yaml at CoursePathOf(book, typed).
Result<config::Course> CourseFor(gradebook::Gradebook* book, const std::string& typed);
// The same for a command that grades. It returns "" for the kit's, and makes `book` remember one that was typed.
Result<std::string> CoursePathToGradeBy(gradebook::Gradebook* book, const std::string& typed);

// Errors (kUsage): the course has no such lab; names the nearest one.
Status CheckLab(const config::Course& course, const std::string& lab);

struct BookMarksOptions {
  std::string student, lab;  // "": all
  bool details = true;       // see gradebook::MarksOptions
  bool hide_names = false;   // pseudonyms in leaderboards, always the same ones for one gradebook
  std::vector<gradebook::Attempt>* attempts = nullptr;  // see gradebook::MarksOptions
};

// The current marks, and a leaderboard for each lab that has a contest and was handed in. Errors: no such student or
// lab (kUsage), and those of the gradebook.
Result<score::GradingReport> MarksWithLeaderboards(gradebook::Gradebook* book, const config::Course& course,
                                                   const BookMarksOptions& options);

}  // namespace warpgrade::cli
