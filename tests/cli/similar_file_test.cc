// What `warpgrade similar --json` writes, and what --similar makes of such a file, or of another one.
#include "grader/cli/similar_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace warpgrade::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string FileOfThree() {
  const std::vector<similarity::Source> sources = {
      {.name = "<script>", .files = {}}, {.name = "bob", .files = {}}, {.name = "c\xff", .older = true, .files = {}}};
  similarity::Comparison comparison;
  comparison.pairs = {{.first = 0,
                       .second = 1,
                       .alike = 60,
                       .shorter = 100,
                       .matches = {{"v1.cu", 2, 3, 4, 5, 50}, {"v2.cu", 1, 1, 1, 1, 10}}},
                      {.first = 1, .second = 2, .alike = 50, .shorter = 100, .matches = {}}};
  comparison.groups = {{0, 1, 2}};
  comparison.equal = {{"v3.cu", {0, 2}, true}};
  comparison.left_out = {{1, similarity::LeftOut::Why::kTooLittle}};
  comparison.notes = {"a note"};
  return SimilarJson("lab2", sources, comparison, 0.5);
}

TEST(SimilarFileTest, WhatWasWrittenIsReadTheMostAlikeFirst) {
  const TemporaryFolder folder;
  score::ClassNotes notes;
  const Status read = AddAlike({folder.Write("a.json", FileOfThree()), folder.Path("a.json")}, &notes);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_THAT(notes.compared, ElementsAre("lab2", "lab2"));
  ASSERT_EQ(notes.alike.size(), 6u);
  EXPECT_THAT(notes.alike[0].who, ElementsAre("<script>", "c\xef\xbf\xbd"));
  EXPECT_EQ(notes.alike[0].where, "v3.cu: equal apart from comments and layout, and also the course's solution");
  EXPECT_EQ(notes.alike[2].share, 0.6);
  EXPECT_EQ(notes.alike[2].where, "v1.cu: lines 2 to 3 and 4 to 5, and 1 shorter match");
  EXPECT_EQ(notes.alike[5].where, "");
}

TEST(SimilarFileTest, AnotherFileIsAnErrorThatNamesIt) {
  const TemporaryFolder folder;
  for (const char* text : {"", "{", "[]", "{\"schema\": 1}", "{\"schema\": \"warpgrade.results/1\"}",
                           "{\"schema\": \"warpgrade.similar/1\", \"lab\": \"lab2\"}",
                           "{\"schema\": \"warpgrade.similar/1\", \"lab\": \"lab2\", \"equal\": [], \"pairs\": [7]}"}) {
    score::ClassNotes notes;
    const Status read = AddAlike({folder.Write("odd.json", text)}, &notes);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().kind, ErrorKind::kUsage);
    EXPECT_THAT(read.error().message, HasSubstr("odd.json: this is no warpgrade.similar/1; make it with `warpgrade"));
  }
  score::ClassNotes notes;
  EXPECT_THAT(AddAlike({folder.Path("none.json")}, &notes).error().message, HasSubstr("cannot be read"));
  EXPECT_FALSE(AddAlike({folder.Path("")}, &notes).ok()) << "a folder";
}

}  // namespace
}  // namespace warpgrade::cli
