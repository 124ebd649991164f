// Polls: quick questions that cost no points. A student answers them and reads why; the line with the answers has no
// name in it, and an instructor counts such lines.
//
//   poll lab1 slow_v1=b fewer_warps=- last_warp=a        "-": skipped
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/config/poll.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

struct Poll {
  std::string lab;
  config::PollFile file;
};

// Errors (kUsage): every mistake in the file at `path`.
Result<Poll> LoadPoll(const std::string& lab, const std::string& path);

using PollAnswer = std::optional<size_t>;  // the number of a choice, from 0; nullopt: skipped

// 'a' for 0.
char LetterOf(size_t choice);
// What a person typed: a letter or the number of a choice, in any case and with spaces. nullopt: something else.
std::optional<size_t> ChoiceOf(std::string_view typed, const config::PollQuestion& question);

// The question with its choices, `width` columns wide. `number`: from 1.
std::string PollQuestionText(const config::PollQuestion& question, size_t number, size_t of, int width);
// Whether the answer is right, and why.
std::string PollReplyText(const config::PollQuestion& question, const PollAnswer& answer, int width);

// The line that a student may hand in. REQUIRES: one answer for each question.
std::string PollLine(const Poll& poll, const std::vector<PollAnswer>& answers);

// How often each choice was taken.
struct PollCounts {
  struct OfQuestion {
    std::vector<uint64_t> choices;
    uint64_t skipped = 0;
  };
  std::vector<OfQuestion> questions;  // those of the poll
  uint64_t lines = 0;                 // of this lab's poll
  uint64_t unreadable = 0;            // lines that begin as one of this lab, and have something else in them
};

// Adds all lines of this poll in `text`, which may hold anything.
void CountPollLines(const Poll& poll, std::string_view text, PollCounts* counts);

std::string PollCountsText(const Poll& poll, const PollCounts& counts, int width);

}  // namespace warpgrade::cli
