// Two-dimensional indexing: 16 x 16 blocks over an RGB image whose sides are no multiples of 16, made grey.
#include "feature.h"

struct Pixel {
  unsigned char r, g, b;
};

__host__ __device__ unsigned char Grey(Pixel p) { return (77 * p.r + 150 * p.g + 29 * p.b) >> 8; }

__global__ void MakeGrey(const Pixel* image, unsigned char* grey, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) grey[y * width + x] = Grey(image[y * width + x]);
}

int main() {
  constexpr int kWidth = 203, kHeight = 101, kCount = kWidth * kHeight;
  static Pixel image[kCount];
  static unsigned char got[kCount], want[kCount];
  for (int i = 0; i < kCount; ++i) {
    const uint32_t r = Mix(i);
    image[i] = {static_cast<unsigned char>(r), static_cast<unsigned char>(r >> 8), static_cast<unsigned char>(r >> 16)};
    want[i] = Grey(image[i]);
  }
  DeviceArray<Pixel> d_image(image, kCount);
  DeviceArray<unsigned char> d_grey(kCount);
  const dim3 block(16, 16);
  const dim3 grid((kWidth + 15) / 16, (kHeight + 15) / 16);
  MakeGrey<<<grid, block>>>(d_image, d_grey, kWidth, kHeight);
  FINISH();
  d_grey.CopyTo(got);
  ExpectSame("grey", got, want, kCount);
  Out(got, sizeof got);
  return Verdict();
}
