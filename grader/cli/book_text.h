// What `warpgrade book` prints of a gradebook. All texts are safe for a terminal and end with a newline.
#pragma once

#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/gradebook/gradebook.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

// Every student with attempts or in the roster: one row each, with the points, the number of attempts for each lab, and
// what lateness and overrides changed.
Result<std::string> ListText(gradebook::Gradebook* book, const config::Course& course);

// Who the student is, and which attempt of each lab counts.
Result<std::string> StudentText(gradebook::Gradebook* book, const config::Course& course, const std::string& id,
                                const std::string& lab);

// Every attempt of the student, every grading of each, and every override, in their order.
Result<std::string> HistoryText(gradebook::Gradebook* book, const std::string& id, const std::string& lab);

// How two attempts for one lab differ: the points of each rung, then the sources. Errors (kUsage): the student has no
// such attempts, or has attempts for several labs and `lab` is "".
Result<std::string> DiffText(gradebook::Gradebook* book, const std::string& id, const std::string& lab, int before,
                             int after);

// The attempt of `attempts`, which are those of one student. Errors (kUsage): there is none with this number.
Result<const gradebook::Attempt*> FindAttempt(const std::vector<gradebook::Attempt>& attempts, const std::string& id,
                                              const std::string& lab, int number);
Error NothingHandedIn(const std::string& id, const std::string& lab);

// The lab that is meant: `lab`, or the only one that the student handed in. Errors (kUsage): there are several, or
// none.
Result<std::string> LabOf(const std::vector<gradebook::Attempt>& attempts, const std::string& id,
                          const std::string& lab);

}  // namespace warpgrade::cli
