#include "grader/demangle/demangle.h"

#include <gtest/gtest.h>

#include "tests/demangle/hostile_names.h"

namespace warpgrade {
namespace {

TEST(DemangleTest, GivesTheNameThatAPersonWrote) {
  EXPECT_EQ(Demangle("_Z1fi"), "f(int)");
  EXPECT_EQ(Demangle("_Z9reduce_v1If3SumIfEEvPKT_mPS2_"),
            "void reduce_v1<float, Sum<float> >(float const*, unsigned long, float*)");
  EXPECT_EQ(Demangle("_ZN3cub17CUB_300001_SM_7506detail4scan20DeviceScanInitKernelINS0_13ScanTileStateIiLb1EEEEE"),
            "cub::CUB_300001_SM_750::detail::scan::DeviceScanInitKernel<cub::CUB_300001_SM_750::ScanTileState<int, "
            "true> >");
}

TEST(DemangleTest, TheNamespaceThatTheGraderPutAroundARungIsLeftOut) {
  EXPECT_EQ(Demangle("_ZN17warpgrade_rung_v16kernelIfEEvPKT_"), "void kernel<float>(float const*)");
  EXPECT_EQ(Demangle("_ZN17warpgrade_rung_v112_GLOBAL__N_11fENS_4lab03ArgE"), "(anonymous namespace)::f(lab0::Arg)");
  EXPECT_EQ(Demangle("_Z17warpgrade_rung_v1i"), "warpgrade_rung_v1(int)");
  EXPECT_EQ(Demangle("_Z15warpgrade_rung_"), "warpgrade_rung_");
}

TEST(DemangleTest, TheShortNameIsTheSameForAllInstancesOfATemplate) {
  EXPECT_EQ(ShortName("void reduce_v1<float, Sum<float> >(float const*, unsigned long, float*)"), "reduce_v1");
  EXPECT_EQ(ShortName("void (anonymous namespace)::reduce<int, (Op)1>(int*)"), "reduce");
  EXPECT_EQ(ShortName("lab::detail::sum(int*, void (*)(int))"), "sum");
  EXPECT_EQ(ShortName("std::pair<int, int> f<(2 < 3)>(int)"), "f");
  EXPECT_EQ(ShortName("reduce_v2_kernel"), "reduce_v2_kernel");
  for (const char* odd : {"", "(", "<", ">", "<>", "a::", "operator()(int)"}) {
    EXPECT_FALSE(ShortName(odd).empty() && odd[0] != '\0') << odd;
  }
}

TEST(DemangleTest, WhatALinkerAddedIsLeftOut) {
  EXPECT_EQ(Demangle("__nv_static_23__8d33a6fb_4_a_cu__Z1KPi_local_var"), "local_var");
  EXPECT_EQ(Demangle("__nv_static_6__1_b_c__Z1fi"), "f(int)");
  EXPECT_EQ(Demangle("_Z1fi@2"), "f(int)");
  EXPECT_EQ(Demangle("tile@3"), "tile");
  for (const char* name :
       {"__nv_static_", "__nv_static_7", "__nv_static_9__x", "__nv_static_99999_x", "__nv_static__x"}) {
    EXPECT_EQ(Demangle(name), name);
  }
}

TEST(DemangleTest, LeavesAloneWhatIsNotMangled) {
  for (const char* name : {"", "i", "tile", "_Z", "_Z1", "_Znonsense", "cudaMalloc"}) EXPECT_EQ(Demangle(name), name);
}

TEST(DemangleTest, ReferencesThatDoubleAreFollowedOnlyAsFarAsIsUseful) {
  EXPECT_EQ(Demangle(NameThatDoubles(3)),
            "f(A, B<A, A>, B<B<A, A>, B<A, A> >, B<B<B<A, A>, B<A, A> >, B<B<A, A>, B<A, A> > >)");
  // 54 million bytes, and more than any machine has.
  for (int times : {21, 60, 500}) EXPECT_EQ(Demangle(NameThatDoubles(times)), NameThatDoubles(times));
}

TEST(DemangleTest, ATextThatIsOfNoUseToAnybodyIsNotGiven) {
  EXPECT_EQ(Demangle("_Z70000" + std::string(70000, 'f') + "v"), "_Z70000" + std::string(70000, 'f') + "v");
  EXPECT_EQ(Demangle(NameThatDoubles(12)), NameThatDoubles(12));
}

TEST(DemangleTest, PacksWithinPacksAreNotMultipliedOut) {
  std::string name = "_Z1fIJ";
  for (int k = 0; k < 300; ++k) name += "i";
  const std::string once = name + "EEvDpT_", often = name + "EEvDp1BIDp1BIDp1BIDp1BIT_EEEE";
  EXPECT_TRUE(Demangle(once).starts_with("void f<int, int,"));
  EXPECT_EQ(Demangle(often), often);
}

}  // namespace
}  // namespace warpgrade
