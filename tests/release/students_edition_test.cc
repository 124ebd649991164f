// The edition for students has no hidden cases in it, and says so when it is asked for them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

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

TEST(StudentsEditionTest, ItSaysWhatItIs) {
  EXPECT_THAT(Students({"--version"}).out, testing::EndsWith(", students' edition\n"));
  EXPECT_THAT(RunProgram({WARPGRADE_BINARY, "--version"}).out, Not(HasSubstr("edition")));
}

TEST(StudentsEditionTest, ItPrintsNoAnswersEvenBesideTheSolutions) {
  const ProgramResult answers = Students({"quiz", "lab1", "--student", "s1", "--answers"});
  EXPECT_EQ(answers.exit_code, 2);
  EXPECT_EQ(answers.out, "");
  EXPECT_THAT(answers.err, HasSubstr("--answers is not in the students' edition"));
  EXPECT_EQ(Students({"quiz", "lab1", "--student", "s1"}).exit_code, 0);
}

// By the symbols, which the copy for students does not have. A size in bytes stands before the name.
TEST(StudentsEditionTest, HiddenCasesAndExplanationsAreNotLinked) {
  const auto symbols = [](const std::string& program) {
    return RunProgram({"/usr/bin/env", "nm", "--print-size", "--defined-only", program}).out;
  };
  const std::string staff = symbols(WARPGRADE_BINARY), students = symbols(WARPGRADE_STUDENTS_EDITION);
  const auto has = [](const std::string& text, const char* name) { return text.find(name) != std::string::npos; };
  for (const char* name : {"HiddenImages", "HiddenLines", "AlgorithmExplanations", "Gradebook"}) {
    EXPECT_TRUE(has(staff, name)) << name;
    EXPECT_FALSE(has(students, name)) << name;
  }
  static const std::regex kHidden(R"(0*([0-9a-f]+) T _ZN4lab([0-9])11HiddenCases)");
  int labs = 0;
  for (std::sregex_iterator it(students.begin(), students.end(), kHidden), end; it != end; ++it, ++labs) {
    EXPECT_LT(std::stoul((*it)[1].str(), nullptr, 16), 128u) << "lab" << (*it)[2] << " only says that there are none";
  }
  EXPECT_EQ(labs, 8);
}

}  // namespace
}  // namespace warpgrade
