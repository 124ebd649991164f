// The commands below `warpgrade book` that have files of their own, and what they share with the others.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "grader/gradebook/gradebook.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

void AddRegradeCommand(CLI::App* book, int* exit_code);
void AddAppealCommand(CLI::App* book, int* exit_code);
void AddOverrideCommand(CLI::App* book, int* exit_code);
void AddThresholdsCommand(CLI::App* book, int* exit_code);

// Errors (kUsage): the gradebook has no student with this id; names the nearest one.
Status CheckStudent(gradebook::Gradebook* book, const std::string& id);

}  // namespace warpgrade::cli
