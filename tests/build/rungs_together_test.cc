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
           "int f() asm (\"cudaGetLastError\");\n",                         // likewise
           "int f() __attribute__((alias(\"g\")));\n",                      // likewise
           "extern  \"C\" int f();\n",                                      // has no namespace
           "extern\\\n \"C\" int f();\n",
           "auto a = L'\"'; auto b = \"/*\";\n#include \"v2.cu\"\n",  // is no comment
           "%\\\n:include \"v2.cu\"\n",                               // a # in two lines
           "#defi\\\nne warpgrade_x 1\n",
           "#ifndef __CUDA_ARCH__\n#define __CUDA_ARCH__ 0\n#endif\n",  // the compiler's own
           "int x = warpgrade_rung_v2::answer();\n",                    // another rung's
           "#\\\n  include \"v2.cu\"\n",
       }) {
    EXPECT_FALSE(Can(std::string(kHead) + text)) << text;
  }
  EXPECT_FALSE(Can(std::string("int a;\n") + kHead));
  EXPECT_FALSE(Can("\xEF\xBB\xBF" + std::string(kHead))) << "a byte order mark";
  EXPECT_FALSE(Can(std::string(kHead) + "const char* text = R\"x(/*)x\";\n#include <cmath>\n/* */\n"));
  EXPECT_FALSE(Can(std::string(kHead) + "const char quote = '\\'';\n#include <cmath>\n"));
  EXPECT_FALSE(Can(std::string(kHead) + '\0'));
}

TEST(CanBeTogetherTest, ForAGpuConstantMemoryKeepsATextAlone) {
  BuildRequest request = OfText("v1", "__con\\\nstant__ float weights[9];\n");
  EXPECT_TRUE(CanBeTogether(request));
  request.gpu_arch = 90;
  EXPECT_FALSE(CanBeTogether(request));
  request.source = "// __constant__ would be faster\nint x;\n";
  EXPECT_TRUE(CanBeTogether(request));
}

TEST(CanBeTogetherTest, AnObjectIsMadeOfOneRungAlone) {
  BuildRequest request = OfText("v1", kHead);
  request.keep_object = true;
  EXPECT_FALSE(CanBeTogether(request));
}

TEST(UnitTest, EachRungHasItsNamespaceAndLeavesNoMacro) {
  const BuildRequest a = OfText("v1", std::string("#include <cmath>\n") + kHead + "#define TILE 32\n");
  const BuildRequest b = OfText("v2", std::string(kHead) + "#include <cmath>\n/*\n#define NOTHING\n*/");
  EXPECT_EQ(HeadersOf(a, {}), HeadersOf(b, {}));
  const std::string unit = UnitOf({&a, &b}, {{"labs/toy/toy.h", "#pragma once\n#include <cstddef>\n"}});
  const std::string tag = UnitTag({&a, &b});
  const auto inside = [&tag](const std::string& rung) {
    const std::string scope = "warpgrade_rung_" + tag + "_" + rung, here = "warpgrade_inside_" + tag;
    return "namespace " + scope + " {\nstruct " + here + " {};\n#include \"" + rung +
           ".cu\"\nstatic_assert(static_cast<::" + scope + "::" + here + "*>(static_cast<" + here +
           "*>(nullptr)) == nullptr, \"\");\n}\n";
  };
  EXPECT_EQ(unit, "#include <cstddef>\n#include <cmath>\n#ifdef TILE\n#error TILE\n#endif\n" + inside("v1") +
                      "#undef TILE\n#undef WARPGRADE_ONCE_0\n" + inside("v2") + "#undef WARPGRADE_ONCE_0\n");
}

TEST(UnitTest, OnlyWhatALabsHeadersLeaveToTheRungMattersForItsUnit) {
  const BuildRequest rung =
      OfText("v1", std::string("#include <cstdint>\n#include <cuda_runtime.h>\n#include <cmath>\n") + kHead);
  const std::map<std::string, std::string> headers = {{"labs/toy/toy.h", "#include <cstdint>\n// #include <cmath>\n"}};
  EXPECT_THAT(HeadersOf(rung, headers), ElementsAre("cmath", "labs/toy/toy.h"));
}

TEST(UnitTest, TheTagIsMadeOfAllTextsSoNoneCanContainIt) {
  const BuildRequest a = OfText("v1", "int a;"), b = OfText("v2", "int b;"), other = OfText("v2", "int c;");
  const std::string tag = UnitTag({&a, &b});
  EXPECT_EQ(tag.size(), 16u);
  EXPECT_EQ(tag, UnitTag({&a, &b}));
  EXPECT_NE(tag, UnitTag({&a, &other}));
  const BuildRequest knows = OfText("v1", "int a;" + tag);
  EXPECT_NE(tag, UnitTag({&knows, &b}));
}

TEST(UnitTest, AMacroInTwoLinesIsUndefinedForTheNextRung) {
  const BuildRequest a = OfText("v1", std::string(kHead) + "#define ti\\\nle(x) 1\n"), b = OfText("v2", kHead);
  EXPECT_THAT(UnitOf({&a, &b}, {}), HasSubstr("#undef tile\n"));
}

TEST(UnitTest, TheLabsHeadersAreForEachRungAndKeepTheirLines) {
  const auto headers = HeadersOfUnit(
      "toy", {{"labs/not_written.h", "#pragma once\nint a;\n"}, {"labs/toy/toy.h", "// Toy.\n#pragma once\nint b;\n"}});
  EXPECT_EQ(headers.at("labs/not_written.h"), "#pragma once\nint a;\n");
  EXPECT_EQ(headers.at("labs/toy/toy.h"),
            "// Toy.\n#ifndef WARPGRADE_ONCE_1\n#define WARPGRADE_ONCE_1\n#line 3\nint b;\n#endif\n");
}

TEST(UnitTest, FindsTheFunctionsOfEachRung) {
  const std::vector<std::string> defined = {"_ZN19warpgrade_rung_T_v16answerEv", "_ZN19warpgrade_rung_T_v26answerEv",
                                            "_ZN19warpgrade_rung_T_v25twiceIiEEvPKT_PS1_", "_Z6answeri"};
  const std::vector<std::string> wanted = {"_Z6answerv", "_Z5twiceIiEvPKT_PS0_", "cudaMalloc"};
  EXPECT_THAT(FunctionsOf("T", "v1", wanted, defined), ElementsAre(Pair("_Z6answerv", defined[0])));
  EXPECT_THAT(FunctionsOf("T", "v2", wanted, defined),
              ElementsAre(Pair("_Z5twiceIiEvPKT_PS0_", defined[2]), Pair("_Z6answerv", defined[1])));
  EXPECT_THAT(FunctionsOf("T", "v", wanted, defined), IsEmpty());
  EXPECT_THAT(FunctionsOf("S", "v1", wanted, defined), IsEmpty());
}

TEST(UnitTest, TakesNoFunctionThatTheLabDoesNotDeclare) {
  const std::vector<std::string> defined = {"_ZN19warpgrade_rung_T_v116cudaGetLastErrorE",
                                            "_ZN19warpgrade_rung_T_v1nwEm",
                                            "_ZN19warpgrade_rung_T_v119warpgrade_rung_S_v26answerEv"};
  EXPECT_THAT(FunctionsOf("T", "v1", {"cudaGetLastError", "_Znwm", "_ZNSt6thread4joinEv", "_Z6answerv"}, defined),
              IsEmpty());
}

TEST(UnitTest, SymbolsOutsideOfTheNamespacesAreNoticed) {
  const std::string inside = "_ZN19warpgrade_rung_T_v16answerEv";
  EXPECT_TRUE(IsAllInNamespaces("T", {inside, "_ZNSt6vectorIiE4sizeEv"}, {"_ZNSt6vectorIiE4sizeEv"}));
  EXPECT_FALSE(IsAllInNamespaces("T", {inside, "_Z6helperv"}, {}));
  EXPECT_FALSE(IsAllInNamespaces("T", {inside, "helper"}, {"helper"}));
  EXPECT_FALSE(IsAllInNamespaces("S", {inside}, {}));
}

TEST(UnitTest, FindsTheRungsThatTheCompilerNames) {
  const BuildRequest a = OfText("v1", ""), b = OfText("v2", ""), c = OfText("v22", "");
  const std::string output =
      "v1.cu(3): warning #177-D: variable \"x\" was declared\nv2.cu(7): error: x is undefined\nv22.cu: In function\n";
  EXPECT_THAT(RungsWithErrors({&a, &b, &c}, output), ElementsAre("v2"));
}

// In time that grows with the length, not with its square: the text is a stranger's.
TEST(UnitTest, ATextOfOneLongNumberIsReadOnce) {
  std::string number;
  for (int k = 0; k < 2'000'000; ++k) number += "1'";
  EXPECT_EQ(WithoutComments(number + "1 // end"), number + "1 \n");
}

}  // namespace
}  // namespace warpgrade::build
