// The edition for students has no hidden cases in it, and says so when it is asked for them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace warpgrade {
namespace {

using testing::HasSubstr;
using testing::Not;

ProgramResult Students(std::vector<std::string> arguments) {
  const std::string build = std::string(WARPGRADE_BINARY) + "/../..";
  arguments.insert(arguments.begin(), WARPGRADE_STUDENTS_EDITION);
  return RunProgram(arguments, {"WARPGRADE_KIT=" + build});
}

std::set<std::string> CommandsIn(const std::string& help) {
  std::set<std::string> commands;
  static const std::regex kRow(R"(\n  ([a-z-]+) +[A-Z])");
  const std::string rows = help.substr(help.find("ubcommands:"));
  for (std::sregex_iterator it(rows.begin(), rows.end(), kRow), end; it != end; ++it) commands.insert((*it)[1].str());
  return commands;
}

TEST(StudentsEditionTest, EveryCommandOfTheStaffIsThereOrRefused) {
  const std::set<std::string> staff = CommandsIn(RunProgram({WARPGRADE_BINARY, "--help"}).out);
  const std::set<std::string> students = CommandsIn(Students({"--help"}).out);
  EXPECT_GT(staff.size(), students.size());
  EXPECT_GE(students.size(), 8u);
  for (const std::string& command : staff) {
    if (students.contains(command)) continue;
    const ProgramResult refused = Students({command, "anything"});
    EXPECT_EQ(refused.exit_code, 2) << command;
    EXPECT_THAT(refused.err, HasSubstr("`" + command +
                                       "` is not in the students' edition: hidden cases are drawn only by "
                                       "the course's grader"));
  }
}

// The script of GitHub Classroom's workflow calls it. It is no secret: without hidden cases it does what `check` does.
TEST(StudentsEditionTest, ItGradesForAPlatform) {
  const ProgramResult help = Students({"autograde", "--help"});
  EXPECT_EQ(help.exit_code, 0) << help.err;
  EXPECT_THAT(CommandsIn(Students({"--help"}).out), Not(testing::Contains("autograde"))) << "it is not for people";
}

TEST(StudentsEditionTest, ItSaysWhatItIs) {
  EXPECT_THAT(Students({"--version"}).out, testing::EndsWith(", students' edition\n"));
  EXPECT_THAT(RunProgram({WARPGRADE_BINARY, "--version"}).out, Not(HasSubstr("edition")));
}

// The folder that `release` writes has no library of the server.
TEST(StudentsEditionTest, ItAdvisesNothingThatItLacks) {
  EXPECT_THAT(Students({"check", "--help"}).out, Not(HasSubstr("warpgrade grade")));
  const std::string page = "page.html";
  const ProgramResult quiz = Students({"check", "lab1", "quiz", "--html", page});
  EXPECT_EQ(quiz.exit_code, 2);
  EXPECT_THAT(quiz.err, testing::AllOf(HasSubstr("leave out --html"), Not(HasSubstr("warpgrade grade"))));
  const TemporaryFolder folder;
  const std::string alone = folder.Path("bin/warpgrade");
  std::filesystem::create_directories(folder.Path("bin"));
  std::filesystem::copy_file(WARPGRADE_STUDENTS_EDITION, alone);
  const ProgramResult ui =
      RunProgram({alone, "ui", "lab1"}, {"WARPGRADE_KIT=" + std::string(WARPGRADE_BINARY) + "/../.."});
  EXPECT_EQ(ui.exit_code, 2);
  EXPECT_THAT(ui.err, testing::AllOf(HasSubstr("`ui` is not in this folder"), HasSubstr("check lab1 --watch")));
}

TEST(StudentsEditionTest, TheStudyWhoseProgramHoldsSolutionsIsNotThere) {
  const ProgramResult study = Students({"study", "sync"});
  EXPECT_EQ(study.exit_code, 2);
  EXPECT_THAT(study.err, HasSubstr("`study sync` is not in the students' edition"));
  EXPECT_THAT(study.err, HasSubstr("ask the course's staff for its charts"));
  const ProgramResult wavefronts = Students({"study", "wavefronts"});
  EXPECT_EQ(wavefronts.exit_code, 2);
  EXPECT_THAT(wavefronts.err, HasSubstr("`study wavefronts` is not in the students' edition"));
  const std::string program = ReadText(WARPGRADE_STUDENTS_EDITION);
  EXPECT_EQ(program.find(".visible .entry _Z16lastWaveUnrolled"), std::string::npos) << "its PTX";
}

TEST(StudentsEditionTest, ItPrintsNoAnswersEvenBesideTheSolutions) {
  const ProgramResult answers = Students({"quiz", "lab1", "--student", "s1", "--answers"});
  EXPECT_EQ(answers.exit_code, 2);
  EXPECT_EQ(answers.out, "");
  EXPECT_THAT(answers.err, HasSubstr("--answers is not in the students' edition"));
  EXPECT_EQ(Students({"quiz", "lab1", "--student", "s1"}).exit_code, 0);
}

// The output of nm for a program: "ADDRESS SIZE T NAME" for each function.
std::string Symbols(const std::string& program) {
  return RunProgram({"/usr/bin/env", "nm", "--print-size", "--defined-only", program}).out;
}

// The bytes of code of each lab's function that draws hidden cases.
std::vector<unsigned long> SizesOfHiddenCases(const std::string& symbols) {
  static const std::regex kHidden(R"( 0*([0-9a-f]+) T _ZN[0-9]lab[0-9]+11HiddenCases)");
  std::vector<unsigned long> sizes;
  for (std::sregex_iterator it(symbols.begin(), symbols.end(), kHidden), end; it != end; ++it) {
    sizes.push_back(std::stoul((*it)[1].str(), nullptr, 16));
  }
  return sizes;
}

// By the symbols, which the copy for students does not have.
TEST(StudentsEditionTest, HiddenCasesAndExplanationsAreNotLinked) {
  const std::string staff = Symbols(WARPGRADE_BINARY), students = Symbols(WARPGRADE_STUDENTS_EDITION);
  for (const char* name : {"AlgorithmExplanations", "Gradebook"}) {
    EXPECT_NE(staff.find(name), std::string::npos) << name;
    EXPECT_EQ(students.find(name), std::string::npos) << name;
  }
  const auto drawing = SizesOfHiddenCases(staff), saying_no = SizesOfHiddenCases(students);
  EXPECT_GT(*std::max_element(drawing.begin(), drawing.end()), 1000u);
  EXPECT_EQ(saying_no.size(), drawing.size());
  EXPECT_LT(*std::max_element(saying_no.begin(), saying_no.end()), 256u) << "room for a message, not for a generator";
}

}  // namespace
}  // namespace warpgrade
