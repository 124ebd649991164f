// An author writes a lab outside of the kit, and a course uses it: `new`, `prove`, `from` in course.yaml. What is wrong
// in one lab is told with its place, and the others are graded all the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace warpgrade {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

ProgramResult Warpgrade(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), WARPGRADE_BINARY);
  return RunProgram(arguments);
}

std::string Changed(const std::string& path, const std::string& old, const std::string& instead) {
  std::string text = ReadText(path);
  const size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old << " in " << path;
  return at == std::string::npos ? text : text.replace(at, old.size(), instead);
}

// A lab as `new` writes it, made once in a folder whose name has a space.
class AuthorTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TemporaryFolder>();
    const ProgramResult made = Warpgrade({"new", "lab", "mine", "--dir", Lab()});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    folder_->Write("course.yaml", "course: {name: C, term: T}\nlabs:\n  mine: {from: my labs/mine}\n");
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static std::string Lab() { return folder_->Path("my labs/mine"); }
  static std::string Course() { return folder_->Path("course.yaml"); }

  // The lab once more, to be changed by one test.
  static std::string Copy(const std::string& name) {
    const std::string to = folder_->Path(name);
    std::filesystem::copy(Lab(), to, std::filesystem::copy_options::recursive);
    return to;
  }
  // Replaces `old` in a file of the lab in `lab`.
  static void Change(const std::string& lab, const std::string& file, const std::string& old,
                     const std::string& instead) {
    const std::string path = lab + "/" + file, whole = Changed(path, old, instead);
    folder_->Write(std::filesystem::path(path).lexically_relative(folder_->Path("")).string(), whole);
  }

  inline static std::unique_ptr<TemporaryFolder> folder_;
};

TEST_F(AuthorTest, ANewLabWithOneMoreRungAndQuestionProvesAtOnce) {
  const std::string lab = Copy("grown");
  const ProgramResult rung = Warpgrade({"new", "rung", lab, "v2_next"});
  EXPECT_EQ(rung.exit_code, 0) << rung.err;
  const ProgramResult question = Warpgrade({"new", "question", lab, "traffic"});
  EXPECT_EQ(question.exit_code, 0) << question.err;
  const ProgramResult proved = Warpgrade({"prove", lab});
  EXPECT_EQ(proved.exit_code, 0) << proved.out << proved.err;
  EXPECT_THAT(proved.out, AllOf(HasSubstr("ok     solutions       24/24 points"), HasSubstr("3 of 3 are caught"),
                                HasSubstr("5 questions"), HasSubstr("\nproved, with ")));
  EXPECT_THAT(proved.out, HasSubstr("ok     other values    3 gradings of the solutions agree\n"));
  EXPECT_THAT(proved.out, testing::ContainsRegex(
                              "ok     reference       [0-9.]+ s at most for a case; the solutions need [0-9.e-]+% "
                              "of the tolerance"));
  EXPECT_THAT(proved.out, HasSubstr("ok     ladder          limits separate 0 of 1 rungs from the rung before\n"
                                    "           note: v2_next: the solution of v1_each, handed in as v2_next, gets all "
                                    "10 points, so no limit separates them; add a limit that v1_each misses"));
  for (const char* todo :
       {"README.md:3", "lab.yaml:1", "quiz.yaml:1", "reference.cc:1", "solutions/mine/v1_each.cu:3"}) {
    EXPECT_THAT(proved.out, HasSubstr(std::string("note: ") + todo + ": it still says TODO"));
  }
  EXPECT_THAT(ReadText(lab + "/starter/mine/v2_next.cu"), HasSubstr("NOT_WRITTEN_YET();"));
}

TEST_F(AuthorTest, ProveNamesEachPromiseThatIsBroken) {
  const std::string lab = Copy("broken promises");
  Change(lab, "starter/mine/v1_each.cu", "NOT_WRITTEN_YET();", "");
  Change(lab, "mutants/mutants.yaml", "message: \"never written|want\"", "message: nobody says this");
  Change(lab, "mutants/mutants.yaml", "metrics: [global_bytes_per_element]", "metrics: [atomics]");
  Change(lab, "README.md", "`v1_each` | One", "`v1_each` | Two");
  Change(lab, "solutions/mine/v1_each.cu", "a * d_x[i] + d_y[i]", "a * d_x[i] - d_y[i]");
  Change(lab, "lab.yaml", "    global_bytes_per_element: Which", "    global_byte_per_element: Which");
  std::filesystem::copy(lab + "/solutions/mine/v1_each.cu", lab + "/solutions/mine/v1_all.cu");
  std::filesystem::copy(lab + "/starter/mine/v1_each.cu", lab + "/starter/mine/v1_all.cu");
  Change(lab, "mutants/v1_each__loads_twice.diff", "-  if (i < n) d_out[i] = a * d_x[i] + d_y[i];",
         "-  if (i < n) d_out[i] = a * d_x[i] - d_y[i];");
  const ProgramResult again = Warpgrade({"prove", lab});
  EXPECT_EQ(again.exit_code, 2) << again.err;
  EXPECT_THAT(again.out, HasSubstr("starter/mine/v1_each.cu is not what the solution gives"));
  EXPECT_THAT(again.out, HasSubstr("starter/mine/v1_each.cu: it does not say NOT_WRITTEN_YET(), so a student who has"));
  EXPECT_THAT(again.out, HasSubstr("no hint is asked for 'global_byte_per_element'; did you mean "
                                   "'global_bytes_per_element'?"));
  for (const char* stray : {"solutions/mine/v1_all.cu", "starter/mine/v1_all.cu"}) {
    EXPECT_THAT(again.out, HasSubstr(std::string(stray) + ": it belongs to no rung of the lab"));
  }
  EXPECT_THAT(again.out, HasSubstr("v1_each: 0 of 14 points: n = 1, a = 2: d_out[0] is "));
  EXPECT_THAT(again.out,
              HasSubstr("v1_each__last_block_missing: nothing that the student is told matches 'nobody says this'"));
  EXPECT_THAT(
      again.out,
      HasSubstr(
          "v1_each__loads_twice: it misses the limits on [global_bytes_per_element], but the row says [atomics]"));
  EXPECT_THAT(again.out,
              HasSubstr("its table of points is not what lab.yaml says; `warpgrade prove --write` writes it"));
  EXPECT_THAT(again.out, HasSubstr("promises broken"));
}

TEST_F(AuthorTest, ProveNamesAMutantThatLosesNothing) {
  const std::string lab = Copy("harmless");
  Change(lab, "mutants/v1_each__last_block_missing.diff", "if (n >= 256) mine_v1<<<static_cast<unsigned>(n / 256)",
         "mine_v1<<<static_cast<unsigned>((n + 511) / 256)");
  const ProgramResult proved = Warpgrade({"prove", lab});
  EXPECT_EQ(proved.exit_code, 2);
  EXPECT_THAT(proved.out, HasSubstr("v1_each__last_block_missing: it gets 14 points, so nothing notices its mistake"));
}

TEST_F(AuthorTest, ProveShowsTheErrorOfTheCompilerOrTheValueThatMissesALimit) {
  const std::string lab = Copy("one mistake");
  Change(lab, "lab.yaml", "global_bytes_per_element, max: 13", "global_bytes_per_element, max: 5");
  EXPECT_THAT(Warpgrade({"prove", lab}).out, HasSubstr("global_bytes_per_element is 12, and must be <= 5"));
  Change(lab, "solutions/mine/v1_each.cu", "a * d_x[i] + d_y[i];", "a * d_x[i] + d_y[i]");
  EXPECT_THAT(Warpgrade({"prove", lab}).out,
              testing::ContainsRegex("v1_each: 0 of 14 points: v1_each.cu.[0-9]+.: error: expected a"));
}

TEST_F(AuthorTest, ProveOfALabOfTheKitSaysThatAnInstalledKitHasNoSolutions) {
  namespace fs = std::filesystem;
  const fs::path kit = fs::path(WARPGRADE_BINARY).parent_path().parent_path(), installed = folder_->Path("installed");
  fs::create_directories(installed / "bin");
  fs::copy_file(WARPGRADE_BINARY, installed / "bin/warpgrade");
  std::string text = ReadText((kit / "share/warpgrade/kit.yaml").string());
  const std::string solutions = std::string(WARPGRADE_SOURCE_DIR) + "/solutions";
  ASSERT_NE(text.find(solutions), std::string::npos);
  text.replace(text.find(solutions), solutions.size(), "/nowhere");
  folder_->Write("installed/share/warpgrade/kit.yaml", text);
  const ProgramResult proved = RunProgram({(installed / "bin/warpgrade").string(), "prove", "lab1"});
  EXPECT_EQ(proved.exit_code, 2) << proved.out;
  EXPECT_THAT(proved.err, HasSubstr("this kit is installed, and has no solutions of its own labs, so lab1 cannot be"));
}

TEST_F(AuthorTest, ACourseGradesTheLabAndShowsItsQuiz) {
  const ProgramResult graded = Warpgrade({"grade", Lab() + "/solutions", "--course", Course(), "--sandbox", "none"});
  EXPECT_EQ(graded.exit_code, 0) << graded.err;
  EXPECT_THAT(graded.out, AllOf(HasSubstr("mine A scaled sum"), HasSubstr("14/14")));
  const ProgramResult checked = Warpgrade({"check", "mine", "--course", Course()});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("not written yet"));
  const ProgramResult quiz = Warpgrade({"quiz", "mine", "--student", "s1", "--course", Course()});
  EXPECT_THAT(quiz.out, HasSubstr("A kernel has one thread for each element"));
  const ProgramResult one = Warpgrade(
      {"check", "mine", "v1", "--case", "n = 1, a = 2", "--submission", Lab() + "/solutions", "--course", Course()});
  EXPECT_THAT(one.out, HasSubstr("case 2 of 5: n = 1, a = 2")) << one.err;
}

// What is compiled for the lab lies where only we may read, but compilers run as another user.
TEST_F(AuthorTest, TheLabIsGradedAsAnotherUserToo) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can run programs as another user";
  const ProgramResult graded = Warpgrade({"grade", Lab() + "/solutions", "--course", Course(), "--sandbox", "user"});
  EXPECT_EQ(graded.exit_code, 0) << graded.err;
  EXPECT_THAT(graded.out, HasSubstr("14/14"));
}

// Nothing hides this machine's files from such a program but their permissions.
TEST_F(AuthorTest, HiddenCasesThatAnotherUserCouldReadStopTheirLabOnly) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can run programs as another user";
  namespace fs = std::filesystem;
  const std::string lab = Copy("readable");
  const fs::perms before = fs::status(folder_->Path("")).permissions();
  fs::permissions(folder_->Path(""), fs::perms(0755));
  fs::permissions(lab + "/hidden.yaml", fs::perms(0644));
  const std::vector<std::string> grade = {"grade", lab + "/solutions", "--course", lab + "/course.yaml", "--sandbox",
                                          "user"};
  const ProgramResult refused = Warpgrade(grade);
  EXPECT_THAT(refused.out + refused.err, AllOf(HasSubstr("could read the hidden cases"), HasSubstr("chmod 600")));
  EXPECT_THAT(refused.out, Not(HasSubstr("14/14")));
  fs::permissions(lab + "/hidden.yaml", fs::perms(0600));
  const ProgramResult graded = Warpgrade(grade);
  EXPECT_THAT(graded.out, HasSubstr("14/14")) << graded.err;
  fs::permissions(folder_->Path(""), before);
}

TEST_F(AuthorTest, MakeStarterMakesTheFilesOfTheLabsOfACourse) {
  const std::string lab = Copy("to start");
  std::filesystem::remove_all(lab + "/starter");
  const ProgramResult made = Warpgrade({"make-starter", "--course", lab + "/course.yaml"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(ReadText(lab + "/starter/mine/v1_each.cu"), ReadText(Lab() + "/starter/mine/v1_each.cu"));
  EXPECT_THAT(ReadText(lab + "/solutions/mine/answers.yaml"), HasSubstr("idle: "));
  EXPECT_EQ(Warpgrade({"make-starter", "--check", "--course", lab + "/course.yaml"}).exit_code, 0);
}

TEST_F(AuthorTest, ALabThatCannotBeUsedDoesNotStopTheOthers) {
  const std::string bad = Copy("bad");
  Change(bad, "lab.yaml", "name: mine", "name: bad");
  Change(bad, "reference.cc", "double(a)", "double(b)");
  const std::string course =
      folder_->Write("several.yaml",
                     "course: {name: C, term: T}\nlabs:\n  mine: {from: my labs/mine}\n  bad: {from: bad}\n"
                     "  gone: {from: nowhere}\n  lab1: {from: my labs/mine}\n  other: {from: my labs/mine}\n");
  const ProgramResult graded = Warpgrade({"grade", Lab() + "/solutions", "--course", course, "--sandbox", "none"});
  EXPECT_EQ(graded.exit_code, 3) << graded.out;
  EXPECT_THAT(graded.out, HasSubstr("14/14"));
  EXPECT_THAT(graded.err, AllOf(HasSubstr("bad/reference.cc: it does not compile"), HasSubstr("bad/reference.cc:9:")));
  EXPECT_THAT(graded.err, HasSubstr(course + ":5:16: " + folder_->Path("nowhere/lab.yaml") + " is not there"));
  EXPECT_THAT(graded.err, HasSubstr(course + ":6:3: the kit has a lab 'lab1' of its own"));
  EXPECT_THAT(graded.err, HasSubstr("its name is 'mine', but course.yaml calls it 'other'"));
  const ProgramResult alone = Warpgrade({"check", "gone", "--course", course});
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_THAT(alone.err, HasSubstr("nowhere/lab.yaml is not there"));
  const ProgramResult validated = Warpgrade({"validate", course});
  EXPECT_EQ(validated.exit_code, 2);
  EXPECT_THAT(validated.out, AllOf(HasSubstr("several.yaml:5:16: error: "), HasSubstr("several.yaml:6:3: error: "),
                                   HasSubstr("bad/reference.cc: error: it does not compile"),
                                   HasSubstr("mine/lab.yaml: error: its name is 'mine'")));
}

TEST_F(AuthorTest, MistakesInLabYamlAreToldBeforeAnythingIsGraded) {
  const std::string lab = Copy("typo");
  Change(lab, "lab.yaml", "shape: n, range", "shape: m, range");
  const ProgramResult checked = Warpgrade({"check", "mine", "--course", lab + "/course.yaml"});
  EXPECT_NE(checked.exit_code, 0);
  EXPECT_THAT(checked.err,
              HasSubstr("lab.yaml:14:27: buffers.d_y.shape: there is no size 'm' here; did you mean 'n'?"));
  EXPECT_THAT(Warpgrade({"prove", lab}).err, HasSubstr("lab.yaml:14:27: "));
}

TEST_F(AuthorTest, NothingThatIsThereIsReplaced) {
  EXPECT_THAT(Warpgrade({"new", "lab", "mine", "--dir", Lab()}).err, HasSubstr("it is there already"));
  EXPECT_THAT(Warpgrade({"new", "rung", Lab(), "v1_each"}).err, HasSubstr("it has a rung 'v1_each' already"));
  EXPECT_THAT(Warpgrade({"new", "lab", "lab1"}).err, HasSubstr("the kit has a lab 'lab1' of its own"));
  EXPECT_THAT(Warpgrade({"new", "rung", "lab1", "v99"}).err, HasSubstr("lab1 is a lab of the kit"));
  EXPECT_THAT(Warpgrade({"prove", folder_->Path("")}).err, HasSubstr("there is no lab.yaml in it"));
}

}  // namespace
}  // namespace warpgrade
