// The option that says how another system names a lab; `grade` and `accept` have it.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "grader/result/result.h"
#include "grader/score/class_facts.h"

namespace warpgrade::cli {

// Adds --canvas-assignment LAB=NUMBER, which may be repeated. `typed` must live as long as `command`.
void AddAssignmentOption(CLI::App& command, std::vector<std::string>* typed);

// What the texts of the option say, by lab. `labs`: the known ones, of `where`. Errors (kUsage): a text is not
// LAB=NUMBER, or there is no such lab.
Result<std::map<std::string, score::AssignmentFacts>> AssignmentsOf(const std::vector<std::string>& typed,
                                                                    const std::vector<std::string>& labs,
                                                                    const std::string& where);

}  // namespace warpgrade::cli
