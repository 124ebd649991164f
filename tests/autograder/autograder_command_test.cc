// What `warpgrade autograder` puts into the zip, and what it says to people.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "tests/cli/program.h"

namespace warpgrade {
namespace {

using testing::Contains;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

ProgramResult MakeAutograder(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {WARPGRADE_BINARY, "autograder", "--for-this-machine"});
  return RunProgram(arguments);
}

std::set<std::string> NamesIn(const std::string& zip) {
  const ProgramResult list =
      RunProgram({"/usr/bin/env", "python3", "-c",
                  "import sys, zipfile\nprint(*zipfile.ZipFile(sys.argv[1]).namelist(), sep='\\n')", zip});
  std::set<std::string> names;
  for (size_t at = 0, end; (end = list.out.find('\n', at)) != std::string::npos; at = end + 1) {
    names.insert(list.out.substr(at, end - at));
  }
  return names;
}

TEST(AutograderCommandTest, TheZipHasWhatGradesTheLabAndNothingThatStudentsMustNotSee) {
  const TemporaryFolder folder;
  const ProgramResult made = MakeAutograder({"--lab", "lab5", "--output", folder.Path("lab5.zip")});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, ContainsRegex("lab5.zip: [0-9.]+ MB, the autograder of lab5 for Gradescope"));
  const std::set<std::string> names = NamesIn(folder.Path("lab5.zip"));
  const std::set<std::string> expected = {"setup.sh",
                                          "run_autograder",
                                          "grade_push",
                                          "kit/bin/warpgrade",
                                          "kit/lib/warpgrade/libwarpgrade_worker.a",
                                          "kit/lib/warpgrade/calibrator",
                                          "kit/lib/warpgrade/liblab5_adapter.a",
                                          "kit/lib/warpgrade/emulator/libcudart.so.13",
                                          "kit/share/warpgrade/kit.yaml",
                                          "kit/share/warpgrade/course.yaml",
                                          "kit/share/warpgrade/labs/lab5/quiz.yaml",
                                          "kit/share/warpgrade/labs/lab5/lab5.h",
                                          "kit/share/warpgrade/labs/lab5/levels.h",
                                          "kit/share/warpgrade/labs/not_written.h"};
  EXPECT_EQ(names, expected) << "a new file in the zip: may students see it?";
}

TEST(AutograderCommandTest, EveryLabHasAnAutograder) {
  const TemporaryFolder folder;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(WARPGRADE_SOURCE_DIR) + "/solutions")) {
    const std::string lab = entry.path().filename().string();
    if (!lab.starts_with("lab")) continue;
    const ProgramResult made = MakeAutograder({"--lab", lab, "--output", folder.Path(lab + ".zip")});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    EXPECT_THAT(NamesIn(folder.Path(lab + ".zip")), Contains("kit/share/warpgrade/labs/" + lab + "/" + lab + ".h"));
  }
}

TEST(AutograderCommandTest, TheRosterAndTheCourseAreThoseOfTheCommandLine) {
  const TemporaryFolder folder;
  const std::string roster =
      folder.Write("roster.csv", "id,name,e-mail,github\n\"s\"\"1\",\"Love, Ada\",ada@example.org,ada-l\n");
  const ProgramResult made =
      MakeAutograder({"--lab", "lab2", "--output", folder.Path("a.zip"), "--roster", roster, "--minutes", "25"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(NamesIn(folder.Path("a.zip")), Contains("roster.csv"));
  const ProgramResult script = RunProgram({"/usr/bin/env", "python3", "-c",
                                           "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\n"
                                           "print(z.read('run_autograder').decode(), z.read('roster.csv').decode())",
                                           folder.Path("a.zip")});
  EXPECT_THAT(script.out, HasSubstr("id,e-mail\n\"s\"\"1\",\"ada@example.org\"\n"));
  EXPECT_THAT(script.out, Not(HasSubstr("Love"))) << "what is not needed stays here";
  EXPECT_THAT(script.out, HasSubstr("--lab lab2 --minutes 25 "));
  EXPECT_THAT(script.out, Not(ContainsRegex("@[A-Z]+@"))) << "a place of the script was not filled in";
}

TEST(AutograderCommandTest, MistakesSayWhatToDo) {
  const TemporaryFolder folder;
  const ProgramResult nowhere = MakeAutograder({"--lab", "lab2"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("--output lab.zip for Gradescope, or --github-classroom FOLDER"));
  const ProgramResult missing = MakeAutograder({"--lab", "lab2", "--output", folder.Path("no/a.zip")});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("there is no folder " + folder.Path("no") + "; make it"));
  const ProgramResult lab = MakeAutograder({"--lab", "lab22", "--output", folder.Path("a.zip")});
  EXPECT_EQ(lab.exit_code, 2);
  EXPECT_THAT(lab.err, HasSubstr("there is no lab 'lab22'"));
  const ProgramResult roster = MakeAutograder(
      {"--lab", "lab2", "--output", folder.Path("a.zip"), "--roster", folder.Write("r.csv", "name\nx\n")});
  EXPECT_EQ(roster.exit_code, 2);
  EXPECT_THAT(roster.err, HasSubstr("r.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder.Path("a.zip")));
}

}  // namespace
}  // namespace warpgrade
