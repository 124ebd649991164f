#include <cstring>
#include <vector>

#include "expect.h"

void CopiesRowsOfAPitchedMatrix() {
  const size_t width = 100, height = 7;
  std::vector<unsigned char> host(width * height), back(width * height);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<unsigned char>(i);
  unsigned char* d_matrix;
  size_t pitch = 0;
  EXPECT_OK(cudaMallocPitch(&d_matrix, &pitch, width, height));
  EXPECT(pitch == 512);
  EXPECT_OK(cudaMemset2D(d_matrix, pitch, 0xEE, pitch, height));
  EXPECT_OK(cudaMemcpy2D(d_matrix, pitch, host.data(), width, width, height, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemcpy2D(back.data(), width, d_matrix, pitch, width, height, cudaMemcpyDeviceToHost));
  EXPECT(host == back);
  unsigned char past_first_row = 0;
  EXPECT_OK(cudaMemcpy(&past_first_row, d_matrix + width, 1, cudaMemcpyDeviceToHost));
  EXPECT(past_first_row == 0xEE);
  EXPECT_CODE(cudaMemcpy2D(d_matrix, width - 1, host.data(), width, width, height, cudaMemcpyHostToDevice),
              cudaErrorInvalidPitchValue);
  EXPECT_CODE(cudaMemcpy2D(d_matrix, pitch, host.data(), width, width, height + 1, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
  EXPECT_OK(cudaFree(d_matrix));
}

void ChecksDirections() {
  char host[64] = {}, other[64] = {};
  char *d_a, *d_b;
  EXPECT_OK(cudaMalloc(&d_a, 64));
  EXPECT_OK(cudaMalloc(&d_b, 64));
  EXPECT_OK(cudaMemcpy(d_a, "abc", 4, cudaMemcpyDefault));
  EXPECT_OK(cudaMemcpy(d_b, d_a, 4, cudaMemcpyDefault));
  EXPECT_OK(cudaMemcpy(host, d_b, 4, cudaMemcpyDefault));
  EXPECT_OK(cudaMemcpy(other, host, 4, cudaMemcpyDefault));
  EXPECT(std::strcmp(other, "abc") == 0);
  EXPECT_CODE(cudaMemcpy(host, d_a, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_CODE(cudaMemcpy(d_a, host, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_CODE(cudaMemcpy(host, d_a, 4, cudaMemcpyHostToHost), cudaErrorInvalidValue);
  EXPECT_CODE(cudaMemcpy(host, other, 4, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  EXPECT_CODE(cudaMemcpy(host, d_a, 4, static_cast<cudaMemcpyKind>(9)), cudaErrorInvalidMemcpyDirection);
  EXPECT_CODE(cudaMemcpy(host, d_a, 65, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_CODE(cudaMemcpy(d_a + 8, d_a, 16, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  EXPECT_CODE(cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_OK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaFree(d_a));
  EXPECT_OK(cudaFree(d_b));
  EXPECT_CODE(cudaMemcpy(host, d_a, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_CODE(cudaMemcpy(host, d_a, 4, cudaMemcpyDefault), cudaErrorInvalidValue);
  EXPECT_CODE(cudaFree(d_a), cudaErrorInvalidValue);
  EXPECT_CODE(cudaFree(host), cudaErrorInvalidValue);
  EXPECT_OK(cudaFree(nullptr));
}

void SetsMemory() {
  int* d_data;
  int host[4];
  EXPECT_OK(cudaMalloc(&d_data, sizeof host));
  EXPECT_OK(cudaMemset(d_data, 0x01FF, sizeof host));  // the low byte only
  EXPECT_OK(cudaMemsetAsync(d_data, 0, 4, nullptr));
  EXPECT_OK(cudaMemcpyAsync(host, d_data, sizeof host, cudaMemcpyDeviceToHost, nullptr));
  EXPECT(host[0] == 0 && host[1] == -1 && host[3] == -1);
  EXPECT_CODE(cudaMemset(d_data, 0, sizeof host + 1), cudaErrorInvalidValue);
  EXPECT_CODE(cudaMemset(host, 0, sizeof host), cudaErrorInvalidValue);
  EXPECT_OK(cudaFree(d_data));
}

void TellsPointersApart() {
  char *d_data, *pinned;
  char pageable;
  EXPECT_OK(cudaMalloc(&d_data, 100));
  EXPECT_OK(cudaMallocHost(&pinned, 100));
  pinned[99] = 1;
  cudaPointerAttributes attributes;
  EXPECT_OK(cudaPointerGetAttributes(&attributes, d_data + 99));
  EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.device == 0);
  EXPECT_OK(cudaPointerGetAttributes(&attributes, pinned + 99));
  EXPECT(attributes.type == cudaMemoryTypeHost);
  EXPECT_OK(cudaPointerGetAttributes(&attributes, &pageable));
  EXPECT(attributes.type == cudaMemoryTypeUnregistered);
  EXPECT_OK(cudaFreeHost(pinned));
  EXPECT_CODE(cudaFreeHost(pinned), cudaErrorInvalidValue);
  EXPECT_OK(cudaFree(d_data));
}

void BoundsAllocations() {
  size_t free_before = 0, free_after = 0, total = 0;
  EXPECT_OK(cudaMemGetInfo(&free_before, &total));
  void* huge = nullptr;
  EXPECT_CODE(cudaMalloc(&huge, total + 1), cudaErrorMemoryAllocation);
  EXPECT_CODE(cudaGetLastError(), cudaErrorMemoryAllocation);
  void *d_data, *none = &huge;
  EXPECT_OK(cudaMalloc(&d_data, 1 << 20));
  EXPECT_OK(cudaMemGetInfo(&free_after, &total));
  EXPECT(free_before - free_after >= 1 << 20);
  EXPECT_OK(cudaMalloc(&none, 0));
  EXPECT(none == nullptr);
  EXPECT_OK(cudaFree(d_data));
}

int main() {
  CopiesRowsOfAPitchedMatrix();
  ChecksDirections();
  SetsMemory();
  TellsPointersApart();
  BoundsAllocations();
  return Failures();
}
