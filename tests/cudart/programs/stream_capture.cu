#include "expect.h"

__global__ void Add(int* value, int what) { *value += what; }

int Read(const int* d_value) {
  int value = -1;
  EXPECT_OK(cudaMemcpy(&value, d_value, sizeof value, cudaMemcpyDeviceToHost));
  return value;
}

void Count(void* calls) { ++*static_cast<int*>(calls); }

int* d_value;
cudaStream_t stream, other;

void ReplaysWhatTheStreamWasGiven() {
  int calls = 0, three = 3, back = 0;
  EXPECT_OK(cudaMemset(d_value, 0, sizeof(int)));
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  cudaStreamCaptureStatus status;
  EXPECT_OK(cudaStreamIsCapturing(stream, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  EXPECT_OK(cudaMemcpyAsync(d_value, &three, sizeof(int), cudaMemcpyHostToDevice, stream));
  Add<<<1, 1, 0, stream>>>(d_value, 10);
  EXPECT_OK(cudaLaunchHostFunc(stream, Count, &calls));
  EXPECT_OK(cudaMemcpyAsync(&back, d_value, sizeof(int), cudaMemcpyDeviceToHost, stream));
  cudaGraph_t graph;
  EXPECT_OK(cudaStreamEndCapture(stream, &graph));
  EXPECT_OK(cudaStreamIsCapturing(stream, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  EXPECT(Read(d_value) == 0 && calls == 0);

  size_t nodes = 0;
  EXPECT_OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 4);
  cudaGraphExec_t exec;
  EXPECT_OK(cudaGraphInstantiate(&exec, graph, 0));
  EXPECT_OK(cudaGraphDestroy(graph));
  for (int i = 1; i <= 3; ++i) {
    three = 3 * i;
    EXPECT_OK(cudaGraphLaunch(exec, stream));
    EXPECT_OK(cudaStreamSynchronize(stream));
    EXPECT(back == 3 * i + 10 && calls == i);
  }
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_CODE(cudaGraphLaunch(exec, stream), cudaErrorInvalidValue);
}

// The other stream forks off by one event and joins by another.
void FollowsEventsIntoOtherStreams() {
  cudaEvent_t fork, join;
  EXPECT_OK(cudaEventCreate(&fork));
  EXPECT_OK(cudaEventCreate(&join));
  EXPECT_OK(cudaMemset(d_value, 0, sizeof(int)));
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  Add<<<1, 1, 0, stream>>>(d_value, 1);
  EXPECT_OK(cudaEventRecord(fork, stream));
  EXPECT_OK(cudaStreamWaitEvent(other, fork));
  Add<<<1, 1, 0, other>>>(d_value, 20);
  EXPECT_CODE(cudaEventQuery(fork), cudaErrorCapturedEvent);
  EXPECT_OK(cudaEventRecord(join, other));
  EXPECT_OK(cudaStreamWaitEvent(stream, join));
  cudaGraph_t graph;
  EXPECT_OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec;
  EXPECT_OK(cudaGraphInstantiate(&exec, graph, 0));
  EXPECT_OK(cudaGraphLaunch(exec, stream));
  EXPECT(Read(d_value) == 21);

  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT_OK(cudaEventRecord(fork, stream));
  EXPECT_OK(cudaStreamWaitEvent(other, fork));
  Add<<<1, 1, 0, other>>>(d_value, 20);
  EXPECT_CODE(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureUnmatched);
  EXPECT_CODE(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined);
  cudaGetLastError();
  EXPECT_OK(cudaEventDestroy(fork));
  EXPECT_OK(cudaEventDestroy(join));
}

void RefusesWhatCannotBeCaptured() {
  cudaGraph_t graph;
  int* d_more;
  EXPECT_CODE(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
  EXPECT_CODE(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);

  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT_CODE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
  EXPECT_CODE(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  EXPECT_CODE(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT(graph == nullptr);

  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT_CODE(cudaMalloc(&d_more, 4), cudaErrorStreamCaptureUnsupported);
  EXPECT_CODE(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);

  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  EXPECT_OK(cudaMalloc(&d_more, 4));
  EXPECT_OK(cudaStreamEndCapture(stream, &graph));
  EXPECT_OK(cudaFree(d_more));

  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT_CODE(cudaMemset(d_value, 0, 4), cudaErrorStreamCaptureImplicit);
  EXPECT_CODE(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
}

int main() {
  EXPECT_OK(cudaMalloc(&d_value, sizeof(int)));
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_OK(cudaStreamCreate(&other));
  ReplaysWhatTheStreamWasGiven();
  FollowsEventsIntoOtherStreams();
  RefusesWhatCannotBeCaptured();
  EXPECT_OK(cudaFree(d_value));
  return Failures();
}
