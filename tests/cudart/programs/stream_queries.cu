// What streams say about themselves, callbacks, and what a capture says while it runs.
#include "expect.h"

__global__ void Add(int* value, int term) { *value += term; }

int told = 0;
void CUDART_CB Tell(cudaStream_t, cudaError_t status, void* by) {
  EXPECT(status == cudaSuccess);
  told += *static_cast<int*>(by);
}

void AStreamKeepsWhatItWasMadeWith() {
  cudaStream_t urgent, plain;
  EXPECT_OK(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, -100));  // clamped to the greatest
  EXPECT_CODE(cudaStreamCreateWithPriority(&plain, 99, 0), cudaErrorInvalidValue);
  EXPECT_OK(cudaStreamCreate(&plain));
  unsigned flags = 99;
  int priority = 99, device = -1;
  unsigned long long first = 0, second = 0, legacy = 99;
  EXPECT_OK(cudaStreamGetFlags(urgent, &flags));
  EXPECT(flags == cudaStreamNonBlocking);
  EXPECT_OK(cudaStreamGetPriority(urgent, &priority));
  EXPECT(priority == -5);
  EXPECT_OK(cudaStreamGetDevice(urgent, &device));
  EXPECT(device == 0);
  EXPECT_OK(cudaStreamGetId(urgent, &first));
  EXPECT_OK(cudaStreamGetId(plain, &second));
  EXPECT_OK(cudaStreamGetId(nullptr, &legacy));
  EXPECT(first != second && legacy == 0);
  EXPECT_CODE(cudaStreamGetId(plain, nullptr), cudaErrorInvalidValue);

  cudaStreamAttrValue value = {}, back = {};
  value.priority = -3;
  EXPECT_OK(cudaStreamSetAttribute(urgent, cudaLaunchAttributePriority, &value));
  EXPECT_OK(cudaStreamCopyAttributes(plain, urgent));
  EXPECT_OK(cudaStreamGetAttribute(plain, cudaLaunchAttributePriority, &back));
  EXPECT(back.priority == -3);
  EXPECT_CODE(cudaStreamSetAttribute(urgent, cudaLaunchAttributePriority, nullptr), cudaErrorInvalidValue);
  EXPECT_OK(cudaStreamDestroy(plain));
  EXPECT_CODE(cudaStreamCopyAttributes(plain, urgent), cudaErrorInvalidResourceHandle);
  EXPECT_CODE(cudaStreamGetAttribute(plain, cudaLaunchAttributePriority, &back), cudaErrorInvalidResourceHandle);
  EXPECT_CODE(cudaStreamGetFlags(plain, &flags), cudaErrorInvalidResourceHandle);
  EXPECT_CODE(cudaStreamGetPriority(plain, &priority), cudaErrorInvalidResourceHandle);
  EXPECT_CODE(cudaStreamGetDevice(plain, &device), cudaErrorInvalidResourceHandle);
}

void CallbacksAndMarks() {
  cudaStream_t stream;
  cudaEvent_t event;
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_OK(cudaEventCreate(&event));
  int by = 5;
  EXPECT_OK(cudaStreamAddCallback(stream, Tell, &by, 0));
  EXPECT(told == 5);
  EXPECT_CODE(cudaStreamAddCallback(stream, Tell, &by, 1), cudaErrorInvalidValue);
  EXPECT(told == 5);
  EXPECT_OK(cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault));
  EXPECT_CODE(cudaEventRecordWithFlags(event, stream, 77), cudaErrorInvalidValue);
  EXPECT_OK(cudaEventSynchronize(event));

  int *managed, *d_data;
  EXPECT_OK(cudaMallocManaged(&managed, sizeof(int)));
  EXPECT_OK(cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachSingle));
  EXPECT_OK(cudaMalloc(&d_data, sizeof(int)));
  EXPECT_CODE(cudaStreamAttachMemAsync(stream, d_data, 0, cudaMemAttachSingle), cudaErrorInvalidValue);
}

void ACaptureIsAskedWhileItRuns() {
  int* d_value;
  EXPECT_OK(cudaMalloc(&d_value, sizeof(int)));
  cudaStream_t stream;
  EXPECT_OK(cudaStreamCreate(&stream));
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  EXPECT_OK(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT(mode == cudaStreamCaptureModeGlobal);
  EXPECT_OK(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT(mode == cudaStreamCaptureModeRelaxed);
  EXPECT_CODE(cudaThreadExchangeStreamCaptureMode(nullptr), cudaErrorInvalidValue);

  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  EXPECT_OK(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, nullptr, nullptr, nullptr));
  EXPECT(status == cudaStreamCaptureStatusNone);
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  Add<<<1, 1, 0, stream>>>(d_value, 1);
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr, ended = nullptr;
  const cudaGraphNode_t* dependencies = nullptr;
  size_t number = 0;
  EXPECT_OK(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &dependencies, nullptr, &number));
  EXPECT(status == cudaStreamCaptureStatusActive && id != 0 && number == 1);
  size_t nodes = 0;
  EXPECT_OK(cudaGraphGetNodes(graph, nullptr, &nodes));  // the graph of a capture that runs has a handle
  EXPECT(nodes == 1);
  EXPECT_CODE(cudaStreamGetCaptureInfo(stream, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr),
              cudaErrorInvalidValue);
  EXPECT_OK(cudaStreamEndCapture(stream, &ended));
  EXPECT(ended == graph);
}

int main() {
  AStreamKeepsWhatItWasMadeWith();
  CallbacksAndMarks();
  ACaptureIsAskedWhileItRuns();
  return Failures();
}
