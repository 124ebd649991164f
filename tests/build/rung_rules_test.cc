#include "grader/build/rung_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::build {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class RungRulesTest : public testing::Test {
 protected:
  RungRules Rules(const std::string& source) {
    request_.lab = "toy";
    request_.rung = "v1";
    request_.source = source;
    return RungRules(request_, "/");
  }

  BuildRequest request_;
};

TEST_F(RungRulesTest, ATextMayNotNameAFileToAnAssembler) {
  EXPECT_THAT(Rules("\nasm(\".incbin \\\"x\\\"\");").RefuseText().value_or(""),
              StartsWith("v1.cu:2: makes the assembler read a file"));
  EXPECT_THAT(Rules("asm(\"nop\\n .include \\\"x\\\"\");").RefuseText().value_or(""), HasSubstr("(.include)"));
  EXPECT_FALSE(Rules("// as .include would\nasm(\"nop\");").RefuseText());
}

TEST_F(RungRulesTest, AnIncludeByMacroThatLeadsOutIsRefusedAlsoWhenNothingIsThere) {
  const RungRules rules = Rules("");
  EXPECT_THAT(rules.RefuseFailure("note\nv1.cu:3:15: fatal error: /etc/x: No such file or directory\n").value_or(""),
              StartsWith("v1.cu:3: includes a file that is not allowed"));
  EXPECT_TRUE(rules.RefuseFailure("v1.cu:3:15: fatal error: ../v2.cu: No such file or directory\n"));
  EXPECT_FALSE(rules.RefuseFailure("v1.cu:3:15: fatal error: helper.h: No such file or directory\n"));
  EXPECT_FALSE(rules.RefuseFailure("v1.cu:3: error: expected a ';'\n"));
}

TEST_F(RungRulesTest, AnAssemblerThatDoesNotFindItsFileDoesNotSayWhich) {
  const std::string output = "tmp/cc.s: Assembler messages:\ntmp/cc.s:4: Error: file not found: /etc/shadow\n";
  const std::string refusal = Rules("").RefuseFailure(output).value_or("");
  EXPECT_THAT(refusal, StartsWith("v1.cu: makes the assembler read a file"));
}

TEST_F(RungRulesTest, AFileThatOnlyALineDirectiveNamesIsNoInclude) {
  for (const std::string& directive : {std::string("#line 1 \"x.cu\"\n"), std::string(" # 1 \"x.cu\"\n")}) {
    const auto refusal = Rules("int a;\n" + directive).RefuseOpened({"x.cu"}, {"/usr"}, {});
    EXPECT_EQ(refusal.value_or(""), "v1.cu:2: says with #line that its text is from another file; remove the #line\n");
  }
  EXPECT_THAT(Rules("").RefuseOpened({"x.cu"}, {"/usr"}, {}).value_or(""), HasSubstr("includes a file"));
}

TEST_F(RungRulesTest, AHeaderIsToldByTheLineThatNamesIt) {
  const std::string source = "#include <cstdio>\n#include <cub/cub.cuh>\n";
  const auto refusal = Rules(source).RefuseOpened({"/usr/bin/true"}, {"/usr"}, {});
  EXPECT_THAT(refusal.value_or(""), StartsWith("v1.cu:2: includes <true>"));
}

TEST_F(RungRulesTest, TheAssemblersOwnInputIsNoFileOfAnyoneElse) {
  EXPECT_FALSE(Rules("").RefuseAssembled({"tmpxft_0.cudafe1.cpp", "tmp/cc1.s"}));
  EXPECT_TRUE(Rules("").RefuseAssembled({"tmp/cc1.s", "labs/toy/toy.h"}));
}

}  // namespace
}  // namespace warpgrade::build
