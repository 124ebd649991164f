// What a student is told about an honest mistake: where it is and what to do, and nothing about how grading is done.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/course/graded.h"

namespace warpgrade {
namespace {

using testing::ContainsRegex;
using testing::Not;

struct Mistake {
  const char* name;
  std::string file;               // v1_naive.cu of lab2
  const char* status;             // of the rung
  std::vector<const char*> told;  // regular expressions, each of which what the student is told must match
};

// v1_naive.cu with `above` the host function and `body` in it, on line 6 + the lines of `above`.
std::string Naive(const std::string& above, const std::string& body, const std::string& end = "LAB2_INSTANTIATE();\n") {
  return "#include <cstdio>\n#include <stdexcept>\n#include \"labs/lab2/lab2.h\"\n" + above +
         "template <typename T>\nvoid transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t "
         "stream) "
         "{\n" +
         body + "\n}\n" + end;
}

// A right kernel, launched by `body`; it begins on line 4.
const char* const kKernel =
    "template <typename T>\n"
    "__global__ void copy(const T* in, T* out, size_t rows, size_t columns) {\n"
    "  size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;\n"
    "  if (i < rows * columns) out[(i % columns) * rows + i / columns] = in[i];\n"
    "}\n";
const char* const kLaunch =
    "  if (rows * columns == 0) return;\n"
    "  copy<<<(rows * columns + 255) / 256, 256, 0, stream>>>(d_in, d_out, rows, columns);";

// Long because it is a table: one row for each mistake.
std::vector<Mistake> Mistakes() {
  const std::string endless =
      "template <typename T>\n"
      "__global__ void endless(T* out) {\n"
      "  volatile bool forever = true;\n"
      "  while (forever) {\n  }\n"
      "  out[0] = 1;\n"
      "}\n";
  const std::string slow =
      "template <typename T>\n"
      "__global__ void slow(const T* in, T* out, size_t rows, size_t columns) {\n"
      "  for (size_t i = 0; i < rows * columns; ++i)\n"
      "    for (size_t j = 0; j < rows * columns; ++j)\n"
      "      if (j == i) out[(i % columns) * rows + i / columns] = in[j];\n"
      "}\n";
  const std::string far =
      "template <typename T>\n"
      "__global__ void far(T* out) {\n"
      "  out[size_t{1} << 40] = 1;\n"
      "}\n";
  return {
      {"syntax",
       Naive(kKernel, "  size_t n = rows *;\n" + std::string(kLaunch)),
       "compile_error",
       {R"(v1_naive\.cu\(1[0-9]\): error: expected an expression)"}},
      {"semicolon",
       Naive(kKernel, kLaunch, "LAB2_INSTANTIATE()"),
       "compile_error",
       {R"(v1_naive\.cu\(1[0-9]\): error: expected a ";")"}},
      {"brace", Naive(kKernel, std::string(kLaunch) + " {"), "compile_error", {R"(v1_naive\.cu\(1[0-9]\): error: )"}},
      {"undeclared",
       Naive(kKernel, "  helper(rows);\n" + std::string(kLaunch)),
       "compile_error",
       {R"(v1_naive\.cu\(1[0-9]\): error: identifier "helper" is undefined)"}},
      {"undefined",
       Naive("void helper(size_t rows);\n", "  helper(rows);"),
       "compile_error",
       {R"(v1_naive\.cu: uses helper\(unsigned long\), which is not defined; define it in this file)"}},
      {"null",
       Naive("", "  *reinterpret_cast<volatile int*>(rows - rows) = 1;"),
       "crashed",
       {R"(segmentation fault in host code: v1_naive\.cu:6 writes to 0x0, a null pointer)"}},
      {"device_pointer",
       Naive("", "  if (rows * columns > 0) d_out[0] = d_in[0];"),
       "crashed",
       {R"(v1_naive\.cu:6 reads 0x[0-9a-f]+, which lies in device memory \(d_in\))", "copy it with cudaMemcpy"}},
      {"own_device_memory",
       Naive("",
             "  T* d_copy = nullptr;\n"
             "  cudaMalloc(&d_copy, 64);\n"
             "  d_copy[3] = 1;"),
       "crashed",
       {R"(v1_naive\.cu:8 writes to 0x[0-9a-f]+, which lies in device memory \(cudaMalloc\))"}},
      {"no_blocks",
       Naive(kKernel,
             "  size_t per_block = rows * columns / 2;\n"
             "  copy<<<rows * columns / per_block, 256, 0, stream>>>(d_in, d_out, rows, columns);"),
       "crashed",
       {R"(division by zero in host code: v1_naive\.cu:12: is a size or a block count 0)"}},
      {"throws",
       Naive("", "  throw std::runtime_error(\"no plan for this\");"),
       "failed",
       {"your host function threw an exception: no plan for this"}},
      {"address",
       Naive(far, "  far<<<1, 1, 0, stream>>>(d_out);"),
       "failed",
       {"out-of-bounds", R"(far.*v1_naive\.cu:6)"}},
      {"endless",
       Naive(endless, "  endless<<<1, 1, 0, stream>>>(d_out);"),
       "timeout",
       {R"(endless.*v1_naive\.cu:7)", "this loop never ends"}},
      {"slow",
       Naive(slow, "  slow<<<1, 1, 0, stream>>>(d_in, d_out, rows, columns);"),
       "timeout",
       {R"(slow.*v1_naive\.cu:[678])", "far more work than this needs"}},
      {"memory",
       Naive(kKernel,
             "  T* d_copy = nullptr;\n"
             "  if (cudaMalloc(&d_copy, size_t{1} << 45) != cudaSuccess)\n"
             "    throw std::runtime_error(cudaGetErrorString(cudaGetLastError()));\n" +
                 std::string(kLaunch)),
       "failed",
       {"your host function threw an exception: out of memory"}},
      {"memory_unchecked",
       Naive(kKernel,
             "  T* d_copy = nullptr;\n"
             "  cudaMalloc(&d_copy, size_t{1} << 45);\n"
             "  if (rows * columns == 0) return;\n"
             "  copy<<<(rows * columns + 255) / 256, 256, 0, stream>>>(d_in, d_copy, rows, columns);"),
       "failed",
       {"out of memory", R"(copy.*v1_naive\.cu:7)"}},
  };
}

// "kernel endless, v1_naive.cu:7", one per line.
std::string Places(const nlohmann::json& rung) {
  std::string places;
  for (const nlohmann::json& finding : rung.at("findings")) {
    places += "kernel " + finding.at("kernel").get<std::string>() + ", " + finding.at("file").get<std::string>() + ":" +
              std::to_string(finding.at("line").get<int>()) + "\n";
  }
  return places;
}

TEST(MessagesTest, AnHonestMistakeIsToldWhereItIsAndWhatToDo) {
  const TemporaryFolder folder;
  for (const Mistake& mistake : Mistakes()) {
    folder.Write("class/" + std::string(mistake.name) + "/lab2/v1_naive.cu", mistake.file);
  }
  std::string course = ReadText(SourcePath("course.yaml"));
  const size_t begin = course.find('{', course.find("\n  run: {"));
  course.replace(begin, course.find('}', begin) + 1 - begin,
                 "{wall: 30s, cpu: 30s, memory: 1024MB, output: 64KB, file: 1MB, instructions: 2e8}");
  const Graded graded = Grade(folder.Path("class"), {"--lab", "lab2", "--rung", "v1", "--details", "--course",
                                                     folder.Write("course.yaml", course)});
  ASSERT_EQ(graded.program.exit_code, 0) << graded.program.err;
  for (const Mistake& mistake : Mistakes()) {
    const nlohmann::json& rung = graded.Rung(mistake.name, "lab2", "v1_naive");
    const std::string told = Places(rung) + Told(rung);
    SCOPED_TRACE(std::string(mistake.name) + " is told:\n" + told);
    EXPECT_EQ(rung.at("status").get<std::string>(), mistake.status);
    for (const char* expected : mistake.told) EXPECT_THAT(told, ContainsRegex(expected));
    EXPECT_THAT(told, Not(ContainsRegex("sandbox|bubblewrap|bwrap|seccomp|worker")));
  }
}

// The call of reduce_in_passes still has the number of elements of v3's blocks. Half of the blocks then have none.
TEST(MessagesTest, AV5WithTwiceAsManyBlocksIsToldSoWithoutLosingPoints) {
  std::string v5 = ReadText(SourcePath("solutions/lab1/v5_last_warp.cu"));
  const std::string right = "d_work, 2 * kThreads,";
  ASSERT_NE(v5.find(right), std::string::npos);
  const TemporaryFolder folder;
  folder.Write("class/right/lab1/v5_last_warp.cu", v5);
  folder.Write("class/twice/lab1/v5_last_warp.cu", v5.replace(v5.find(right), right.size(), "d_work, kThreads,"));
  const Graded graded = Grade(folder.Path("class"), WithSmallCases({"--lab", "lab1", "--rung", "v5", "--details"}));
  ASSERT_EQ(graded.program.exit_code, 0) << graded.program.err;
  const nlohmann::json &twice = graded.Rung("twice", "lab1", "v5_last_warp"),
                       &right_one = graded.Rung("right", "lab1", "v5_last_warp");
  EXPECT_EQ(twice.at("points"), right_one.at("points"));
  EXPECT_THAT(Told(twice), ContainsRegex("in v4 and v5 each thread loads two"));
  EXPECT_THAT(Told(right_one), Not(ContainsRegex("each thread loads two")));
}

}  // namespace
}  // namespace warpgrade
