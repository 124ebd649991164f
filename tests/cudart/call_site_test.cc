#include "grader/cudart/call_site.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "grader/cudart/default_stream.h"

namespace warpgrade::cudart {
namespace {

const char* Code(void (*function)()) { return reinterpret_cast<const char*>(function); }
void First() {}
void Second() {}

TEST(CallSiteTest, APlaceInTheProgramDoesNotDependOnWhereTheProgramWasLoaded) {
  const uint64_t first = PlaceInProgram(Code(First)), second = PlaceInProgram(Code(Second));
  EXPECT_NE(first, 0u);
  EXPECT_LT(first, uint64_t{1} << 32) << "as it was linked, and not as it was loaded";
  EXPECT_EQ(second - first, static_cast<uint64_t>(Code(Second) - Code(First)));
}

TEST(CallSiteTest, CodeOfLibrariesAndAddressesWithoutCodeHaveNoPlace) {
  EXPECT_EQ(PlaceInProgram(dlsym(RTLD_DEFAULT, "qsort")), 0u);
  int on_the_stack = 0;
  EXPECT_EQ(PlaceInProgram(&on_the_stack), 0u);
  EXPECT_EQ(PlaceInProgram(nullptr), 0u);
  EXPECT_EQ(PlaceOfCall(nullptr), 0u);
}

TEST(CallSiteTest, ACallIsTheInstructionBeforeItsReturnAddress) {
  EXPECT_EQ(PlaceOfCall(Code(First) + 1), PlaceInProgram(Code(First)));
}

TEST(CallSiteTest, AnAccessInALibraryIsWhereTheProgramCalledIt) {
  const void* const in_library = dlsym(RTLD_DEFAULT, "qsort");
  EXPECT_EQ(PlaceOfAccess(Code(First), Code(Second)), PlaceInProgram(Code(First)));
  EXPECT_EQ(PlaceOfAccess(in_library, Code(First) + 1), PlaceInProgram(Code(First)));
  EXPECT_EQ(PlaceOfAccess(in_library, in_library), 0u);
  EXPECT_EQ(PlaceOfAccess(nullptr, nullptr), 0u);
}

TEST(CallSiteTest, ACallThroughAPerThreadNameIsWhereTheProgramMadeIt) {
  const void* const in_library = dlsym(RTLD_DEFAULT, "qsort");
  const PerThreadCall running(Code(First) + 1);
  EXPECT_EQ(PlaceOfCall(in_library), PlaceInProgram(Code(First)));
  EXPECT_EQ(PlaceOfCall(Code(Second) + 1), PlaceInProgram(Code(Second))) << "it is known already";
}

}  // namespace
}  // namespace warpgrade::cudart
