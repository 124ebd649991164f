#include "grader/config/yaml_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::config {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

std::string SyntaxMistakes(const std::string& text) {
  Problems problems("f.yaml");
  (void)ParseYaml(text, &problems);
  return problems.empty() ? "" : problems.ToError(ErrorKind::kUsage).message;
}

TEST(YamlTreeTest, GivesEveryValueItsPlace) {
  Problems problems("f.yaml");
  const auto root = ParseYaml("a: 1\nb:\n  - x\n  - {c: \"2\"}\nd:\n", &problems);
  ASSERT_TRUE(root && problems.empty());
  ASSERT_EQ(root->entries.size(), 3u);
  EXPECT_EQ(root->entries[0].value.place.line, 1);
  EXPECT_EQ(root->entries[0].value.place.column, 4);
  const YamlNode& list = root->entries[1].value;
  ASSERT_EQ(list.items.size(), 2u);
  EXPECT_EQ(list.items[0].text, "x");
  EXPECT_FALSE(list.items[0].quoted);
  EXPECT_EQ(list.items[1].entries[0].value.text, "2");
  EXPECT_TRUE(list.items[1].entries[0].value.quoted);
  EXPECT_EQ(root->entries[2].value.kind, YamlNode::Kind::kNull);
  EXPECT_EQ(root->entries[2].value.place.line, 5);  // of its key
}

TEST(YamlTreeTest, WritesAliasesOut) {
  Problems problems("f.yaml");
  const auto root = ParseYaml("a: &x {b: 1}\nc: *x\n", &problems);
  ASSERT_TRUE(root && problems.empty());
  const YamlNode& copy = root->entries[1].value;
  ASSERT_EQ(copy.kind, YamlNode::Kind::kMap);
  EXPECT_EQ(copy.entries[0].key.text, "b");
  EXPECT_EQ(copy.place.line, 2);
}

TEST(YamlTreeTest, RefusesAnEmptyFile) {
  const char* kEmpty = "f.yaml:1:1: the file is empty; start from the one that comes with warpgrade";
  EXPECT_EQ(SyntaxMistakes(""), kEmpty);
  EXPECT_EQ(SyntaxMistakes("\n\n"), kEmpty);
  EXPECT_EQ(SyntaxMistakes("# only a comment\n"), kEmpty);
}

TEST(YamlTreeTest, PointsAtBrokenSyntax) {
  const std::string hint = "); check the indentation, quotes and brackets here and in the line above";
  EXPECT_EQ(SyntaxMistakes("a: [1, 2\nb: 3\n"),
            "f.yaml:2:2: this is not valid YAML (end of sequence flow not found" + hint);
  EXPECT_EQ(SyntaxMistakes("a: b: c\n"), "f.yaml:1:5: this is not valid YAML (illegal map value" + hint);
  EXPECT_EQ(SyntaxMistakes("a: {b: 1\n"), "f.yaml:2:1: this is not valid YAML (end of map flow not found" + hint);
  // Newer releases of yaml-cpp say the anchor's name too.
  const std::string anchor = SyntaxMistakes("a: *x\n");
  EXPECT_THAT(anchor, StartsWith("f.yaml:1:4: this is not valid YAML (the referenced anchor is not defined"));
  EXPECT_THAT(anchor, EndsWith(hint));
}

TEST(YamlTreeTest, PointsAtEveryTabInTheIndentation) {
  EXPECT_EQ(SyntaxMistakes("a:\n\tb: 1\n  \tc: 2\n"),
            "f.yaml:2:1: a tab in the indentation; YAML wants spaces\n"
            "f.yaml:3:3: a tab in the indentation; YAML wants spaces");
  EXPECT_EQ(SyntaxMistakes("a: 1\t# a tab before a comment is fine\n\t\n"), "");
}

TEST(YamlTreeTest, RefusesWhatIsNotText) {
  EXPECT_EQ(SyntaxMistakes("a: 1\nb: \xFF\n"), "f.yaml:2:4: the file is not UTF-8 text; save it as UTF-8");
  EXPECT_EQ(SyntaxMistakes(std::string("a: \0", 4)), "f.yaml:1:4: the file is not UTF-8 text; save it as UTF-8");
  EXPECT_EQ(SyntaxMistakes("a: \x1b[31m\n"), "f.yaml:1:4: the file is not UTF-8 text; save it as UTF-8");
  EXPECT_EQ(SyntaxMistakes("a: Köln\n"), "");
}

TEST(YamlTreeTest, RefusesASecondDocument) {
  EXPECT_EQ(SyntaxMistakes("a: 1\n---\nb: 2\n"), "f.yaml:3:1: a second document ('---') starts here; remove it");
}

TEST(YamlTreeTest, RefusesMergeKeysAndTags) {
  EXPECT_EQ(
      SyntaxMistakes("a: &x {b: 1}\nc: {<<: *x}\n"),
      "f.yaml:2:5: merge keys ('<<') are not supported; write the keys out, or use an alias for the whole mapping");
  EXPECT_EQ(SyntaxMistakes("a: !secret 1\n"), "f.yaml:1:4: the tag '!secret' has no meaning here; remove it");
}

TEST(YamlTreeTest, RefusesAnAliasOfItself) {
  EXPECT_EQ(SyntaxMistakes("a: &x [*x]\n"),
            "f.yaml:1:8: this alias is inside the value that it stands for; write the value out");
}

TEST(YamlTreeTest, RefusesADeepNest) {
  EXPECT_EQ(SyntaxMistakes("a: " + std::string(500, '[') + std::string(500, ']')),
            "f.yaml:1:35: values are nested more than 32 deep; use fewer levels");
  EXPECT_TRUE(SyntaxMistakes("a: " + std::string(500'000, '['))
                  .ends_with("values are nested more than 32 deep; use fewer levels"));
  EXPECT_EQ(SyntaxMistakes("a: " + std::string(31, '[') + std::string(31, ']')), "");
}

TEST(YamlTreeTest, RefusesADeepNestOfAliases) {
  std::string text = "a0: &a0 [x]\n";
  for (int i = 1; i < 100; ++i) {
    const std::string n = std::to_string(i);
    text += "a" + n + ": &a" + n + " [*a" + std::to_string(i - 1) + "]\n";
  }
  EXPECT_EQ(SyntaxMistakes(text), "f.yaml:32:12: values are nested more than 32 deep; use fewer levels");
}

TEST(YamlTreeTest, RefusesAnAliasBomb) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    const std::string n = std::to_string(i);
    text += "a" + n + ": &a" + n + " [" + last;
    for (int k = 1; k < 10; ++k) text += ", " + last;
    text += "]\n";
  }
  EXPECT_EQ(SyntaxMistakes(text),
            "f.yaml:5:15: the file has more than 20000 values when aliases are written out; make it smaller");
}

}  // namespace
}  // namespace warpgrade::config
