// A class of ten in which half are broken in some way: everybody gets a row, and those who did nothing wrong lose
// nothing by it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/course/graded.h"

namespace warpgrade {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr char kDoesNotCompile[] = R"(#include "labs/lab2/lab2.h"
template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) { this is no C++ }
LAB2_INSTANTIATE();
)";

// A rung whose host function does `body`.
std::string HostFunction(const std::string& body) {
  return "#include \"labs/lab2/lab2.h\"\n#include <cuda_runtime.h>\n"
         "__global__ void touch(int* address) { *address = 1; }\n"
         "template <typename T>\n"
         "void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {\n" +
         body + "\n}\nLAB2_INSTANTIATE();\n";
}

void CopyTree(const std::string& from, const std::string& to) {
  std::filesystem::create_directories(std::filesystem::path(to).parent_path());
  std::filesystem::copy(from, to, std::filesystem::copy_options::recursive);
}

void Pack(const std::string& folder, const std::string& archive, const std::string& format) {
  const ProgramResult packed = RunProgram({"sh", "-c", "cd \"$1\" && \"$2\" -E tar cf \"$3\" --format=$4 lab2", "sh",
                                           folder, WARPGRADE_CMAKE, archive, format});
  ASSERT_EQ(packed.exit_code, 0) << packed.err;
}

TEST(HostileClassTest, AllTenGetARowAndTheHonestLoseNothing) {
  const TemporaryFolder folder;
  const auto with_v1 = [&](const std::string& student, const std::string& v1) {
    CopyTree(SourcePath("solutions/lab2"), folder.Path("class/" + student + "/lab2"));
    folder.Write("class/" + student + "/lab2/v1_naive.cu", v1);
  };
  CopyTree(SourcePath("solutions/lab2"), folder.Path("class/honest1/lab2"));
  CopyTree(SourcePath("solutions/lab2"), folder.Path("class/honest2/lab2"));
  Pack(SourcePath("solutions"), folder.Path("class/honest3_zip.zip"), "zip");
  CopyTree(SourcePath("starter/lab2"), folder.Path("class/untouched/lab2"));
  with_v1("no_compile", kDoesNotCompile);
  with_v1("hangs", HostFunction("volatile bool forever = true; while (forever) {}"));
  with_v1("segfaults", HostFunction("*reinterpret_cast<volatile int*>(8) = 1;"));
  with_v1("illegal_address", HostFunction("touch<<<1, 1, 0, stream>>>(reinterpret_cast<int*>(64));"));
  with_v1("exits", HostFunction("extern \"C\" [[noreturn]] void _exit(int); _exit(0);"));
  std::filesystem::create_directories(folder.Path("class/empty"));

  const Graded graded =
      Grade(folder.Path("class"), WithSmallCases({"--lab", "lab2", "--rung", "v1", "--rung", "v2", "--course",
                                                  folder.Write("course.yaml", ImpatientCourse())}));
  ASSERT_EQ(graded.program.exit_code, 0) << graded.program.err;
  EXPECT_EQ(graded.report.at("submissions").size(), 10u);
  EXPECT_THAT(graded.program.out, HasSubstr("illegal_address"));

  for (const char* student : {"honest1", "honest2", "honest3_zip"}) {
    const json& submission = graded.Submission(student);
    EXPECT_EQ(submission.at("points"), submission.at("measurable_points")) << student;
    EXPECT_GT(submission.at("points"), 0) << student;
  }
  const auto status_of_v1 = [&](const std::string& student) {
    return graded.Rung(student, "lab2", "v1_naive").at("status").get<std::string>();
  };
  EXPECT_EQ(status_of_v1("untouched"), "not_written");
  EXPECT_EQ(status_of_v1("no_compile"), "compile_error");
  EXPECT_EQ(status_of_v1("hangs"), "timeout");
  EXPECT_EQ(status_of_v1("segfaults"), "crashed");
  EXPECT_EQ(status_of_v1("empty"), "missing");
  EXPECT_NE(status_of_v1("exits"), "passed");
  EXPECT_NE(status_of_v1("illegal_address"), "passed");
  EXPECT_THAT(Told(graded.Rung("illegal_address", "lab2", "v1_naive")), HasSubstr("out-of-bounds"));
  EXPECT_THAT(Told(graded.Rung("no_compile", "lab2", "v1_naive")), HasSubstr("error"));
  for (const char* student : {"no_compile", "hangs", "segfaults", "illegal_address", "exits"}) {
    EXPECT_EQ(graded.Rung(student, "lab2", "v1_naive").at("points"), 0) << student;
    const json& other = graded.Rung(student, "lab2", "v2_shared");
    EXPECT_EQ(other.at("points"), other.at("measurable_points")) << student << ": one bad rung costs one rung";
  }
}

}  // namespace
}  // namespace warpgrade
