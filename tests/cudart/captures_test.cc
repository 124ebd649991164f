#include "grader/cudart/captures.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/cudart/small_runtime.h"

namespace warpgrade::cudart {
namespace {

class CapturesTest : public testing::Test {
 protected:
  cudaStream_t Begin(unsigned flags, cudaStreamCaptureMode mode) {
    const cudaStream_t stream = runtime_.streams().Create(flags, 0);
    captures_.Begin(stream, mode);
    return stream;
  }
  bool IsInvalidated(cudaStream_t stream) { return captures_.Of(stream)->invalidated; }

  SmallRuntime runtime_;
  Captures& captures_ = runtime_.captures();
};

TEST_F(CapturesTest, WorkInTheLegacyStreamSpoilsTheCaptureOfAStreamThatWaitsForIt) {
  const cudaStream_t apart = Begin(cudaStreamNonBlocking, cudaStreamCaptureModeGlobal);
  EXPECT_EQ(captures_.CheckImplicit(cudaStreamLegacy), cudaSuccess);
  EXPECT_FALSE(IsInvalidated(apart));
  const cudaStream_t blocking = Begin(cudaStreamDefault, cudaStreamCaptureModeGlobal);
  EXPECT_EQ(captures_.CheckImplicit(cudaStreamPerThread), cudaSuccess);
  EXPECT_EQ(captures_.CheckImplicit(nullptr), cudaErrorStreamCaptureImplicit);
  EXPECT_TRUE(IsInvalidated(blocking));
  EXPECT_FALSE(IsInvalidated(apart));
}

TEST_F(CapturesTest, ACapturedStreamCannotBeWaitedFor) {
  const cudaStream_t other = runtime_.streams().Create(cudaStreamNonBlocking, 0);
  const cudaStream_t captured = Begin(cudaStreamNonBlocking, cudaStreamCaptureModeGlobal);
  EXPECT_EQ(captures_.CheckWait(other), cudaSuccess);
  EXPECT_EQ(captures_.CheckWait(captured), cudaErrorStreamCaptureUnsupported);
  EXPECT_TRUE(IsInvalidated(captured));
  EXPECT_EQ(Record(*captures_.Of(captured), captured, {}), cudaErrorStreamCaptureInvalidated);
}

TEST_F(CapturesTest, TheModeSaysWhichThreadsMayMakeUnsafeCalls) {
  const auto from_another_thread = [&] {
    cudaError_t error = cudaSuccess;
    std::thread([&] { error = captures_.CheckUnsafe(); }).join();
    return error;
  };
  Begin(cudaStreamNonBlocking, cudaStreamCaptureModeRelaxed);
  EXPECT_EQ(captures_.CheckUnsafe(), cudaSuccess);
  const cudaStream_t of_thread = Begin(cudaStreamNonBlocking, cudaStreamCaptureModeThreadLocal);
  EXPECT_EQ(from_another_thread(), cudaSuccess);
  EXPECT_EQ(captures_.CheckUnsafe(), cudaErrorStreamCaptureUnsupported);
  EXPECT_TRUE(IsInvalidated(of_thread));
  captures_.End(captures_.Of(of_thread));
  Begin(cudaStreamNonBlocking, cudaStreamCaptureModeGlobal);
  EXPECT_EQ(from_another_thread(), cudaErrorStreamCaptureUnsupported);
}

TEST_F(CapturesTest, EachNodeDependsOnTheOneBeforeInItsStream) {
  const cudaStream_t stream = Begin(cudaStreamNonBlocking, cudaStreamCaptureModeGlobal);
  const std::shared_ptr<Capture> capture = captures_.Of(stream);
  EXPECT_EQ(Record(*capture, stream, {}), cudaSuccess);
  EXPECT_EQ(Record(*capture, stream, {}), cudaSuccess);
  const auto& nodes = capture->graph->nodes;
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_TRUE(nodes[0]->dependencies.empty());
  EXPECT_EQ(nodes[1]->dependencies, std::vector<GraphNode*>{nodes[0].get()});
  EXPECT_TRUE(captures_.IsRunning(capture));
  captures_.End(capture);
  EXPECT_FALSE(captures_.IsRunning(capture));
  EXPECT_EQ(captures_.Of(stream), nullptr);
}

}  // namespace
}  // namespace warpgrade::cudart
