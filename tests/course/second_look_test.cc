// The second look at a rung with wrong values (grader/judge/second_look.h), with the built warpgrade and the real nvcc.
// A script in the place of nvcc writes down how it is called, so that a test sees what was compiled without
// optimisation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <map>
#include <sstream>
#include <stdexcept>

#include "grader/build/toolchain.h"
#include "tests/course/graded.h"

namespace warpgrade {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr char kUnoptimised[] = "-Xcicc -O0";

std::string Solution(const std::string& lab, const std::string& rung) {
  return ReadText(SourcePath("solutions/" + lab + "/" + rung + ".cu"));
}

// `text` with `to` in the place of the first `from`.
std::string With(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "the solution has no " << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

// lab6 v1 with a loop that goes one element too far through `weights.at`, which has 3 x 3.
std::string RowTooMany() {
  return With(Solution("lab6", "v1_naive"), "for (int i = 0; i < 3; ++i)", "for (int i = 0; i <= 3; ++i)");
}

class SecondLookTest : public testing::Test {
 protected:
  SecondLookTest() {
    // The nvcc that CMake found may itself be a script, in a folder that holds no toolkit.
    const auto toolkit = build::FirstUsableToolchain({TOOLKIT_NVCC});
    if (!toolkit) throw std::runtime_error(toolkit.error().message);
    nvcc_ = toolkit->nvcc;
    for (const auto& entry : fs::directory_iterator(toolkit->root)) {
      if (entry.path().filename() == "bin") continue;
      folder_.Write("cuda/bin/log", "");
      fs::create_symlink(entry.path(), folder_.Path("cuda/" + entry.path().filename().string()));
    }
    UseNvcc("");
    setenv("CUDACXX", folder_.Path("cuda/bin/nvcc").c_str(), 1);
    setenv("XDG_CACHE_HOME", folder_.Path("cache").c_str(), 1);
  }
  ~SecondLookTest() override {
    unsetenv("CUDACXX");
    unsetenv("XDG_CACHE_HOME");
  }

  // `line`: of the shell, before the real nvcc is called. The script does not say which nvcc that is, or warpgrade
  // would call it directly.
  void UseNvcc(const std::string& line) const {
    const std::string script = "#!/bin/sh\n[ \"$1\" = --dryrun ] && exit 1\necho \"$*\" >> '" +
                               folder_.Path("cuda/bin/log") + "'\n" + line + "\nexec '" + nvcc_ + "' \"$@\"\n";
    fs::permissions(folder_.Write("cuda/bin/nvcc", script), fs::perms::owner_all);
  }

  // Without a sandbox, in which the script could write nothing.
  Graded GradeFiles(const std::string& lab, const std::map<std::string, std::string>& rungs,
                    const std::string& sandbox = "none") const {
    for (const auto& [rung, text] : rungs) folder_.Write("class/s1/" + lab + "/" + rung + ".cu", text);
    Graded graded = Grade(folder_.Path("class"), WithSmallCases({"--lab", lab, "--sandbox", sandbox}));
    EXPECT_EQ(graded.program.exit_code, 0) << graded.program.err;
    return graded;
  }

  json GradeRung(const std::string& lab, const std::string& rung, const std::string& text) const {
    return GradeFiles(lab, {{rung, text}}).Rung("s1", lab, rung);
  }

  // How often nvcc compiled something without optimisation.
  int Unoptimised() const {
    std::istringstream log(ReadText(folder_.Path("cuda/bin/log")));
    int count = 0;
    for (std::string line; std::getline(log, line);) count += line.find(kUnoptimised) != std::string::npos ? 1 : 0;
    return count;
  }

  TemporaryFolder folder_;
  std::string nvcc_;  // the toolkit's own
};

void ExpectIndexIsNamed(const json& rung, const std::string& source) {
  EXPECT_EQ(rung.at("status"), "failed");
  EXPECT_EQ(rung.at("points"), 0);
  ASSERT_THAT(rung.at("findings"), SizeIs(1)) << rung.at("findings");
  const json& finding = rung.at("findings")[0];
  EXPECT_EQ(finding.at("kind"), "out-of-bounds");
  EXPECT_THAT(LineOf(source, finding.at("line").get<int>()), HasSubstr("weights.at[i][j]"));
  EXPECT_THAT(finding.at("message").get<std::string>(), HasSubstr("in registers"));
  EXPECT_EQ(finding.at("cases"), 0);
}

TEST_F(SecondLookTest, AnIndexPastAnArrayInRegistersIsNamedWithItsLine) {
  const Graded graded = GradeFiles("lab6", {{"v1_naive", RowTooMany()}});
  const json& rung = graded.Rung("s1", "lab6", "v1_naive");
  ExpectIndexIsNamed(rung, RowTooMany());
  EXPECT_FALSE(rung.at("correctness").at("failures").empty()) << "what was wrong is still told";
  EXPECT_EQ(Unoptimised(), 1);
}

// Without debug data, the element behind `now` would be one of another variable.
TEST_F(SecondLookTest, AnIndexThatReachesAnotherVariableOfTheThreadIsNamed) {
  const std::string source = With(Solution("lab6", "v4_open"), "for (int j = 0; j < kWidth; ++j) x[j + 1] = now.at[j]",
                                  "for (int j = 0; j <= kWidth; ++j) x[j + 1] = now.at[j]");
  const json rung = GradeRung("lab6", "v4_open", source);
  EXPECT_EQ(rung.at("status"), "failed");
  ASSERT_THAT(rung.at("findings"), SizeIs(1)) << rung.at("findings");
  const json& finding = rung.at("findings")[0];
  EXPECT_EQ(finding.at("kind"), "out-of-bounds");
  EXPECT_THAT(LineOf(source, finding.at("line").get<int>()), HasSubstr("now.at[j]"));
  EXPECT_THAT(finding.at("message").get<std::string>(), HasSubstr("just past the end of "));
}

TEST_F(SecondLookTest, ARightRungIsCompiledOnce) {
  const json rung = GradeRung("lab6", "v1_naive", Solution("lab6", "v1_naive"));
  EXPECT_EQ(rung.at("status"), "passed");
  EXPECT_THAT(rung.at("findings"), IsEmpty());
  EXPECT_EQ(Unoptimised(), 0);
}

TEST_F(SecondLookTest, AWrongRungWithoutALocalArrayIsNotCompiledAgain) {
  const json rung = GradeRung("lab2", "v1_naive", With(Solution("lab2", "v1_naive"), "d_out[", "d_out[0 * "));
  EXPECT_EQ(rung.at("status"), "failed");
  EXPECT_EQ(Unoptimised(), 0);
}

TEST_F(SecondLookTest, AFaultThatAFindingExplainsGetsNone) {
  const std::string outside =
      With(Solution("lab6", "v1_naive"), "d_out[here] = sum", "d_out[here + rows * columns] = sum");
  const json rung = GradeRung("lab6", "v1_naive", outside);
  EXPECT_THAT(rung.at("findings"), SizeIs(1)) << rung.at("findings");
  EXPECT_EQ(Unoptimised(), 0);
}

TEST_F(SecondLookTest, EachOfTwoRungsThatAreCompiledTogetherGetsItsFindingInTheSandboxToo) {
  unsetenv("CUDACXX");
  const std::string shared =
      With(Solution("lab6", "v2_shared"), "for (int i = 0; i < 3; ++i)", "for (int i = 0; i <= 3; ++i)");
  const Graded graded = GradeFiles("lab6", {{"v1_naive", RowTooMany()}, {"v2_shared", shared}}, "bubblewrap");
  ExpectIndexIsNamed(graded.Rung("s1", "lab6", "v1_naive"), RowTooMany());
  ExpectIndexIsNamed(graded.Rung("s1", "lab6", "v2_shared"), shared);
}

TEST_F(SecondLookTest, TwoOverrunsAreTwoFindings) {
  const std::string both = With(RowTooMany(), "  d_out[here] = sum;",
                                "  for (int k = 0; k <= 3; ++k) sum += weights.at[2][k];\n"
                                "  d_out[here] = sum;");
  const json rung = GradeRung("lab6", "v1_naive", both);
  ASSERT_THAT(rung.at("findings"), SizeIs(2)) << rung.at("findings");
  EXPECT_NE(rung.at("findings")[0].at("line"), rung.at("findings")[1].at("line"));
}

TEST_F(SecondLookTest, WhereItDoesNotCompileTheReportIsWhatItWas) {
  UseNvcc("case \"$*\" in *'-Xcicc -O0'*) echo 'v1_naive.cu(1): error: no' >&2; exit 1 ;; esac");
  const Graded graded = GradeFiles("lab6", {{"v1_naive", RowTooMany()}});
  const json& rung = graded.Rung("s1", "lab6", "v1_naive");
  EXPECT_EQ(rung.at("status"), "failed");
  EXPECT_THAT(rung.at("findings"), IsEmpty());
  EXPECT_THAT(rung.at("messages").dump(), Not(HasSubstr("error: no")));
  EXPECT_GT(Unoptimised(), 0) << "it was tried";
}

}  // namespace
}  // namespace warpgrade
