#include "grader/build/includes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/build/temporary_folder.h"

namespace warpgrade::build {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;

std::vector<std::string> Names(std::string_view text) {
  std::vector<std::string> names;
  for (const Include& include : IncludesIn(text)) names.push_back(std::to_string(include.line) + " " + include.name);
  return names;
}

TEST(IncludesTest, FindsEveryFormOfInclude) {
  EXPECT_THAT(Names("#include <a>\n"
                    "  # \tinclude\"b.h\"\r\n"
                    "int include;\n"
                    "#include MACRO // comment\n"
                    "#include_next <c.h>\n"
                    "#include\n"
                    "#include \"unclosed\n"
                    "#pragma once"),
              ElementsAre("1 a", "2 b.h", "4 MACRO", "5 c.h", "7 unclosed"));
}

TEST(IncludesTest, ALabsHeadersAreItsOwnAndWhatThoseInclude) {
  const auto headers = LabHeaders("toy", {"/nowhere", BUILD_TEST_KIT});
  ASSERT_TRUE(headers) << headers.error().message;
  EXPECT_THAT(*headers, ElementsAre(Key("labs/toy/number.h"), Key("labs/toy/toy.h")));
}

TEST(IncludesTest, AMissingHeaderIsNamed) {
  const auto headers = LabHeaders("lab77", {BUILD_TEST_KIT});
  ASSERT_FALSE(headers);
  EXPECT_THAT(headers.error().message, HasSubstr("labs/lab77/lab77.h: not found in"));
}

TEST(IncludesTest, ReadsAMakeRule) {
  EXPECT_THAT(DependenciesIn("v1.o : v1.cu \\\n    /usr/include/a.h \\\r\n  with\\ space.h cash$$.h \\#.h\n"),
              ElementsAre("v1.cu", "/usr/include/a.h", "with space.h", "cash$.h", "#.h"));
  EXPECT_THAT(DependenciesIn("v1.o:"), IsEmpty());
  EXPECT_THAT(DependenciesIn(""), IsEmpty());
}

TEST(IncludesTest, ForbidsWhatLiesElsewhereAlsoThroughLinks) {
  const TemporaryFolder folder;
  const fs::path root = fs::canonical(folder.path());
  folder.Write("work/v1.cu", "");
  folder.Write("system/a.h", "");
  folder.Write("system2/b.h", "");  // begins like an allowed one
  folder.Write("secret.h", "");
  fs::create_symlink(root / "secret.h", root / "work/link.h");
  EXPECT_THAT(ForbiddenDependencies({"v1.cu", "../system/a.h", (root / "system/a.h").string(), "link.h", "../secret.h",
                                     (root / "system2/b.h").string(), "gone.h"},
                                    root / "work", {root / "work", root / "system"}),
              ElementsAre("link.h", "../secret.h", (root / "system2/b.h").string(), "gone.h"));
}

}  // namespace
}  // namespace warpgrade::build
