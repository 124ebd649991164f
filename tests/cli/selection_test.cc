#include "grader/cli/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::cli {
namespace {

using testing::HasSubstr;

config::Course TwoLabs() {
  config::Course course;
  for (const auto& [lab_name, rungs] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"lab1", {"v1_modulo", "v2_strided", "v10_last"}}, {"lab2", {"v1_naive", "v2_shared"}}}) {
    config::Lab lab;
    lab.name = lab_name;
    for (const std::string& name : rungs) {
      config::Rung rung;
      rung.name = name;
      lab.rungs.push_back(rung);
    }
    course.labs.push_back(lab);
  }
  course.labs[1].quiz = config::Points::FromHundredths(1000);
  return course;
}

// "lab1: v1_modulo v2_strided; lab2: ...", or the error.
std::string Chosen(const std::vector<std::string>& labs, const std::vector<std::string>& rungs) {
  const auto chosen = SelectRungs(TwoLabs(), labs, rungs);
  if (!chosen) return chosen.error().message;
  std::string text;
  for (const config::Lab& lab : *chosen) {
    text += lab.name + ":";
    for (const config::Rung& rung : lab.rungs) text += " " + rung.name;
    if (lab.quiz) text += " quiz";
    text += "; ";
  }
  return text;
}

TEST(SelectionTest, NothingNamedIsEverything) {
  EXPECT_EQ(Chosen({}, {}), "lab1: v1_modulo v2_strided v10_last; lab2: v1_naive v2_shared quiz; ");
}

TEST(SelectionTest, ALabIsAllItsRungs) { EXPECT_EQ(Chosen({"lab2"}, {}), "lab2: v1_naive v2_shared quiz; "); }

TEST(SelectionTest, ARungsNumberIsEnough) {
  EXPECT_EQ(Chosen({"lab1"}, {"v1"}), "lab1: v1_modulo; ") << "v1 is not v10";
  EXPECT_EQ(Chosen({}, {"v2"}), "lab1: v2_strided; lab2: v2_shared; ");
  EXPECT_EQ(Chosen({}, {"v2_shared"}), "lab2: v2_shared; ");
}

TEST(SelectionTest, TheOrderIsTheCourses) {
  EXPECT_EQ(Chosen({"lab2", "lab1"}, {"v2", "v1"}), "lab1: v1_modulo v2_strided; lab2: v1_naive v2_shared; ");
}

TEST(SelectionTest, AQuizIsChosenLikeARung) {
  EXPECT_EQ(Chosen({}, {"quiz"}), "lab2: quiz; ");
  EXPECT_EQ(Chosen({}, {"quiz", "v10"}), "lab1: v10_last; lab2: quiz; ");
  EXPECT_THAT(Chosen({"lab1"}, {"quiz"}), HasSubstr("there is no rung 'quiz' in lab1"));
}

TEST(SelectionTest, AnUnknownLabNamesTheNearest) {
  EXPECT_THAT(Chosen({"lap1"}, {}), HasSubstr("there is no lab 'lap1' in course.yaml; did you mean 'lab1'?"));
  EXPECT_THAT(Chosen({"quantum"}, {}), HasSubstr("it has lab1 and lab2"));
}

TEST(SelectionTest, AnUnknownRungNamesTheNearest) {
  EXPECT_THAT(Chosen({}, {"v2_stridde"}), HasSubstr("there is no rung 'v2_stridde'"));
  EXPECT_THAT(Chosen({}, {"v2_stridde"}), HasSubstr("did you mean 'v2_strided'?"));
  EXPECT_THAT(Chosen({"lab2"}, {"v10"}), HasSubstr("there is no rung 'v10' in lab2"));
}

TEST(SelectionTest, AnUnknownNameIsAUsageError) {
  EXPECT_EQ(SelectRungs(TwoLabs(), {"lab77"}, {}).error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace warpgrade::cli
