#include "grader/judge/driver_version.h"

#include <gtest/gtest.h>

namespace warpgrade::judge {
namespace {

TEST(DriverVersionTest, ReadsBothKindsOfKernelModule) {
  EXPECT_EQ(ParseDriverVersion("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build  "
                               "(dvs-builder@U22)  Sun Jul 27 06:41:46 UTC 2025\nGCC version:  gcc version 12.3.0\n"),
            "580.65.06");
  EXPECT_EQ(ParseDriverVersion("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC "
                               "2023\n"),
            "535.104.05");
}

TEST(DriverVersionTest, IsEmptyWithoutOne) {
  EXPECT_EQ(ParseDriverVersion(""), "");
  EXPECT_EQ(ParseDriverVersion("NVRM version: none\nGCC version: gcc version 12.3.0\n"), "");
}

}  // namespace
}  // namespace warpgrade::judge
