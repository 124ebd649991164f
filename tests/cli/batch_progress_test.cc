#include "grader/cli/batch_progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace warpgrade::cli {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

// What a BatchProgress of five submissions wrote while `use` used it. `use` gets the clock too.
template <typename Use>
std::string Written(bool terminal, Use use, int columns = 200) {
  char* text = nullptr;
  size_t bytes = 0;
  std::FILE* stream = open_memstream(&text, &bytes);
  {
    double now = 100;
    BatchProgress progress(stream, terminal, columns, [&now] { return now; });
    progress.Start("lab1", 5);
    use(progress, now);
  }
  std::fclose(stream);
  const std::string written(text, bytes);
  std::free(text);
  return written;
}

TEST(BatchProgressTest, ALogGetsOneLineForEachSubmissionAndNoEscapeCodes) {
  EXPECT_EQ(Written(false,
                    [](BatchProgress& p, double&) {
                      p.RungBegins("s1 v1");
                      p.RungEnds("s1 v1");
                      p.Done("s1: 29/110 points", false);
                      p.Done("s2: not graded: disk full", true);
                      p.Finish();
                    }),
            "[1/5] s1: 29/110 points\n[2/5] s2: not graded: disk full\n");
}

TEST(BatchProgressTest, ATerminalSeesWhatIsDoneRunningAndFailed) {
  EXPECT_THAT(Written(true,
                      [](BatchProgress& p, double&) {
                        p.RungBegins("s1 v1");
                        p.RungBegins("s2 v1");
                        p.RungEnds("s2 v1");
                        p.Done("s2: ...", true);
                      }),
              EndsWith("\r\033[Klab1: 1 of 5 done, 1 running, 1 failed"));
}

TEST(BatchProgressTest, ARungThatTakesLongIsNamed) {
  const auto after = [](double seconds) {
    return Written(true, [seconds](BatchProgress& p, double& now) {
      p.RungBegins("s1 v1");
      now += 3;
      p.RungBegins("s2 v1");
      now += seconds;
      p.Refresh();
    });
  };
  EXPECT_THAT(after(10), Not(HasSubstr("slow")));
  EXPECT_THAT(after(40), EndsWith("2 running, slow: s1 v1 for 43 s"));
}

TEST(BatchProgressTest, TheTimeLeftComesFromTheTimeThatTheOthersTook) {
  const auto after = [](double each, int done) {
    return Written(true, [=](BatchProgress& p, double& now) {
      for (int i = 0; i < done; ++i) {
        now += each;
        p.Done("", false);
      }
    });
  };
  EXPECT_THAT(after(10, 2), EndsWith("2 of 5 done, 0 running")) << "too little is known";
  EXPECT_THAT(after(10, 3), EndsWith("3 of 5 done, 0 running, about 20 s left"));
  EXPECT_THAT(after(100, 3), EndsWith("about 4 min left"));
  EXPECT_THAT(after(10, 5), EndsWith("5 of 5 done, 0 running"));
}

TEST(BatchProgressTest, TheLineNeverWrapsAndGoesAtTheEnd) {
  EXPECT_EQ(Written(
                true,
                [](BatchProgress& p, double&) {
                  p.Refresh();
                  p.Finish();
                },
                20),
            "\r\033[Klab1: 0 of 5 done, \r\033[K");
}

}  // namespace
}  // namespace warpgrade::cli
