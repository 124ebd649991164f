// The files of a new lab, and what a new rung or question adds to the files of a lab. Nothing is written here. What a
// person wrote in a YAML file stays as it is, with its comments and its order.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "grader/config/course.h"
#include "grader/described/description.h"
#include "grader/result/result.h"

namespace warpgrade::desk {

// Texts, by their paths below the folder of the lab.
using Files = std::map<std::string, std::string>;

// A complete small lab, which proves at once, with TODOs for its author. Starter files and answers are not in it:
// `warpgrade make-starter` makes them. Errors (kUsage): the name cannot be one.
Result<Files> NewLab(const std::string& name);

// A lab as its author wrote it.
struct LabOnDisk {
  const described::Description& description;
  const config::Lab& lab;
};

// All files that a new rung adds or changes: its solution is a copy of the last rung's, and its only mutant writes
// nothing. Errors (kUsage): there is such a rung, the name cannot be one, or lab.yaml is written in a way that nothing
// can be added to.
Result<Files> NewRung(const LabOnDisk& of, const std::string& rung);

// The changed quiz.yaml, or a new one. Errors as for NewRung.
Result<Files> NewQuestion(const std::string& folder, const std::string& question);

// The table of points for the handout, and the handout with this table between its marks; a handout without marks is
// unchanged.
std::string PointsTable(const config::Lab& lab);
std::string WithPointsTable(const std::string& readme, const config::Lab& lab);

// `text` with `entry`, whole lines, at the end of the block of the top-level key `key`; at the end of the text if it
// has no such key. Errors (kUsage) begin with `file`: the block is written in one line.
Result<std::string> WithEntry(const std::string& text, std::string_view key, std::string_view entry,
                              const std::string& file);

}  // namespace warpgrade::desk
