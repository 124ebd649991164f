// What the files of a lab say about themselves, without a program that runs: files that belong to no rung, starter
// files that do not say that they are not written, hints that nobody is told, and what the author has left to do.
#pragma once

#include <string>
#include <vector>

#include "grader/cli/lab_to_author.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

// Each function returns lines "FILE:LINE: what; what to do", or FILE alone where a line says nothing.

// Of solutions, starter files, mutants and alternatives, such as a rung has left behind that was renamed by hand.
std::vector<std::string> FilesOfNoRung(const LabToAuthor& lab);

// Starter files that look as if they were written: a student who has only begun is told that the rung is wrong. Labs in
// which students mend programs have starter files that run, and are right without it.
std::vector<std::string> StartersThatSayNothing(const LabToAuthor& lab);

// Of a lab outside of the kit: hints whose key is no metric, and findings that mutants must give whose kind there is
// not.
std::vector<std::string> UnknownNames(const LabToAuthor& lab);

// Of a lab outside of the kit: hints for limits that the rung does not have.
std::vector<std::string> HintsThatNobodySees(const LabToAuthor& lab);

// Lines in the author's files that still say TODO. "TODO(v1)" is for students, and stays.
std::vector<std::string> LeftToDo(const LabToAuthor& lab);

// Errors (kUsage): the kit has no solutions, because it is installed.
Status HasSources(const LabToAuthor& lab);

}  // namespace warpgrade::cli
