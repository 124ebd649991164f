// The folder for students is complete, works, and has no secrets; what cannot be written is refused and leaves nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

#include "tests/cli/program.h"

namespace warpgrade {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string kSource = WARPGRADE_SOURCE_DIR;

ProgramResult Release(const std::string& folder, const std::vector<std::string>& more = {}) {
  std::vector<std::string> command = {WARPGRADE_BINARY, "release", folder, "--for-this-machine"};
  command.insert(command.end(), more.begin(), more.end());
  return RunProgram(command);
}

ProgramResult FindSecrets(const std::string& folder) {
  return RunProgram({"/usr/bin/env", "python3", kSource + "/tests/release/find_secrets.py", folder, kSource});
}

ProgramResult Git(const std::string& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"/usr/bin/env", "git", "-c", "safe.directory=*", "-C", folder});
  return RunProgram(arguments);
}

// Released once for all tests that only look.
class ReleasedFolderTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    all_ = std::make_unique<TemporaryFolder>();
    released_ = Release(all_->Path("for students/"));
    ASSERT_EQ(released_.exit_code, 0) << released_.err;
  }
  static void TearDownTestSuite() { all_.reset(); }

  static std::string Path(const std::string& name) { return all_->Path("for students/" + name); }

  inline static std::unique_ptr<TemporaryFolder> all_;
  inline static ProgramResult released_;
};

TEST_F(ReleasedFolderTest, HasWhatStudentsNeed) {
  EXPECT_THAT(released_.out, HasSubstr("for students, without solutions and hidden cases"));
  for (const char* name : {"README.md",
                           "LICENSE",
                           "warpgrade",
                           "Makefile",
                           "CTestTestfile.cmake",
                           "course.yaml",
                           "starter/lab1/answers.yaml",
                           "starter/lab1/v1_interleaved_modulo.cu",
                           "labs/lab1/README.md",
                           "labs/lab1/lab1.h",
                           "labs/lab1/cases.yaml",
                           "labs/lab1/quiz.yaml",
                           "labs/lab1/poll.yaml",
                           "labs/not_written.h",
                           "labs/glossary/words.cu",
                           "docs/students.md",
                           "docs/pictures.md",
                           "kit/bin/warpgrade",
                           "kit/lib/warpgrade/liblab7_adapter.a",
                           "kit/lib/warpgrade/emulator/libcudart.so.13",
                           "kit/share/warpgrade/kit.yaml",
                           ".github/workflows/check.yml",
                           ".devcontainer/devcontainer.json",
                           ".devcontainer/Dockerfile",
                           ".gitignore",
                           ".git/HEAD"}) {
    EXPECT_TRUE(fs::exists(Path(name))) << name;
  }
  EXPECT_THAT(ReadText(Path("README.md")), Not(HasSubstr("@"))) << "a place that was not filled in";
  // A document keeps its pictures, since a link to a file that is not there would be gone.
  const std::string students = ReadText(Path("docs/students.md"));
  for (const char* name : {"block", "handout", "occupancy", "plot", "report", "steps", "study", "ui"}) {
    EXPECT_THAT(students, HasSubstr(std::string("](") + name + ".png)"));
  }
  EXPECT_THAT(ReadText(Path("docs/emulator.md")), HasSubstr("](program.png)"));
  EXPECT_THAT(ReadText(Path("README.md")), HasSubstr("docs/students.md#profile-your-own-rung"));
  EXPECT_THAT(students, HasSubstr("\n## Profile your own rung\n"));
  EXPECT_THAT(ReadText(Path("warpgrade")), HasSubstr("install_nvcc()"));
  EXPECT_EQ(RunProgram({"/usr/bin/env", "bash", "-n", Path("warpgrade")}).err, "");
  const std::string container = Path(".devcontainer/devcontainer.json");
  EXPECT_EQ(RunProgram({"/usr/bin/env", "python3", "-m", "json.tool", container}).exit_code, 0);
}

// An allow-list: whoever adds a file decides whether students may see it.
TEST_F(ReleasedFolderTest, HasNoOtherFiles) {
  std::set<std::string> unknown;
  for (const auto& entry : fs::recursive_directory_iterator(Path(""))) {
    const std::string name = fs::path(entry.path()).lexically_relative(Path("")).string();
    if (!entry.is_regular_file() || name.starts_with(".git/")) continue;
    static const std::set<std::string> kFolders = {"starter", "kit", "docs", ".github", ".devcontainer"};
    if (kFolders.contains(name.substr(0, name.find('/')))) continue;
    static const std::set<std::string> kNames = {"README.md",  "cases.yaml", "quiz.yaml",          "poll.yaml",
                                                 "words.cu",   "LICENSE",    "warpgrade",          "course.yaml",
                                                 ".gitignore", "Makefile",   "CTestTestfile.cmake"};
    if (!kNames.contains(entry.path().filename()) && entry.path().extension() != ".h") unknown.insert(name);
    if (name.find("judge") != std::string::npos || name.find("hidden") != std::string::npos) unknown.insert(name);
  }
  EXPECT_THAT(unknown, IsEmpty());
}

TEST_F(ReleasedFolderTest, HasNoSecrets) {
  const ProgramResult search = FindSecrets(Path(""));
  EXPECT_EQ(search.exit_code, 0) << search.out << search.err;
}

TEST_F(ReleasedFolderTest, ASecretThatIsPlantedIsFound) {
  const TemporaryFolder folder;
  folder.Write("a harmless file", "int main() {}\n");
  folder.Write("solution.cu", ReadText(kSource + "/solutions/lab3/v3_tiled.cu"));
  folder.Write("program", std::string("\0ELF\0", 5) + ReadText(kSource + "/solutions/lab1/v8_shuffle.cu"));
  folder.Write("answers.yaml", ReadText(kSource + "/solutions/lab1/answers.yaml"));
  folder.Write("hidden.cu", "// for (int i = 0;  i < 2; ++i)   add(AnyPrime(random));\n");
  folder.Write("symbol", std::string("\0_ZN4lab111HiddenCasesESt17basic_string_view\0", 44));
  folder.Write("mutant.md", "see v3_sequential__is_v2");
  folder.Write("course.yaml",
               "# (BENCHMARKS.md).\n    # timed alternately. The thresholds of v2, v6 and v7 on h200 follow the "
               "solutions, which reach 1283, 3661 and 465 GB/s\n");
  const ProgramResult search = FindSecrets(folder.Path(""));
  EXPECT_EQ(search.exit_code, 1) << search.err;
  EXPECT_THAT(search.out, Not(HasSubstr("harmless")));
  for (const char* found :
       {"solution.cu: solutions/lab3/v3_tiled.cu: ", "program: solutions/lab1/v8_shuffle.cu: ",
        "answers.yaml: solutions/lab1/answers.yaml: ", "hidden.cu: labs/lab1/hidden.cc: ",
        "symbol: a function of labs/", "mutant.md: a wrong program: ", "course.yaml: course.yaml: "}) {
    EXPECT_THAT(search.out, HasSubstr(found));
  }
}

TEST_F(ReleasedFolderTest, IsARepositoryWithAllFilesInOneCommit) {
  EXPECT_EQ(Git(Path(""), {"status", "--porcelain"}).out, "");
  EXPECT_EQ(Git(Path(""), {"rev-list", "--count", "HEAD"}).out, "1\n");
  EXPECT_EQ(Git(Path(""), {"branch", "--show-current"}).out, "main\n");
  EXPECT_THAT(Git(Path(""), {"ls-files", "--stage", "warpgrade"}).out, HasSubstr("100755"));
}

TEST_F(ReleasedFolderTest, ASecondReleaseIsTheSame) {
  ASSERT_EQ(Release(all_->Path("again")).exit_code, 0);
  const std::string first = Git(Path(""), {"rev-parse", "HEAD"}).out;
  EXPECT_EQ(first.size(), 41u);
  EXPECT_EQ(Git(all_->Path("again"), {"rev-parse", "HEAD"}).out, first);
  const ProgramResult same =
      RunProgram({"/usr/bin/env", "diff", "-r", "--exclude=.git", Path(""), all_->Path("again")});
  EXPECT_EQ(same.exit_code, 0) << same.out;
}

TEST_F(ReleasedFolderTest, AFirstRungGetsItsPoints) {
  const std::string rung = "/lab2/v1_naive.cu";
  ASSERT_EQ(RunProgram({"/usr/bin/env", "cp", "-r", Path("."), all_->Path("student")}).exit_code, 0);
  fs::copy_file(kSource + "/solutions" + rung, all_->Path("student/starter" + rung),
                fs::copy_options::overwrite_existing);
  const ProgramResult check =
      RunProgram({all_->Path("student/warpgrade"), "check", "lab2", "v1", "--device", "emulator"});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_THAT(check.out, HasSubstr("v1_naive  ok 41/41")) << check.err;
  EXPECT_THAT(check.out, HasSubstr("of what can be measured here     9/9"));
}

// What a report prints can be pasted into the shell in which the launcher was started.
TEST_F(ReleasedFolderTest, HandoutsHaveTheirPagesWithTheLadderAndTheWords) {
  const TemporaryFolder folder;
  for (const char* lab : {"lab0", "lab1", "lab3", "lab8", "glossary"}) {
    const std::string page = folder.Path(std::string(lab) + ".html");
    const ProgramResult written = RunProgram({Path("kit/bin/warpgrade"), "handout", lab, "--html", page});
    EXPECT_EQ(written.exit_code, 0) << written.err;
  }
  const std::string page = ReadText(folder.Path("lab3.html"));
  EXPECT_THAT(page, testing::AllOf(HasSubstr("id=\"word-sector\""), HasSubstr("\"categories\":[\"v1_naive\",")));
}

TEST_F(ReleasedFolderTest, ACommandThatIsPrintedStartsTheLauncher) {
  ASSERT_EQ(RunProgram({"/usr/bin/env", "cp", "-r", Path("."), all_->Path("paster")}).exit_code, 0);
  const std::string rung =
      "#include \"labs/lab2/lab2.h\"\n__global__ void Past(float* p) { p[1 << 20] = 1; }\n"
      "template <typename T>\nvoid transpose(const T*, T* d_out, size_t, size_t, cudaStream_t stream) {\n"
      "  Past<<<1, 1, 0, stream>>>(reinterpret_cast<float*>(d_out));\n}\nLAB2_INSTANTIATE();\n";
  std::ofstream(all_->Path("paster/starter/lab2/v1_naive.cu")) << rung;
  const ProgramResult check = RunProgram(
      {"/usr/bin/env", "-C", all_->Path("paster"), "./warpgrade", "check", "lab2", "v1", "--device", "emulator"});
  EXPECT_THAT(check.out, HasSubstr("again  ./warpgrade check lab2 v1 --case ")) << check.err;
}

TEST_F(ReleasedFolderTest, MakeChecksALabAndCtestItsRungs) {
  ASSERT_EQ(RunProgram({"/usr/bin/env", "cp", "-r", Path("."), all_->Path("maker")}).exit_code, 0);
  const ProgramResult make = RunProgram({"/usr/bin/env", "make", "-C", all_->Path("maker"), "lab2"});
  EXPECT_THAT(make.out, HasSubstr("v1_naive     not written yet")) << make.err;
  const ProgramResult ctest =
      RunProgram({"/usr/bin/env", "-C", all_->Path("maker"), "ctest", "-R", "lab2.v1_naive.correctness"});
  EXPECT_THAT(ctest.out, HasSubstr("lab2.v1_naive.correctness")) << ctest.err;
  EXPECT_THAT(ctest.out, HasSubstr("Skipped"));
}

TEST_F(ReleasedFolderTest, TheWorkflowChecksEveryLab) {
  const std::string workflow = ReadText(Path(".github/workflows/check.yml"));
  std::set<std::string> labs;
  for (const auto& folder : fs::directory_iterator(kSource + "/solutions")) labs.insert(folder.path().filename());
  std::string loop = "for lab in";
  for (const std::string& lab : labs) loop += " " + lab;
  EXPECT_THAT(workflow, HasSubstr(loop + "; do"));
  // Its step, with a launcher that only says what it was asked.
  const TemporaryFolder folder;
  folder.Write("check.yml", workflow);
  fs::permissions(folder.Write("warpgrade", "#!/bin/sh\necho asked to \"$@\"\ntest $2 != lab5\n"),
                  fs::perms::owner_all);
  const std::string step = R"(import sys, yaml
steps = yaml.safe_load(open("check.yml"))["jobs"]["check"]["steps"]
print(next(s["run"] for s in steps if "run" in s)))";
  const ProgramResult script = RunProgram({"/usr/bin/env", "-C", folder.Path(""), "python3", "-c", step});
  if (script.err.find("No module named 'yaml'") != std::string::npos) GTEST_SKIP() << "no PyYAML";
  const ProgramResult run = RunProgram({"/usr/bin/env", "-C", folder.Path(""), "GITHUB_STEP_SUMMARY=summary", "bash",
                                        "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script.out});
  EXPECT_EQ(run.exit_code, 1) << "the failure of one lab";
  EXPECT_THAT(run.out, HasSubstr("asked to check lab7"));
  // What a program prints stands between two lines with a word that it cannot know.
  const std::string stop = "::stop-commands::";
  ASSERT_TRUE(run.out.starts_with(stop)) << run.out;
  const std::string word = run.out.substr(stop.size(), run.out.find('\n') - stop.size());
  EXPECT_FALSE(word.empty());
  EXPECT_TRUE(run.out.ends_with("\n::" + word + "::\n")) << run.out;
  EXPECT_THAT(ReadText(folder.Path("summary")), HasSubstr("```\nasked to check lab7\n```"));
}

TEST(ReleaseCommandTest, TheStaffGetSolutionsAndHiddenCases) {
  const TemporaryFolder folder;
  const ProgramResult released = Release(folder.Path("staff"), {"--staff"});
  ASSERT_EQ(released.exit_code, 0) << released.err;
  EXPECT_THAT(released.out, HasSubstr("do not give it to students"));
  for (const char* name : {"solutions/lab1/v1_interleaved_modulo.cu", "labs/lab1/hidden.cc", "docs/instructors.md"}) {
    EXPECT_TRUE(fs::exists(folder.Path(std::string("staff/") + name))) << name;
  }
  const ProgramResult found = FindSecrets(folder.Path("staff"));
  EXPECT_THAT(found.out, HasSubstr("solutions/lab1")) << "the search would find them in the folder for students";
  const ProgramResult grade = RunProgram({folder.Path("staff/warpgrade"), "grade", folder.Path("staff/solutions"),
                                          "--lab", "lab2", "--rung", "v1", "--device", "emulator"});
  EXPECT_THAT(grade.out, HasSubstr("v1_naive  ok 56/56")) << grade.err;
}

TEST(ReleaseCommandTest, ThePartsOfTheCourseThatOnlyTheStaffMaySeeAreLeftOut) {
  const TemporaryFolder folder;
  const std::string course =
      folder.Write("course.yaml", "slurm: {folder: /shared, account: staff17}\n" + ReadText(kSource + "/course.yaml"));
  ASSERT_EQ(Release(folder.Path("out"), {"--course", course}).exit_code, 0);
  EXPECT_THAT(ReadText(folder.Path("out/course.yaml")), Not(HasSubstr("staff17")));
  // What remains is understood, and means the same.
  const ProgramResult left = RunProgram({folder.Path("out/kit/bin/warpgrade"), "course"});
  EXPECT_EQ(left.exit_code, 0) << left.err;
  EXPECT_EQ(left.out, RunProgram({WARPGRADE_BINARY, "course"}).out);
}

TEST(ReleaseCommandTest, ALabOutsideOfTheKitIsInTheFolderWithoutItsSecrets) {
  const TemporaryFolder folder;
  ASSERT_EQ(RunProgram({WARPGRADE_BINARY, "new", "lab", "mine", "--dir", folder.Path("away/mine")}).exit_code, 0);
  const std::string course =
      folder.Write("course.yaml", "course: {name: C, term: T}\nlabs: {mine: {from: away/mine}}\n");
  const ProgramResult released = Release(folder.Path("out"), {"--course", course});
  ASSERT_EQ(released.exit_code, 0) << released.err;
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder.Path("out"))) {
    const std::string name = entry.path().lexically_relative(folder.Path("out")).string();
    if (entry.is_regular_file() && name.find("mine") != std::string::npos) files.insert(name);
  }
  EXPECT_THAT(files, testing::ElementsAre("labs/mine/README.md", "labs/mine/lab.yaml", "labs/mine/mine.h",
                                          "labs/mine/quiz.yaml", "labs/mine/reference.cc", "starter/mine/answers.yaml",
                                          "starter/mine/v1_each.cu"));
  EXPECT_THAT(ReadText(folder.Path("out/labs/mine/lab.yaml")), Not(HasSubstr("#  ")));
  // The author's folder is gone: the students' kit needs nothing of it.
  fs::copy_file(folder.Path("away/mine/solutions/mine/v1_each.cu"), folder.Path("out/starter/mine/v1_each.cu"),
                fs::copy_options::overwrite_existing);
  fs::remove_all(folder.Path("away"));
  const ProgramResult check = RunProgram({folder.Path("out/warpgrade"), "check", "mine", "v1", "--device", "emulator"});
  EXPECT_THAT(check.out, HasSubstr("v1_each  ok 6/6")) << check.err;
  const ProgramResult handout = RunProgram({folder.Path("out/kit/bin/warpgrade"), "handout", "mine"});
  EXPECT_EQ(handout.exit_code, 0) << handout.err;
  EXPECT_THAT(handout.out, HasSubstr("v1_each"));
  const ProgramResult no_staff = RunProgram({folder.Path("out/warpgrade"), "prove", "mine"});
  EXPECT_NE(no_staff.exit_code, 0);
}

TEST(ReleaseCommandTest, AFolderThatIsNotEmptyIsRefusedAndStaysAsItWas) {
  const TemporaryFolder folder;
  folder.Write("full/notes.txt", "mine");
  const ProgramResult refused = Release(folder.Path("full"));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("the folder is not empty; name a new folder"));
  const ProgramResult file = Release(folder.Path("full/notes.txt"));
  EXPECT_EQ(file.exit_code, 2);
  EXPECT_THAT(file.err, HasSubstr("it exists and is no folder"));
  EXPECT_EQ(ReadText(folder.Path("full/notes.txt")), "mine");
  fs::create_directory(folder.Path("empty"));
  EXPECT_EQ(Release(folder.Path("empty")).exit_code, 0) << "an empty folder will do";
}

TEST(ReleaseCommandTest, WhatCannotBeWrittenLeavesNothing) {
  // No one can make a folder there, not even root.
  const ProgramResult read_only = Release("/proc/self/students");
  EXPECT_EQ(read_only.exit_code, 3);
  EXPECT_THAT(read_only.err, HasSubstr("/proc/self/students: it cannot be written: "));
  EXPECT_THAT(read_only.err, HasSubstr("name a folder whose parent you can write to"));
  // git fails after all files are written.
  const TemporaryFolder folder;
  fs::permissions(folder.Write("bin/git", "#!/bin/sh\necho no room >&2; exit 1\n"), fs::perms::owner_all);
  const ProgramResult no_git =
      RunProgram({WARPGRADE_BINARY, "release", folder.Path("deep/er/out"), "--for-this-machine"},
                 {"PATH=" + folder.Path("bin") + ":/usr/bin:/bin"});
  EXPECT_EQ(no_git.exit_code, 3);
  EXPECT_THAT(no_git.err, HasSubstr("git init failed"));
  EXPECT_THAT(no_git.err, HasSubstr("no room"));
  EXPECT_TRUE(fs::is_empty(folder.Path("deep/er")));
}

}  // namespace
}  // namespace warpgrade
