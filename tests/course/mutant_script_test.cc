// labs/mutant.sh on small mutants of a made-up lab: what it prints, and what it says when an edit no longer fits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/course/graded.h"

namespace warpgrade {
namespace {

using testing::HasSubstr;

constexpr char kSolution[] = R"(// lab9 v1: doubles.
//
// The fault of v0: it does nothing.
#include "labs/lab9/lab9.h"

__global__ void twice(int* d_x, int n) {
  // BEGIN SOLUTION
  // Each thread has one element.
  const int i = threadIdx.x;
  if (i < n) {
    d_x[i] *= 2;
  }
  if (i < n) {
    d_x[i] += 0;
  }
  // ELSE STARTER
  //| // TODO(v1)
  // END SOLUTION
}
)";

// The same without its opening comment, markers and starter lines.
constexpr char kHandedIn[] = R"(#include "labs/lab9/lab9.h"

__global__ void twice(int* d_x, int n) {
  // Each thread has one element.
  const int i = threadIdx.x;
  if (i < n) {
    d_x[i] *= 2;
  }
  if (i < n) {
    d_x[i] += 0;
  }
}
)";

class MutantScriptTest : public testing::Test {
 protected:
  MutantScriptTest() {
    folder_.Write("labs/mutant.sh", ReadText(SourcePath("labs/mutant.sh")));
    folder_.Write("solutions/lab9/v1_twice.cu", kSolution);
  }

  ProgramResult Print(const std::string& diff) const {
    folder_.Write("labs/lab9/mutants/v1_twice__wrong.diff", diff);
    return RunProgram({"bash", folder_.Path("labs/mutant.sh"), "lab9", "v1_twice__wrong"});
  }

  // What it says of `diff`, which it must refuse.
  std::string Refusal(const std::string& diff) const {
    const ProgramResult printed = Print(diff);
    EXPECT_NE(printed.exit_code, 0) << printed.out;
    return printed.err;
  }

  const TemporaryFolder folder_;
};

TEST_F(MutantScriptTest, WithoutAnEditItIsTheSolutionAsHandedIn) {
  const ProgramResult printed = Print("// Wrong: v1 again.\n--- solutions/lab9/v1_twice.cu\n");
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_EQ(printed.out, std::string("// Wrong: v1 again.\n") + kHandedIn);
}

TEST_F(MutantScriptTest, EditsGoWhereTheirLinesStand) {
  const ProgramResult printed = Print(R"(// Wrong.
--- solutions/lab9/v1_twice.cu
@@
-#include "labs/lab9/lab9.h"

@@
   if (i < n) {
-    d_x[i] *= 2;
+    d_x[i] *= 3;
   }
@@
     d_x[i] += 0;
+    d_x[i] += 1;
)");
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_EQ(printed.out, R"(// Wrong.

__global__ void twice(int* d_x, int n) {
  // Each thread has one element.
  const int i = threadIdx.x;
  if (i < n) {
    d_x[i] *= 3;
  }
  if (i < n) {
    d_x[i] += 0;
    d_x[i] += 1;
  }
}
)");
}

TEST_F(MutantScriptTest, ALineThatTheSolutionNoLongerHasIsNamed) {
  EXPECT_THAT(
      Refusal(R"(// Wrong.
--- solutions/lab9/v1_twice.cu
@@
   const int i = threadIdx.x;
-  if (i < m) {
+  if (i <= m) {
)"),
      HasSubstr("labs/lab9/mutants/v1_twice__wrong.diff:5: solutions/lab9/v1_twice.cu has no such line:   if (i "
                "< m) {"));
}

TEST_F(MutantScriptTest, LinesThatStandTwiceAreRefused) {
  EXPECT_THAT(Refusal("// Wrong.\n--- solutions/lab9/v1_twice.cu\n@@\n-  if (i < n) {\n+  if (i <= n) {\n"),
              HasSubstr("v1_twice__wrong.diff:3: solutions/lab9/v1_twice.cu has these lines more than once"));
}

TEST_F(MutantScriptTest, ALineMustBeWhole) {
  EXPECT_THAT(Refusal("// Wrong.\n--- solutions/lab9/v1_twice.cu\n@@\n-    d_x[i] *= \n+    d_x[i] /= \n"),
              HasSubstr("v1_twice__wrong.diff:4: solutions/lab9/v1_twice.cu has no such line"));
}

TEST_F(MutantScriptTest, LinesThatAreApartAreRefused) {
  EXPECT_THAT(
      Refusal("// Wrong.\n--- solutions/lab9/v1_twice.cu\n@@\n   const int i = threadIdx.x;\n-    d_x[i] *= 2;\n"),
      HasSubstr("v1_twice__wrong.diff:3: solutions/lab9/v1_twice.cu has these lines, but not one after the "
                "other"));
}

TEST_F(MutantScriptTest, EditsOutOfOrderAreRefused) {
  EXPECT_THAT(Refusal(R"(// Wrong.
--- solutions/lab9/v1_twice.cu
@@
-    d_x[i] += 0;
@@
-    d_x[i] *= 2;
)"),
              HasSubstr("v1_twice__wrong.diff:5: these lines stand in solutions/lab9/v1_twice.cu before those of the "
                        "edit above"));
}

TEST_F(MutantScriptTest, AnEditThatChangesNothingOrBelongsNowhereIsRefused) {
  const std::string head = "// Wrong.\n--- solutions/lab9/v1_twice.cu\n@@\n";
  EXPECT_THAT(Refusal(head + "   const int i = threadIdx.x;\n"), HasSubstr("diff:3: this edit changes nothing"));
  EXPECT_THAT(Refusal(head + "+  return;\n"), HasSubstr("diff:3: this edit has no line that stays or goes"));
  EXPECT_THAT(Refusal(head + "const int i = threadIdx.x;\n"), HasSubstr("diff:4: a line of an edit begins with"));
}

TEST_F(MutantScriptTest, AMutantWithoutABaseOrAFileIsRefused) {
  EXPECT_THAT(Refusal("// Wrong.\n--- solutions/lab9/v2_twice.cu\n"), HasSubstr("must name one file"));
  EXPECT_THAT(Refusal("// Wrong.\n"), HasSubstr("must name one file"));
  const ProgramResult printed = RunProgram({"bash", folder_.Path("labs/mutant.sh"), "lab9", "v1_twice__none"});
  EXPECT_EQ(printed.exit_code, 1);
  EXPECT_THAT(printed.err, HasSubstr("neither labs/lab9/mutants/v1_twice__none.diff nor"));
}

TEST_F(MutantScriptTest, AWholeFileIsPrintedAsItIs) {
  folder_.Write("labs/lab9/mutants/v1_twice__other.cu", "// Wrong.\n// BEGIN SOLUTION\n");
  const ProgramResult printed = RunProgram({"bash", folder_.Path("labs/mutant.sh"), "lab9", "v1_twice__other"});
  EXPECT_EQ(printed.out, "// Wrong.\n// BEGIN SOLUTION\n");
}

}  // namespace
}  // namespace warpgrade
