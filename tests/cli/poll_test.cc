#include "grader/cli/poll.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Poll SomePoll() {
  config::PollFile file;
  file.title = "Reduction";
  file.questions = {{"slow", "Why is v1 slow?", {"barriers", "divergence", "loads"}, 1, "Its warps diverge."},
                    {"last", "Does it diverge?", {"yes", "no"}, 1, "A whole warp goes one way."}};
  return {"lab1", file};
}

PollCounts Counted(const std::string& text) {
  PollCounts counts;
  CountPollLines(SomePoll(), text, &counts);
  return counts;
}

TEST(PollTest, AnAnswerIsALetterOrANumber) {
  const config::PollQuestion question = SomePoll().file.questions[0];
  EXPECT_EQ(ChoiceOf("b", question), 1u);
  EXPECT_EQ(ChoiceOf(" C \r", question), 2u);
  EXPECT_EQ(ChoiceOf("1", question), 0u);
  for (const char* const typed : {"", "d", "4", "0", "bb", "b c", "-", "\xff", "é"}) {
    EXPECT_EQ(ChoiceOf(typed, question), std::nullopt) << typed;
  }
}

TEST(PollTest, ALineIsCountedAsItWasWritten) {
  const Poll poll = SomePoll();
  const std::string line = PollLine(poll, {1, std::nullopt});
  EXPECT_EQ(line, "poll lab1 slow=b last=-");
  const PollCounts counts = Counted(line + "\r\nfrom: s1042\n" + PollLine(poll, {0, 1}) + "\n" + line);
  EXPECT_EQ(counts.lines, 3u);
  EXPECT_EQ(counts.unreadable, 0u);
  EXPECT_THAT(counts.questions.at(0).choices, ElementsAre(1, 2, 0));
  EXPECT_EQ(counts.questions[1].skipped, 2u);
  EXPECT_THAT(counts.questions[1].choices, ElementsAre(0, 1));
}

TEST(PollTest, LinesThatMayHoldAnythingAreNotBelieved) {
  const PollCounts counts = Counted(
      "poll lab1 slow=z\npoll lab1 slow=b slow=b\npoll lab1 other=a\npoll lab1 slow\npoll lab1 slow=b x=\x1b[2J\n"
      "poll lab1 slow=b " +
      std::string(5000, 'x') + "\npoll lab2 slow=b\npolls lab1 slow=b\n" + std::string(3, '\0') +
      "\npoll lab1\npoll\n");
  EXPECT_EQ(counts.unreadable, 6u);
  EXPECT_EQ(counts.lines, 1u) << "one without answers";
  EXPECT_THAT(counts.questions.at(0).choices, ElementsAre(0, 0, 0));
}

TEST(PollTest, TheReplySaysWhetherItIsRightAndWhy) {
  const config::PollQuestion question = SomePoll().file.questions[0];
  EXPECT_EQ(PollReplyText(question, 1, 80), "    Right. Its warps diverge.\n");
  EXPECT_EQ(PollReplyText(question, 0, 80), "    It is b). Its warps diverge.\n");
}

TEST(PollTest, TheCountsMarkTheRightChoice) {
  const Poll poll = SomePoll();
  const PollCounts counts = Counted("poll lab1 slow=b last=-\npoll lab1 slow=b last=a\npoll lab1 nonsense\n");
  const std::string text = PollCountsText(poll, counts, 80);
  EXPECT_THAT(text, HasSubstr("lab1 Reduction: 2 lines with answers\n"));
  EXPECT_THAT(text, HasSubstr("1 of 2  Why is v1 slow?\n      0         a) barriers\n      2  right  b) divergence\n"));
  EXPECT_THAT(text, HasSubstr("      1  skipped\n"));
  EXPECT_THAT(text, HasSubstr("\n1 line of this poll is not readable, and not counted.\n"));
}

TEST(PollTest, AQuestionShowsNoAnswer) {
  const config::PollQuestion question = SomePoll().file.questions[0];
  const std::string text = PollQuestionText(question, 1, 2, 80);
  EXPECT_EQ(text, "1 of 2  Why is v1 slow?\n    a) barriers\n    b) divergence\n    c) loads\n");
  EXPECT_THAT(text, Not(HasSubstr("right")));
}

}  // namespace
}  // namespace warpgrade::cli
