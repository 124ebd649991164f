#include "expect.h"

__managed__ int counter = 5;
__managed__ float table[300];

__global__ void Bump() {
  atomicAdd(&counter, 1);
  table[threadIdx.x] = threadIdx.x;
}

__global__ void Double(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

struct Node {
  int value;
  Node* next;
};

__global__ void SumList(const Node* node, int* sum) {
  for (*sum = 0; node != nullptr; node = node->next) *sum += node->value;
}

void SharesVariables() {
  EXPECT(counter == 5 && table[299] == 0);
  counter = 10;
  Bump<<<1, 300>>>();
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(counter == 310);
  EXPECT(table[299] == 299);
  int copy = 0;
  EXPECT_OK(cudaMemcpyFromSymbol(&copy, counter, sizeof copy));
  EXPECT(copy == 310);
}

void SharesAllocations() {
  const int n = 100000;
  int* values = nullptr;
  EXPECT_OK(cudaMallocManaged(&values, n * sizeof(int)));
  for (int i = 0; i < n; ++i) values[i] = i;
  Double<<<(n + 255) / 256, 256>>>(values, n);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(values[1] == 2 && values[n - 1] == 2 * (n - 1));

  int* d_values = nullptr;
  EXPECT_OK(cudaMalloc(&d_values, n * sizeof(int)));
  EXPECT_OK(cudaMemcpy(d_values, values, n * sizeof(int), cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemcpy(values, d_values, n * sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT_OK(cudaMemcpy(d_values, values, n * sizeof(int), cudaMemcpyDeviceToDevice));
  EXPECT_CODE(cudaMemcpy(d_values, values, n * sizeof(int) + 1, cudaMemcpyDefault), cudaErrorInvalidValue);
  EXPECT_OK(cudaMemset(values, 0, n * sizeof(int)));
  EXPECT(values[n - 1] == 0);

  cudaPointerAttributes attributes;
  EXPECT_OK(cudaPointerGetAttributes(&attributes, values + 5));
  EXPECT(attributes.type == cudaMemoryTypeManaged);
  EXPECT(attributes.devicePointer == values + 5 && attributes.hostPointer == values + 5);
  EXPECT_OK(cudaFree(values));
  EXPECT_OK(cudaFree(d_values));
  EXPECT_CODE(cudaMallocManaged(&values, 0), cudaErrorInvalidValue);
}

// Pointers inside the data mean the same on both sides.
void SharesLinkedData() {
  Node* nodes[20];
  int* sum;
  EXPECT_OK(cudaMallocManaged(&sum, sizeof *sum));
  for (int i = 0; i < 20; ++i) {
    EXPECT_OK(cudaMallocManaged(&nodes[i], sizeof(Node)));
    nodes[i]->value = i;
    nodes[i]->next = i == 0 ? nullptr : nodes[i - 1];
  }
  SumList<<<1, 1>>>(nodes[19], sum);
  EXPECT_OK(cudaDeviceSynchronize());
  EXPECT(*sum == 190);
  for (Node* node : nodes) EXPECT_OK(cudaFree(node));
  EXPECT_OK(cudaFree(sum));
}

void TakesPrefetchesAndAdvice() {
  const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
  char *data, *d_data;
  EXPECT_OK(cudaMallocManaged(&data, 10000));
  EXPECT_OK(cudaMalloc(&d_data, 10000));
  int value = 7;
  EXPECT_OK(cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeLastPrefetchLocation, data, 10000));
  EXPECT(value == cudaInvalidDeviceId);
  EXPECT_OK(cudaMemPrefetchAsync(data, 10000, gpu, 0, nullptr));
  EXPECT_OK(cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeLastPrefetchLocation, data, 10000));
  EXPECT(value == 0);
  EXPECT_OK(cudaMemPrefetchAsync(data, 10000, host, 0, nullptr));
  EXPECT_OK(cudaMemAdvise(data, 10000, cudaMemAdviseSetReadMostly, gpu));
  EXPECT_OK(cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeReadMostly, data, 10000));
  EXPECT(value == 1);
  EXPECT_CODE(cudaMemPrefetchAsync(data, 10001, gpu, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_CODE(cudaMemPrefetchAsync(d_data, 10, gpu, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_CODE(cudaMemPrefetchAsync(data, 10, {cudaMemLocationTypeDevice, 1}, 0, nullptr), cudaErrorInvalidDevice);
  EXPECT_OK(cudaFree(data));
  EXPECT_OK(cudaFree(d_data));
}

int main() {
  SharesVariables();
  SharesAllocations();
  SharesLinkedData();
  TakesPrefetchesAndAdvice();
  return Failures();
}
