// poll.yaml's form, with every mistake by its exact place.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "grader/config/poll.h"

namespace warpgrade::config {
namespace {

namespace fs = std::filesystem;

struct ReadPoll {
  PollFile poll;
  std::string mistakes;  // "": none
};

ReadPoll ReadPollText(const std::string& text) {
  const fs::path path = fs::path(testing::TempDir()) / ("poll_" + std::to_string(::getpid()) + ".yaml");
  std::ofstream(path) << text;
  Problems problems("poll.yaml");
  ReadPoll read;
  read.poll = ReadPollFile(path.string(), &problems);
  fs::remove(path);
  if (!problems.empty()) read.mistakes = problems.ToError(ErrorKind::kUsage).message;
  return read;
}

// The mistakes of a poll with this one question.
std::string MistakesOf(const std::string& question) {
  return ReadPollText("title: T\nquestions:\n  q: {" + question + "}\n").mistakes;
}

TEST(PollReaderTest, AQuestionHasItsChoicesTheRightOneAndTheReason) {
  const ReadPoll read = ReadPollText(
      "title: Reduction\nquestions:\n  slow:\n    text: >-\n      Why is\n      it slow?\n"
      "    choices: [\"a, b\", c]\n    right: 2\n    because: Because.\n");
  EXPECT_EQ(read.mistakes, "");
  EXPECT_EQ(read.poll.title, "Reduction");
  ASSERT_EQ(read.poll.questions.size(), 1u);
  const PollQuestion& question = read.poll.questions[0];
  EXPECT_EQ(question.name, "slow");
  EXPECT_EQ(question.text, "Why is it slow?");
  ASSERT_EQ(question.choices.size(), 2u);
  EXPECT_EQ(question.choices[0], "a, b");
  EXPECT_EQ(question.right, 1u);
  EXPECT_EQ(question.because, "Because.");
}

TEST(PollReaderTest, MistakesHaveTheirPlaceAndWhatToDo) {
  EXPECT_EQ(MistakesOf("text: T, because: B, choices: [a, b], right: 3"),
            "poll.yaml:3:52: q.right is no number of a choice; write a number from 1 to 2");
  EXPECT_EQ(MistakesOf("text: T, because: B, choices: [a, b], right: 0"),
            "poll.yaml:3:52: q.right: '0' is out of range; write a number from 1 to 1e15");
  EXPECT_EQ(MistakesOf("text: T, because: B, choices: [a], right: 1"),
            "poll.yaml:3:37: q.choices is not a list of 2 to 6 answers; write a list such as [more warps, fewer "
            "warps]");
  EXPECT_EQ(MistakesOf("text: T, because: B, choices: [a, a], right: 1"),
            "poll.yaml:3:41: q.choices has 'a' twice; remove one of them");
  EXPECT_EQ(MistakesOf("text: T, choices: [a, b], right: 1"),
            "poll.yaml:3:6: q has no 'because'; add 'because: \"...\"', which is said after the answer");
  EXPECT_EQ(MistakesOf("text: [], because: B, choices: [a, b], right: 1"),
            "poll.yaml:3:13: q.text is not text; write it in quotes or after '>-'");
  EXPECT_EQ(ReadPollText("title: T\nquestions: {}\n").mistakes.substr(0, 14), "poll.yaml:2:12");
}

}  // namespace
}  // namespace warpgrade::config
