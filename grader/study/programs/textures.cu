// What a texture returns between and beside its elements, and how fast kernels read an image through it. Needs a GPU:
// the emulator has no textures.
#include "measure.h"

static const int kTable = 4, kPlaces = 35, kImage = 4096, kWarmUps = 2, kRuns = 11;

static cudaTextureObject_t TextureOf(cudaArray_t array, cudaTextureAddressMode beside, cudaTextureFilterMode between,
                                     bool normalized) {
  cudaResourceDesc what;
  memset(&what, 0, sizeof what);
  what.resType = cudaResourceTypeArray;
  what.res.array.array = array;
  cudaTextureDesc how;
  memset(&how, 0, sizeof how);
  how.addressMode[0] = how.addressMode[1] = beside;
  how.filterMode = between;
  how.normalizedCoords = normalized ? 1 : 0;
  cudaTextureObject_t texture = 0;
  MUST(cudaCreateTextureObject(&texture, &what, &how, nullptr));
  return texture;
}

static cudaArray_t ArrayOf(const float* elements, int rows, int columns) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  MUST(cudaMallocArray(&array, &format, size_t(columns), size_t(rows)));
  const size_t bytes = size_t(columns) * sizeof(float);
  MUST(cudaMemcpy2DToArray(array, 0, 0, elements, bytes, bytes, size_t(rows), cudaMemcpyHostToDevice));
  return array;
}

__global__ void fetch(cudaTextureObject_t texture, float x, float* value) { *value = tex2D<float>(texture, x, 0.5f); }

// A row of four elements, 10 20 30 40, read at places beside and between them. Element i is at i + 0.5.
static void Values() {
  const float elements[kTable] = {10, 20, 30, 40};
  const cudaArray_t array = ArrayOf(elements, 1, kTable);
  float* value = nullptr;
  MUST(cudaMalloc(&value, sizeof(float)));
  struct Mode {
    const char* name;
    cudaTextureAddressMode beside;
    cudaTextureFilterMode between;
    bool normalized;
  };
  const Mode modes[] = {{"clamp, nearest", cudaAddressModeClamp, cudaFilterModePoint, false},
                        {"clamp, linear", cudaAddressModeClamp, cudaFilterModeLinear, false},
                        {"border, linear", cudaAddressModeBorder, cudaFilterModeLinear, false},
                        {"wrap, linear", cudaAddressModeWrap, cudaFilterModeLinear, true},
                        {"mirror, linear", cudaAddressModeMirror, cudaFilterModeLinear, true}};
  for (const Mode& mode : modes) {
    const cudaTextureObject_t texture = TextureOf(array, mode.beside, mode.between, mode.normalized);
    for (int k = 0; k < kPlaces; ++k) {
      const float x = -2 + 0.23f * float(k);
      fetch<<<1, 1>>>(texture, mode.normalized ? x / kTable : x, value);
      MUST(cudaGetLastError());
      float got = 0;
      MUST(cudaMemcpy(&got, value, sizeof got, cudaMemcpyDeviceToHost));
      Row("values", mode.name, double(x), double(got), double(got), double(got));
    }
    MUST(cudaDestroyTextureObject(texture));
  }
  MUST(cudaFree(value));
  MUST(cudaFreeArray(array));
}

// The mean of 3 x 3 neighbours, the nearest element in the place of one beside the image.
__global__ void blur_texture(cudaTextureObject_t image, float* out, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) sum += tex2D<float>(image, column + dx + 0.5f, row + dy + 0.5f);
  }
  out[size_t(row) * n + column] = sum / 9;
}
__global__ void blur_memory(const float* __restrict__ image, float* out, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const int y = min(max(row + dy, 0), n - 1), x = min(max(column + dx, 0), n - 1);
      sum += image[size_t(y) * n + x];
    }
  }
  out[size_t(row) * n + column] = sum / 9;
}

// One element for each thread. `down`: the threads of a warp are below each other.
__global__ void read_texture(cudaTextureObject_t image, float* out, int n, bool down) {
  const int a = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y * blockDim.y + threadIdx.y;
  out[size_t(b) * n + a] = down ? tex2D<float>(image, b + 0.5f, a + 0.5f) : tex2D<float>(image, a + 0.5f, b + 0.5f);
}
__global__ void read_memory(const float* __restrict__ image, float* out, int n, bool down) {
  const int a = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y * blockDim.y + threadIdx.y;
  out[size_t(b) * n + a] = down ? image[size_t(a) * n + b] : image[size_t(b) * n + a];
}

template <typename Launch>
static void Measure(const char* series, const char* access, float* out, float* host, const float* expected,
                    Launch launch) {
  const size_t bytes = size_t(kImage) * kImage * sizeof(float);
  MUST(cudaMemset(out, 0, bytes));
  Samples times;
  for (int run = 0; run < kWarmUps + kRuns; ++run) {
    Marks marks;
    marks.Begin();
    launch();
    MUST(cudaGetLastError());
    const double us = marks.MicrosecondsToEnd();
    if (run >= kWarmUps) times.Add(us);
  }
  MUST(cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < size_t(kImage) * kImage; ++i) {
    if (host[i] == expected[i]) continue;
    fprintf(stderr, "%s, %s: element %zu is %g, should be %g\n", series, access, i, double(host[i]),
            double(expected[i]));
    exit(1);
  }
  times.PrintBar("time", series, access);
}

static float* Allocate(size_t count) {
  float* memory = static_cast<float*>(malloc(count * sizeof(float)));
  if (memory == nullptr) exit(1);
  return memory;
}

// Small integers, so that sums of nine are exact.
static void Times() {
  const size_t count = size_t(kImage) * kImage, n = kImage;
  float *image = Allocate(count), *expected = Allocate(count), *host = Allocate(count);
  for (size_t i = 0; i < count; ++i) image[i] = float(i * 2654435761u >> 8 & 63);
  float *d_image = nullptr, *d_out = nullptr;
  MUST(cudaMalloc(&d_image, count * sizeof(float)));
  MUST(cudaMalloc(&d_out, count * sizeof(float)));
  MUST(cudaMemcpy(d_image, image, count * sizeof(float), cudaMemcpyHostToDevice));
  const cudaArray_t array = ArrayOf(image, kImage, kImage);
  const cudaTextureObject_t texture = TextureOf(array, cudaAddressModeClamp, cudaFilterModePoint, false);
  const dim3 block(32, 8), grid(kImage / 32, kImage / 8);

  for (int down = 0; down < 2; ++down) {
    const char* const access = down ? "along columns" : "along rows";
    for (size_t row = 0; row < n; ++row) {
      for (size_t column = 0; column < n; ++column) {
        expected[row * n + column] = down ? image[column * n + row] : image[row * n + column];
      }
    }
    Measure("texture", access, d_out, host, expected,
            [&] { read_texture<<<grid, block>>>(texture, d_out, kImage, down != 0); });
    Measure("memory", access, d_out, host, expected,
            [&] { read_memory<<<grid, block>>>(d_image, d_out, kImage, down != 0); });
  }
  for (int row = 0; row < kImage; ++row) {
    for (int column = 0; column < kImage; ++column) {
      float sum = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const int y = row + dy < 0 ? 0 : row + dy > kImage - 1 ? kImage - 1 : row + dy;
          const int x = column + dx < 0 ? 0 : column + dx > kImage - 1 ? kImage - 1 : column + dx;
          sum += image[size_t(y) * n + size_t(x)];
        }
      }
      expected[size_t(row) * n + size_t(column)] = sum / 9;
    }
  }
  Measure("texture", "3 x 3 neighbours", d_out, host, expected,
          [&] { blur_texture<<<grid, block>>>(texture, d_out, kImage); });
  Measure("memory", "3 x 3 neighbours", d_out, host, expected,
          [&] { blur_memory<<<grid, block>>>(d_image, d_out, kImage); });
  MUST(cudaDestroyTextureObject(texture));
  MUST(cudaFreeArray(array));
  MUST(cudaFree(d_image));
  MUST(cudaFree(d_out));
  free(image);
  free(expected);
  free(host);
}

int main() {
  BeginRows();
  Values();
  Times();
  return 0;
}
