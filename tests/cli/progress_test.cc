#include "grader/cli/progress.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace warpgrade::cli {
namespace {

// What a Progress wrote while `use` used it.
template <typename Use>
std::string Written(bool terminal, int columns, Use use) {
  char* text = nullptr;
  size_t bytes = 0;
  std::FILE* stream = open_memstream(&text, &bytes);
  {
    Progress progress(stream, terminal, columns);
    use(progress);
  }
  std::fclose(stream);
  const std::string written(text, bytes);
  std::free(text);
  return written;
}

TEST(ProgressTest, IsSilentWhenNotOnATerminal) {
  EXPECT_EQ(Written(false, 80, [](Progress& p) { p.Show(1, 2, "x"); }), "");
}

TEST(ProgressTest, RewritesOneLineAndTakesItAwayAtTheEnd) {
  EXPECT_EQ(Written(true, 80, [](Progress& p) { p.Show(37, 140, "s1042 lab2 v3_padded"); }),
            "\r\033[K[ 37/140] s1042 lab2 v3_padded\r\033[K");
}

TEST(ProgressTest, NeverWrapsToASecondLine) {
  const std::string written = Written(true, 20, [](Progress& p) { p.Show(1, 9, std::string(100, 'x')); });
  EXPECT_EQ(written, "\r\033[K[1/9] xxxxxxxxxxxxx\r\033[K");
}

TEST(ProgressTest, ClearsOnlyWhatItShowed) {
  EXPECT_EQ(Written(true, 80, [](Progress& p) { p.Clear(); }), "");
}

}  // namespace

// Looks as if it were another time.
class ProgressPeer {
 public:
  static void Look(Progress& progress, const Running& running, int seconds) {
    progress.Look(running, progress.begin_ + std::chrono::seconds(seconds));
  }
};

namespace {

TEST(ProgressTest, SaysOnATerminalWhichCaseRunsSinceWhen) {
  Running running;
  const auto work = running.Begin("lab1 v1_naive", [] { return "case 7 of 51"; }, {});
  EXPECT_EQ(Written(true, 80,
                    [&running](Progress& p) {
                      p.Show(0, 9, "starter lab1 v1_naive");
                      ProgressPeer::Look(p, running, 12);
                    }),
            "\r\033[K[0/9] starter lab1 v1_naive\r\033[K[0/9] lab1 v1_naive: case 7 of 51, 12 s\r\033[K");
}

TEST(ProgressTest, SaysInALogSeldomWhatRuns) {
  Running running;
  const auto work = running.Begin("lab1 v1_naive", [] { return ""; }, {});
  EXPECT_EQ(Written(false, 80,
                    [&running](Progress& p) {
                      for (int second = 0; second < 100; ++second) ProgressPeer::Look(p, running, second);
                    }),
            "still running: lab1 v1_naive, 10 s\n"
            "still running: lab1 v1_naive, 30 s\n"
            "still running: lab1 v1_naive, 90 s\n");
}

TEST(ProgressTest, SaysNothingOfWhatHasEnded) {
  Running running;
  auto first = running.Begin("lab1 v1_naive", [] { return "case 7 of 51"; }, {});
  const auto second = running.Begin("lab1 v2_better", [] { return "compiling"; }, {});
  EXPECT_EQ(running.Words(Running::TimePoint() + std::chrono::seconds(3)),
            "lab1 v1_naive: case 7 of 51, 3 s, and 1 more");
  first.reset();
  EXPECT_EQ(running.Words(Running::TimePoint() + std::chrono::seconds(3)), "lab1 v2_better: compiling, 3 s");
}

}  // namespace
}  // namespace warpgrade::cli
