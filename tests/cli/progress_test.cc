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
}  // namespace warpgrade::cli
