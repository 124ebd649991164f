// poll.yaml: quick questions of a lab that cost no points. Plain structs; grader/cli prints and counts.
//
//   title: Reduction
//   questions:
//     slow_v1:                               the name, which stands in the lines that students hand in
//       text: Why is v1 slow?
//       choices: [too many barriers, its warps diverge]
//       right: 2                             the number of the right choice, from 1
//       because: In each step ...            what is said after the answer
#pragma once

#include <string>
#include <vector>

#include "grader/config/problems.h"

namespace warpgrade::config {

struct PollQuestion {
  std::string name, text;
  std::vector<std::string> choices;  // 2 to kMostPollChoices
  size_t right = 0;                  // from 0
  std::string because;
};

struct PollFile {
  std::string title;
  std::vector<PollQuestion> questions;  // 1 to kMostPollQuestions, names unique
};

inline constexpr size_t kMostPollQuestions = 10, kMostPollChoices = 6;

// Reads the file at `path`. Mistakes go to `problems`; if there are any, do not use the result.
PollFile ReadPollFile(const std::string& path, Problems* problems);

}  // namespace warpgrade::config
