#include "grader/cudart/error_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>

namespace warpgrade::cudart {
namespace {

TEST(ErrorStateTest, EachThreadHasItsOwnLastErrorUntilItTakesIt) {
  ErrorState errors;
  EXPECT_EQ(RecordError(cudaErrorInvalidValue), cudaErrorInvalidValue);
  EXPECT_EQ(RecordError(cudaSuccess), cudaSuccess);
  std::thread([&] { EXPECT_EQ(errors.TakeLastError(/*clear=*/true), cudaSuccess); }).join();
  EXPECT_EQ(errors.TakeLastError(/*clear=*/false), cudaErrorInvalidValue);
  EXPECT_EQ(errors.TakeLastError(/*clear=*/true), cudaErrorInvalidValue);
  EXPECT_EQ(errors.TakeLastError(/*clear=*/true), cudaSuccess);
}

TEST(ErrorStateTest, AStickyErrorIsNotCleared) {
  ErrorState errors;
  RecordError(errors.Fault(cudaErrorIllegalAddress));
  EXPECT_EQ(errors.TakeLastError(/*clear=*/true), cudaErrorIllegalAddress);
  EXPECT_EQ(errors.TakeLastError(/*clear=*/true), cudaErrorIllegalAddress);
  ErrorState().TakeLastError(/*clear=*/true);  // the thread's last error is not another test's
}

TEST(ErrorStateTest, ExplainsEachSentenceOnceAndNotWithoutEnd) {
  ErrorState errors;
  errors.Enter("cudaMalloc");
  testing::internal::CaptureStderr();
  EXPECT_EQ(errors.Explain(cudaErrorInvalidValue, "why"), cudaErrorInvalidValue);
  errors.Explain(cudaErrorInvalidValue, "why");
  errors.Enter("cudaFree");
  errors.Explain(cudaErrorInvalidValue, "why");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "warpgrade: cudaMalloc: why\nwarpgrade: cudaFree: why\n");
  testing::internal::CaptureStderr();
  for (int i = 0; i < 1000; ++i) errors.Explain(cudaErrorInvalidValue, std::to_string(i));
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 98);
}

TEST(ErrorStateTest, AskingForTheLastErrorChecksOnlyTheThreadsOwnLaunches) {
  ErrorState errors;
  errors.AddUnchecked({.thread = std::this_thread::get_id(), .error = cudaErrorInvalidConfiguration});
  std::thread([&] {
    errors.AddUnchecked({.thread = std::this_thread::get_id(), .error = cudaErrorInvalidValue});
  }).join();
  errors.TakeLastError(/*clear=*/false);
  ASSERT_EQ(errors.unchecked().size(), 1u);
  EXPECT_EQ(errors.unchecked()[0].error, cudaErrorInvalidValue);
}

}  // namespace
}  // namespace warpgrade::cudart
