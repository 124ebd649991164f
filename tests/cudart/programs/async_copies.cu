// Copies and fills that are given a stream: rectangles, boxes and symbols.
#include "expect.h"

__device__ int symbol[4];

void Rectangles(cudaStream_t stream) {
  constexpr int kWidth = 5, kHeight = 3;
  char host[kHeight][kWidth], back[kHeight][kWidth] = {};
  for (int i = 0; i < kWidth * kHeight; ++i) host[i / kWidth][i % kWidth] = static_cast<char>(i);
  char* d_data;
  size_t pitch = 0;
  EXPECT_OK(cudaMallocPitch(&d_data, &pitch, kWidth, kHeight));
  EXPECT_OK(cudaMemcpy2DAsync(d_data, pitch, host, kWidth, kWidth, kHeight, cudaMemcpyHostToDevice, stream));
  EXPECT_OK(cudaMemset2DAsync(d_data + 1, pitch, 77, 2, kHeight, stream));
  EXPECT_OK(cudaMemcpy2DAsync(back, kWidth, d_data, pitch, kWidth, kHeight, cudaMemcpyDeviceToHost, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  EXPECT(back[1][0] == 5 && back[1][1] == 77 && back[1][2] == 77 && back[1][3] == 8 && back[2][4] == 14);
  EXPECT_CODE(cudaMemcpy2DAsync(d_data, 1, host, kWidth, kWidth, kHeight, cudaMemcpyHostToDevice, stream),
              cudaErrorInvalidPitchValue);
  EXPECT_CODE(cudaMemset2DAsync(d_data, 1, 77, 2, kHeight, stream), cudaErrorInvalidPitchValue);
}

void Boxes(cudaStream_t stream) {
  cudaPitchedPtr box;
  EXPECT_OK(cudaMalloc3D(&box, make_cudaExtent(4, 3, 2)));
  EXPECT_OK(cudaMemset3DAsync(box, 9, make_cudaExtent(4, 3, 2), stream));
  char last = 0;
  EXPECT_OK(cudaMemcpy(&last, static_cast<char*>(box.ptr) + 5 * box.pitch + 3, 1, cudaMemcpyDeviceToHost));
  EXPECT(last == 9);
  EXPECT_CODE(cudaMemset3DAsync(box, 9, make_cudaExtent(4, 3, 100), stream), cudaErrorInvalidValue);
}

void Symbols(cudaStream_t stream) {
  const int host[2] = {3, 4};
  int back[2] = {};
  EXPECT_OK(cudaMemcpyToSymbolAsync(symbol, host, sizeof host, 2 * sizeof(int), cudaMemcpyHostToDevice, stream));
  EXPECT_OK(cudaMemcpyFromSymbolAsync(back, symbol, sizeof back, 2 * sizeof(int), cudaMemcpyDeviceToHost, stream));
  EXPECT(back[0] == 3 && back[1] == 4);
  EXPECT_CODE(cudaMemcpyToSymbolAsync(symbol, host, sizeof host, 3 * sizeof(int), cudaMemcpyHostToDevice, stream),
              cudaErrorInvalidValue);
  EXPECT_CODE(cudaMemcpyFromSymbolAsync(back, symbol, sizeof back, 0, cudaMemcpyHostToDevice, stream),
              cudaErrorInvalidMemcpyDirection);
}

int main() {
  cudaStream_t stream;
  EXPECT_OK(cudaStreamCreate(&stream));
  Rectangles(stream);
  Boxes(stream);
  Symbols(stream);
  return Failures();
}
