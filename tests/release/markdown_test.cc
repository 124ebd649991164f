// Documents of the source tree, for readers who have only a part of it.
#include "grader/release/markdown.h"

#include <gtest/gtest.h>

namespace warpgrade::release {
namespace {

std::string ForReaders(const std::string& text) {
  return MarkdownForReaders("labs/lab1/README.md", text,
                            [](const std::string& name) { return name == "labs/lab1/lab1.h" || name == "docs/a.md"; });
}

TEST(MarkdownForReadersTest, ALinkToAFileThatIsNotThereBecomesItsText) {
  EXPECT_EQ(ForReaders("See [the header](lab1.h), [it](../../docs/a.md#part) and [`studies`](studies/README.md#x).\n"),
            "See [the header](lab1.h), [it](../../docs/a.md#part) and `studies`.\n");
  EXPECT_EQ(ForReaders("It is in [a\nb](x.md) and\n[`a`\n`b`](lab1.h).\n"), "It is in a\nb and\n[`a`\n`b`](lab1.h).\n");
  EXPECT_EQ(ForReaders("[a](https://example.org/x) [b](#here)\n"), "[a](https://example.org/x) [b](#here)\n");
}

TEST(MarkdownForReadersTest, APictureThatIsNotThereGoes) {
  EXPECT_EQ(ForReaders("a\n\n![What it shows](there.png)\n\nb ![x](lab1.h)!\n"), "a\n\n\n\nb ![x](lab1.h)!\n");
}

TEST(MarkdownForReadersTest, CommentsForTestsGo) {
  EXPECT_EQ(
      ForReaders("before\n\n<!-- test setup:\ncp solutions/a starter/\n-->\n```sh no-test: it is slow\nls\n```\n"),
      "before\n\n```sh\nls\n```\n");
  EXPECT_EQ(ForReaders("one <!-- x --> two\n"), "one  two\n");
}

TEST(MarkdownForReadersTest, CodeStaysAsItIs) {
  const std::string code = "```cpp\nf(a, [&](int) {});  // [x](y) <!-- z\n```\n[x](y)\n";
  EXPECT_EQ(ForReaders(code), "```cpp\nf(a, [&](int) {});  // [x](y) <!-- z\n```\nx\n");
}

}  // namespace
}  // namespace warpgrade::release
