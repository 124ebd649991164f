#include "grader/build/rungs_together.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace warpgrade::build {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

constexpr char kHead[] = "#include \"labs/toy/toy.h\"\n";

BuildRequest OfText(const std::string& name, const std::string& text) { return {"toy", name, text, 0}; }
bool Can(const std::string& text) { return CanBeTogether(OfText("v1", text)); }

TEST(CanBeTogetherTest, AnOrdinaryTextCan) {
  EXPECT_TRUE(Can(std::string("// My first kernel.\n\n#include <cstdio>\n") + kHead +
                  "#define TILE 32\n#pragma unroll\n__global__ void k() {}\n#ifdef __CUDA_ARCH__\n#endif\n"
                  "#if TILE > 16\n#endif\n#undef TILE\nint answer() { return 1; }\n"));
  EXPECT_TRUE(Can(std::string("/* By me,\n   #include <nothing> */\n#include <cmath>  // for sin\r\n") + kHead +
                  "/* #include <x> */ const char* text = \"/*\";\nconst char quote = '\"';\nint n = 1'000'000;\n"
                  "#define TWO_LINES \\\n  1\n// \"it's\n"));
  EXPECT_TRUE(Can(std::string("#pragma once\n#include \"labs/toy/number.h\"\n") + kHead));
}

TEST(CanBeTogetherTest, ATextThatCouldMeanSomethingElseInAUnitCannot) {
  for (const char* text : {
           "int x;\n#include <cstdio>\n",             // the unit includes it before x
           "#define NDEBUG\n#include <cassert>\n",    // likewise
           "#include <cstdio>\n#include <cstdio>\n",  // some headers do something else the second time
           "#define H <cstdio>\n#include H\n",        // what it includes is unknown
           "#include <thrust/sort.h>\n",              // it is refused anyway
           "#include \"v2.cu\"\n",                    // another rung's text
           "#pragma GCC optimize(\"O0\")\n",          // goes on in the next rung
           "#pragma pack(1)\n",
           "_Pragma(\"pack(1)\")\n",  // likewise
           "#undef __CUDACC__\n",     // likewise
           "#line 7\n",
           "# 7 \"x.cu\"\n",                                                // names other lines
           "#if __INCLUDE_LEVEL__ > 0\n#endif\n",                           // tells whether it is in a unit
           "#ifdef _STDIO_H\n#endif\n",                                     // asks what other rungs included
           "#ifndef TILE\n#define TILE 8\n#endif\n#ifdef BLOCK\n#endif\n",  // asks for a macro of another rung
           "int line = __COUNTER__;\n",                                     // counts in the whole unit
           "const char* name = __FILE__;\n",                                // is shown with another path
           "extern \"C\" __global__ void k() {}\n",                         // has no namespace
           "__managed__ int x;\n",                                          // memory of all rungs
           "%:include \"v2.cu\"\n",                                         // another spelling of #
           "asm(\".globl x\");\n",                                          // makes symbols by hand
       }) {
    EXPECT_FALSE(Can(std::string(kHead) + text)) << text;
  }
  EXPECT_FALSE(Can(std::string("int a;\n") + kHead));
  EXPECT_FALSE(Can("\xEF\xBB\xBF" + std::string(kHead))) << "a byte order mark";
  EXPECT_FALSE(Can(std::string(kHead) + "const char* text = R\"x(/*)x\";\n#include <cmath>\n/* */\n"));
  EXPECT_FALSE(Can(std::string(kHead) + "const char quote = '\\'';\n#include <cmath>\n"));
  EXPECT_FALSE(Can(std::string(kHead) + '\0'));
}

TEST(CanBeTogetherTest, AnObjectIsMadeOfOneRungAlone) {
  BuildRequest request = OfText("v1", kHead);
  request.keep_object = true;
  EXPECT_FALSE(CanBeTogether(request));
}

TEST(UnitTest, EachRungHasItsNamespaceAndLeavesNoMacro) {
  const BuildRequest a = OfText("v1", std::string("#include <cmath>\n") + kHead + "#define TILE 32\n");
  const BuildRequest b = OfText("v2", std::string(kHead) + "#include <cmath>\n/*\n#define NOTHING\n*/");
  EXPECT_EQ(HeadersOf(a), HeadersOf(b));
  const std::string unit = UnitOf({&a, &b}, {{"labs/toy/toy.h", "#pragma once\n#include <cstddef>\n"}});
  EXPECT_EQ(unit,
            "#include <cstddef>\n#include <cmath>\n"
            "namespace warpgrade_rung_v1 {\n#include \"v1.cu\"\n}\n#undef TILE\n#undef WARPGRADE_ONCE_0\n"
            "namespace warpgrade_rung_v2 {\n#include \"v2.cu\"\n}\n#undef WARPGRADE_ONCE_0\n");
}

TEST(UnitTest, TheLabsHeadersAreForEachRungAndKeepTheirLines) {
  const auto headers = HeadersOfUnit(
      "toy", {{"labs/not_written.h", "#pragma once\nint a;\n"}, {"labs/toy/toy.h", "// Toy.\n#pragma once\nint b;\n"}});
  EXPECT_EQ(headers.at("labs/not_written.h"), "#pragma once\nint a;\n");
  EXPECT_EQ(headers.at("labs/toy/toy.h"),
            "// Toy.\n#ifndef WARPGRADE_ONCE_1\n#define WARPGRADE_ONCE_1\n#line 3\nint b;\n#endif\n");
}

TEST(UnitTest, FindsTheFunctionsOfEachRung) {
  const std::vector<std::string> defined = {"_ZN17warpgrade_rung_v16answerEv", "_ZN17warpgrade_rung_v26answerEv",
                                            "_ZN17warpgrade_rung_v25twiceIiEEvPKT_PS1_", "_Z6answeri"};
  const std::vector<std::string> wanted = {"_Z6answerv", "_Z5twiceIiEvPKT_PS0_", "cudaMalloc"};
  EXPECT_THAT(FunctionsOf("v1", wanted, defined), ElementsAre(Pair("_Z6answerv", defined[0])));
  EXPECT_THAT(FunctionsOf("v2", wanted, defined),
              ElementsAre(Pair("_Z5twiceIiEvPKT_PS0_", defined[2]), Pair("_Z6answerv", defined[1])));
  EXPECT_THAT(FunctionsOf("v", wanted, defined), IsEmpty());
}

TEST(UnitTest, FindsTheRungsThatTheCompilerNames) {
  const BuildRequest a = OfText("v1", ""), b = OfText("v2", ""), c = OfText("v22", "");
  const std::string output =
      "v1.cu(3): warning #177-D: variable \"x\" was declared\nv2.cu(7): error: x is undefined\nv22.cu: In function\n";
  EXPECT_THAT(RungsWithErrors({&a, &b, &c}, output), ElementsAre("v2"));
}

}  // namespace
}  // namespace warpgrade::build
