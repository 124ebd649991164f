#include "grader/config/rules_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace warpgrade::config {
namespace {

constexpr char kCourse[] = R"(course: {name: C, term: T}   # a comment
limits: {run: {wall: 60s}}
hand_in: {attempt: latest}
slurm: {folder: /shared, partition: gpu}
labs:
  lab1:
    title: One
    due: 2026-11-22
    rungs: {v1: {title: A, points: {correctness: 8}}}
  lab2:
    title: Two
    rungs: {v1: {title: A, points: {correctness: 8}}}
)";

std::string Rules(const std::string& from = "", const std::string& to = "") {
  std::string text = kCourse;
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  std::string folder = (std::filesystem::temp_directory_path() / "warpgrade rules XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return "";
  const std::string path = folder + "/course.yaml";
  std::ofstream(path) << text;
  const Result<std::string> rules = RulesText(path, "lab1");
  std::filesystem::remove_all(folder);
  return rules.ok() ? *rules : "";
}

TEST(RulesTextTest, WhatAResultMayDependOnChangesIt) {
  const std::string before = Rules();
  EXPECT_FALSE(before.empty());
  EXPECT_NE(Rules("correctness: 8", "correctness: 9"), before);
  EXPECT_NE(Rules("wall: 60s", "wall: 61s"), before);
  EXPECT_NE(Rules("term: T", "term: U"), before) << "the quiz draws its numbers by the term";
}

TEST(RulesTextTest, OtherLabsCommentsAndWhatAnAttemptIsWorthDoNotChangeIt) {
  const std::string before = Rules();
  EXPECT_EQ(Rules("title: Two", "title: Three"), before);
  EXPECT_EQ(Rules("# a comment", "# another"), before);
  EXPECT_EQ(Rules("due: 2026-11-22", "due: 2026-11-29"), before);
  EXPECT_EQ(Rules("attempt: latest", "attempt: best"), before);
  EXPECT_EQ(Rules("due: 2026-11-22", "due: 2026-11-22\n    published: 2026-12-01\n    visibility: hidden"), before);
  EXPECT_EQ(Rules("{title: A,", "{title: A, visibility: hidden, case_visibility: {hidden_cases: hidden},"), before);
  EXPECT_EQ(Rules("partition: gpu", "partition: short"), before);
  EXPECT_EQ(Rules("slurm: {folder: /shared, partition: gpu}\n", ""), before);
}

TEST(RulesTextTest, AFileThatCannotBeReadIsAnError) { EXPECT_FALSE(RulesText("/no/such/course.yaml", "lab1").ok()); }

// A lab outside of the kit, with its files in `folder` below the course.
std::string RulesOfOutsideLab(const std::string& folder, const std::string& lab_yaml, const std::string& reference) {
  std::string all = (std::filesystem::temp_directory_path() / "warpgrade rules XXXXXX").string();
  if (mkdtemp(all.data()) == nullptr) return "";
  std::filesystem::create_directories(all + "/" + folder);
  std::ofstream(all + "/" + folder + "/lab.yaml") << lab_yaml;
  std::ofstream(all + "/" + folder + "/reference.cc") << reference;
  const std::string path = all + "/course.yaml";
  std::ofstream(path) << "course: {name: C, term: T}\nlabs: {mine: {from: " << folder << ", due: 2026-11-22}}\n";
  const Result<std::string> rules = RulesText(path, "mine");
  std::filesystem::remove_all(all);
  return rules.ok() ? *rules : "";
}

TEST(RulesTextTest, TheFilesOfALabOutsideOfTheKitChangeItAndTheirPlaceDoesNot) {
  const std::string before = RulesOfOutsideLab("a", "cases: [{n: 1}]\n", "one");
  EXPECT_FALSE(before.empty());
  EXPECT_NE(RulesOfOutsideLab("a", "cases: [{n: 2}]\n", "one"), before);
  EXPECT_NE(RulesOfOutsideLab("a", "cases: [{n: 1}]\n", "two"), before);
  EXPECT_EQ(RulesOfOutsideLab("a", "cases: [{n: 1}]  # a comment\n", "one"), before);
  EXPECT_EQ(RulesOfOutsideLab("b", "cases: [{n: 1}]\n", "one"), before);
}

}  // namespace
}  // namespace warpgrade::config
