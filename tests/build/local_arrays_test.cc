#include "grader/build/local_arrays.h"

#include <gtest/gtest.h>

#include <string>

namespace warpgrade::build {
namespace {

TEST(LocalArraysTest, SeesAnArrayOfAThread) {
  for (const char* text :
       {"float sum[3];", "  float sum [kRows][kColumns] = {};", "unsigned a, b[4];", "float4 quad[3];",
        "Pack<T> pack[kLoads];", "lab6::Step<kPoints, 4> steps[kSteps] = {};", "struct Four {\n  float at[4];\n};",
        "for (int i = 0, j[2]; ;)", "using Row = float[4];", "typedef float Row[4];", "std::array<float, 3> a;",
        "wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;", "void f(const float w[3]) {}", "int\n  held[2];"}) {
    EXPECT_TRUE(MayDeclareLocalArray(std::string("void k() {\n") + text + "\n}")) << text;
  }
}

TEST(LocalArraysTest, IsNotDeceivedByAccessesAndByOtherArrays) {
  for (const char* text : {"out[i] = in[i];",
                           "return in[i];",
                           "sum += a[i] * b[j];",
                           "x = c ? a[i] : b[i];",
                           "if (i < n) out[i] = 1;",
                           "f(a[i], b[j]);",
                           "f(x, b[j]);",
                           "y = a > b[i];",
                           "y = a * b[i];",
                           "const float* rows[2];",
                           "float *rows[2];",
                           "y = p->at[i];",
                           "const auto f = [&] { return in[i]; };",
                           "__shared__ float tile[32][33];",
                           "extern __shared__ float tile[];",
                           "static constexpr int kOrder[3] = {1, 2, 3};",
                           "else out[i] = 0;",
                           "auto* p = new float[n];",
                           "delete[] p;",
                           "// the element[i] of a row[j]\n",
                           "/* float sum[3]; */",
                           "x = y, a[i] = 1;",
                           "T value = in[i];",
                           "out[i / 2] = -in[i];"}) {
    EXPECT_FALSE(MayDeclareLocalArray(std::string("void k() {\n") + text + "\n}")) << text;
  }
  EXPECT_FALSE(MayDeclareLocalArray("__constant__ float weights[64];\n__device__ int counts[256];\n"));
  EXPECT_FALSE(MayDeclareLocalArray(""));
}

TEST(LocalArraysTest, AHostileTextTakesNoLongTime) {
  EXPECT_FALSE(MayDeclareLocalArray(std::string(1 << 20, '[')));
  EXPECT_FALSE(MayDeclareLocalArray(std::string(1 << 20, 'a') + "["));
}

}  // namespace
}  // namespace warpgrade::build
