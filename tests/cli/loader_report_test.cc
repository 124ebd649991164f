// What the loader prints, line by line. run_command_test.cc has programs that it does not start.
#include "grader/cli/loader_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::cli {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr char kLibraries[] =
    "\tlinux-vdso.so.1 (0x00007ffe7a5f2000)\n"
    "\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f3c3a000000)\n"
    "\t/lib64/ld-linux-x86-64.so.2 (0x00007f3c3a3f0000)\n";

TEST(LoaderReportTest, NothingIsMissingInAPlainList) { EXPECT_EQ(MissingIn(kLibraries), ""); }

TEST(LoaderReportTest, ALibraryThatIsNotFoundIsNamedBeforeItsSymbols) {
  const std::string printed =
      std::string("undefined symbol: _Z4Helpi\t(./p)\n\tlibhelper.so => not found\n") + kLibraries;
  EXPECT_THAT(MissingIn(printed), StartsWith("it needs the library libhelper.so, "));
}

TEST(LoaderReportTest, TheFirstMissingFunctionIsNamedAsAPersonWritesIt) {
  const std::string printed =
      std::string(kLibraries) + "undefined symbol: _Z4Helpi\t(./p)\nundefined symbol: Later\t(./p)\n";
  EXPECT_THAT(MissingIn(printed), StartsWith("none of its libraries has Help(int); "));
  EXPECT_THAT(MissingIn(printed), Not(HasSubstr("Later")));
}

TEST(LoaderReportTest, AFunctionOfTheCudaRuntimeIsTheEmulatorsLack) {
  const std::string printed =
      std::string(kLibraries) + "undefined symbol: cudaCreateTextureObject, version libcudart.so.13\t(./p)\n";
  EXPECT_THAT(MissingIn(printed), StartsWith("it calls cudaCreateTextureObject, a function of the CUDA runtime "));
  EXPECT_THAT(MissingIn(printed), HasSubstr("--device gpu"));
}

TEST(LoaderReportTest, AnotherVersionOfALibraryIsQuoted) {
  const std::string printed = "./p: /lib/libstdc++.so.6: version `GLIBCXX_3.4.99' not found (required by ./p)\n";
  EXPECT_THAT(MissingIn(printed), HasSubstr("version `GLIBCXX_3.4.99' not found"));
}

TEST(LoaderReportTest, WhatALibraryIsCalledCannotDriveTheTerminal) {
  EXPECT_THAT(MissingIn("\tlib\x1b[2J.so => not found\n"), HasSubstr("lib?[2J.so"));
}

TEST(LoaderReportTest, AProgramWithoutALoaderCannotBeAsked) { EXPECT_FALSE(AskLoader(ProgramFile{})); }

}  // namespace
}  // namespace warpgrade::cli
