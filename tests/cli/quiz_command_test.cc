// Quizzes through the built `warpgrade`: asked, checked, graded. No compiler is needed for any of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace warpgrade {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

ProgramResult Warpgrade(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), WARPGRADE_BINARY);
  return RunProgram(arguments);
}

// The line "NAME: ..." of a sheet, replaced.
std::string WithLine(std::string sheet, const std::string& name, const std::string& line) {
  const size_t at = sheet.find("\n" + name + ":") + 1;
  EXPECT_NE(at, std::string::npos + 1) << name;
  return sheet.replace(at, sheet.find('\n', at) - at, line);
}

std::string AnswersOf(const std::string& student) {
  return Warpgrade({"quiz", "lab1", "--student", student, "--answers"}).out;
}

TEST(QuizCommandTest, StudentsAreAskedTheirOwnNumbersAlways) {
  const ProgramResult ada = Warpgrade({"quiz", "lab1", "--student", "ada"});
  EXPECT_EQ(ada.exit_code, 0) << ada.err;
  EXPECT_THAT(ada.out, StartsWith("lab1 Reduction quiz · ada\n"));
  EXPECT_THAT(ada.out, Not(HasSubstr("<threads>")));
  EXPECT_EQ(Warpgrade({"quiz", "lab1", "--student", "ada"}).out, ada.out);
  EXPECT_NE(Warpgrade({"quiz", "lab1", "--student", "bob"}).out, ada.out);
  EXPECT_THAT(Warpgrade({"quiz", "lab1"}).out, HasSubstr("<threads>: one of"));
}

TEST(QuizCommandTest, MistakesOnTheCommandLineAreExplained) {
  EXPECT_THAT(Warpgrade({"quiz", "lap1"}).err, HasSubstr("there is no quiz for 'lap1'; did you mean 'lab1'?"));
  EXPECT_EQ(Warpgrade({"quiz", "../lab1"}).exit_code, 2);
  EXPECT_EQ(Warpgrade({"quiz"}).exit_code, 2);
  EXPECT_THAT(Warpgrade({"quiz", "lab1", "--answers"}).err, HasSubstr("add --student ID"));
  EXPECT_EQ(Warpgrade({"check", "lab77", "quiz"}).exit_code, 2);
}

TEST(QuizCommandTest, ExplainsTheAnswersToStaff) {
  const ProgramResult plain = Warpgrade({"quiz", "lab1", "--student", "ada", "--answers"});
  const ProgramResult explained = Warpgrade({"quiz", "lab1", "--student", "ada", "--answers", "--explain"});
  EXPECT_EQ(explained.exit_code, 0) << explained.err;
  EXPECT_THAT(plain.out, Not(HasSubstr("rounded up to a multiple of 256")));
  EXPECT_THAT(explained.out, HasSubstr("rounded up to a multiple of 256"));
  EXPECT_EQ(Warpgrade({"quiz", "lab1", "--explain"}).exit_code, 2) << "only with --answers";
}

TEST(QuizCommandTest, ListsTheFunctions) {
  EXPECT_THAT(Warpgrade({"quiz", "--functions"}).out, HasSubstr("occupancy(registers, threads, [shared], [device])"));
}

TEST(QuizCommandTest, AKitWithoutSolutionsGivesNoAnswers) {
  const TemporaryFolder folder;
  const std::string build = std::filesystem::path(WARPGRADE_BINARY).parent_path().parent_path().string();
  std::string kit = ReadText(build + "/share/warpgrade/kit.yaml");
  const size_t at = kit.find("solutions: \"") + 12;
  kit.replace(at, kit.find('"', at) - at, "/no/such/solutions");
  folder.Write("share/warpgrade/kit.yaml", kit);
  const ProgramResult result = RunProgram({WARPGRADE_BINARY, "quiz", "lab1", "--student", "ada", "--answers"},
                                          {"WARPGRADE_KIT=" + folder.Path("")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("--answers is for instructors"));
}

TEST(QuizCommandTest, CheckTellsRightFromWrongAndNotTheAnswer) {
  const TemporaryFolder folder;
  std::string sheet = AnswersOf("ada");
  const size_t at = sheet.find("\ndivergent_in_all: ") + 19;
  const std::string right = sheet.substr(at, sheet.find('\n', at) - at);
  sheet = WithLine(sheet, "divergent_in_all", "divergent_in_all: 4711");
  sheet = WithLine(sheet, "limit", "limit:");
  sheet = WithLine(sheet, "conflict", "conflict: 8 turns");
  folder.Write("work/lab1/answers.yaml", sheet);
  const ProgramResult result = Warpgrade({"check", "lab1", "quiz", "--submission", folder.Path("work")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("  occupancy          right\n"));
  EXPECT_THAT(result.out, HasSubstr("  limit              not answered\n"));
  EXPECT_THAT(result.out, HasSubstr("  divergent_in_all   WRONG\n"));
  EXPECT_THAT(result.out, HasSubstr("  conflict           NOT READABLE\n"));
  EXPECT_THAT(result.out, HasSubstr("6 of 9 right, 6.67/10 points"));
  EXPECT_THAT(result.out, Not(HasSubstr(" " + right + "\n")));
}

TEST(QuizCommandTest, CheckAsksWhoseAnswersTheyAre) {
  const TemporaryFolder folder;
  folder.Write("work/lab1/answers.yaml", WithLine(AnswersOf("ada"), "student", "student:"));
  const std::string work = folder.Path("work");
  const std::string out = Warpgrade({"check", "lab1", "quiz", "--submission", work}).out;
  EXPECT_THAT(out, HasSubstr("does not say whose answers these are"));
  EXPECT_THAT(out, HasSubstr("WRONG"));
  EXPECT_LT(out.find("does not say whose answers"), out.find("WRONG")) << "the reason stands first: " << out;
  EXPECT_THAT(Warpgrade({"check", "lab1", "quiz", "--submission", work, "--student", "ada"}).out,
              HasSubstr("9 of 9 right, 10/10 points"));
}

TEST(QuizCommandTest, CheckSaysWhenThereIsNoSheet) {
  const TemporaryFolder folder;
  folder.Write("work/lab2/notes.txt", "");
  folder.Write("work/lab3/notes.txt", "");
  const ProgramResult result = Warpgrade({"check", "lab1", "quiz", "--submission", folder.Path("work")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("The submission has no lab1/answers.yaml."));
}

TEST(QuizCommandTest, GradesEachStudentWithTheirOwnNumbers) {
  const TemporaryFolder folder;
  folder.Write("class/ada/lab1/answers.yaml", AnswersOf("ada"));
  folder.Write("class/bob/lab1/answers.yaml", AnswersOf("ada"));
  folder.Write("class/cy/lab1/answers.yaml", Warpgrade({"quiz", "lab1", "--student", "cy", "--sheet"}).out);
  folder.Write("class/dee/lab1/answers.yaml", "occupancy: [\n");
  folder.Write("class/eve/lab1/notes.txt", "no quiz");
  folder.Write("class/fay/lab1/answers.yaml", std::string(70000, '#'));
  const std::string file = folder.Path("out.json"), csv = folder.Path("out.csv"), junit = folder.Path("out.xml");
  const ProgramResult result = Warpgrade({"grade", folder.Path("class"), "--lab", "lab1", "--rung", "quiz", "--device",
                                          "emulator", "--json", file, "--csv", csv, "--junit", junit});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json report = json::parse(ReadText(file));
  const auto quiz_of = [&](size_t student) { return report["submissions"][student]["labs"][0]["rungs"][0]; };
  const char* statuses[] = {"passed", "failed", "not_written", "failed", "missing", "refused"};
  for (size_t student = 0; student < 6; ++student) {
    const json quiz = quiz_of(student);
    EXPECT_EQ(quiz["rung"], "quiz");
    EXPECT_EQ(quiz["status"], statuses[student]) << quiz.dump(2);
    EXPECT_EQ(quiz["max_points"], 10);
    EXPECT_EQ(quiz["measurable_points"], 10);
    EXPECT_EQ(quiz["correctness"]["cases"], 9);
  }
  EXPECT_EQ(quiz_of(0)["points"], 10);
  EXPECT_EQ(quiz_of(0)["correctness"]["passed"], 9);
  EXPECT_LT(quiz_of(1)["points"], 10);
  EXPECT_THAT(quiz_of(1)["messages"].dump(), HasSubstr("these are the answers of 'ada'"));
  EXPECT_THAT(quiz_of(3)["messages"].dump(), HasSubstr("lab1/answers.yaml:2:1"));
  for (const json& failure : quiz_of(1)["correctness"]["failures"]) EXPECT_EQ(failure["want"], "");
  EXPECT_THAT(ReadText(csv), StartsWith("submission,lab1.quiz,lab1,"));
  EXPECT_THAT(ReadText(csv), HasSubstr("\nada,10,10,10,10,10,"));
  EXPECT_THAT(ReadText(junit), HasSubstr("<testcase name=\"quiz\" classname=\"ada.lab1\""));
  EXPECT_THAT(ReadText(junit), HasSubstr("tests=\"6\" failures=\"2\" disabled=\"0\" errors=\"2\" skipped=\"1\""));
}

TEST(QuizCommandTest, GradeTakesTheStudentFromTheCommandLine) {
  const TemporaryFolder folder;
  folder.Write("upload_123/lab1/answers.yaml", AnswersOf("ada"));
  const auto points = [&](std::vector<std::string> more) {
    std::vector<std::string> command = {
        "grade", folder.Path("upload_123"), "--rung", "quiz", "--lab", "lab1", "--device", "emulator"};
    command.insert(command.end(), more.begin(), more.end());
    return Warpgrade(command).out;
  };
  EXPECT_THAT(points({"--student", "ada"}), HasSubstr("10/10"));
  EXPECT_THAT(points({}), Not(HasSubstr("10/10")));
}

TEST(QuizCommandTest, AMistakeInAQuizIsAnsweredWithItsPlaceBeforeAnythingIsGraded) {
  const TemporaryFolder folder;
  const std::string course = folder.Write("course.yaml",
                                          "course: {name: C}\nlabs:\n  lab1: {title: T, quiz: {points: x}, rungs: {v1: "
                                          "{title: T, points: {correctness: 1}}}}\n");
  folder.Write("s1/lab1/answers.yaml", "");
  const ProgramResult result = Warpgrade({"grade", folder.Path("s1"), "--course", course});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("course.yaml:3:35: lab1.quiz.points: 'x' is not a number of points"));
}

}  // namespace
}  // namespace warpgrade
