// The programs of the glossary: `words NAME` runs one small kernel that shows what the word means. README.md beside
// this file explains each of them, and tests/docs runs the commands that stand there.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

// An array that the host and the kernel use. Managed memory: lab0 explains it.
template <typename T>
T* Array(int n) {
  T* array;
  if (cudaMallocManaged(&array, n * sizeof(T)) != cudaSuccess) std::exit(1);
  for (int i = 0; i < n; ++i) array[i] = T(i);
  return array;
}

void Wait() {
  if (cudaDeviceSynchronize() != cudaSuccess) std::exit(1);
}

void Print(const char* title, const int* values, int n) {
  std::printf("%-10s", title);
  for (int i = 0; i < n; ++i) std::printf(" %3d", values[i]);
  std::printf("\n");
}

// ---- thread: each thread runs the whole function, with its own i

__global__ void Square(int* out) {
  int i = threadIdx.x;
  out[i] = i * i;
}

void Thread() {
  int* out = Array<int>(8);
  Square<<<1, 8>>>(out);
  Wait();
  Print("squares", out, 8);
  cudaFree(out);
}

// ---- block: the threads of a block share memory, and two blocks do not

__global__ void AddUp(const int* in, int* sums) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

void Block() {
  int *in = Array<int>(12), *sums = Array<int>(3);
  AddUp<<<3, 4>>>(in, sums);
  Wait();
  Print("elements", in, 12);
  Print("sums", sums, 3);
  cudaFree(in);
  cudaFree(sums);
}

// ---- grid: all blocks of a launch; the last block may have threads without an element

__global__ void WhoIsHere(int* block, int* thread, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  block[i] = blockIdx.x;
  thread[i] = threadIdx.x;
}

void Grid() {
  constexpr int kElements = 10, kThreads = 4;
  int *block = Array<int>(kElements), *thread = Array<int>(kElements);
  WhoIsHere<<<(kElements + kThreads - 1) / kThreads, kThreads>>>(block, thread, kElements);
  Wait();
  Print("blockIdx", block, kElements);
  Print("threadIdx", thread, kElements);
  cudaFree(block);
  cudaFree(thread);
}

// ---- warp: 32 threads; a branch that only some of them take costs the warp both sides

__global__ void Branch(int* out, int group) {
  if (threadIdx.x / group % 2 == 0) {
    atomicAdd(&out[0], 1);  // this group of threads counts up
  } else {
    atomicSub(&out[1], 1);  // the next group counts down
  }
}

void Warp(int group) {
  int* out = Array<int>(2);
  out[1] = 0;
  Branch<<<1, 128>>>(out, group);
  Wait();
  std::printf("%d threads counted up and %d counted down\n", out[0], -out[1]);
  cudaFree(out);
}

// ---- lane: the place of a thread in its warp; lanes can read each other's registers

__global__ void FromNeighbour(int* out) {
  int lane = threadIdx.x % 32;
  out[threadIdx.x] = __shfl_xor_sync(0xffffffff, lane, 1);
}

void Lane() {
  int* out = Array<int>(64);
  FromNeighbour<<<1, 64>>>(out);
  Wait();
  Print("warp 0", out, 6);
  Print("warp 1", out + 32, 6);
  cudaFree(out);
}

// ---- barrier: nobody goes on before all have arrived

template <bool HAS_BARRIER>
__global__ void Reverse(int* out) {
  __shared__ int values[64];
  values[threadIdx.x] = threadIdx.x;
  if (HAS_BARRIER) __syncthreads();
  out[threadIdx.x] = values[63 - threadIdx.x];
}

void Barrier(bool has_barrier) {
  int* out = Array<int>(64);
  if (has_barrier) {
    Reverse<true><<<1, 64>>>(out);
  } else {
    Reverse<false><<<1, 64>>>(out);
  }
  Wait();
  Print("reversed", out, 6);
  cudaFree(out);
}

// ---- request, sector and line: lane l loads the float number first + stride * l

__global__ void Load(const float* in, float* out, int first, int stride) {
  out[threadIdx.x] = in[first + stride * int(threadIdx.x)];
}

void Request(int warps, int first, int stride) {
  int threads = 32 * warps;
  float *in = Array<float>(first + stride * threads), *out = Array<float>(threads);
  Load<<<1, threads>>>(in, out, first, stride);
  Wait();
  std::set<int> sectors, lines;
  for (int lane = 0; lane < 32; ++lane) {
    int byte = 4 * int(out[lane]);  // the array holds its own indices
    sectors.insert(byte / 32);
    lines.insert(byte / 128);
  }
  std::printf("the lanes of warp 0 load %g to %g: %zu sectors, in %zu lines\n", out[0], out[31], sectors.size(),
              lines.size());
  cudaFree(in);
  cudaFree(out);
}

// ---- bank and wavefront: lane l reads the word number stride * l of shared memory

__global__ void ReadShared(float* out, int stride) {
  __shared__ float words[32 * 33];
  for (int i = threadIdx.x; i < 32 * 33; i += 32) words[i] = float(i);
  __syncwarp();
  out[threadIdx.x] = words[stride * threadIdx.x];
}

void Bank(int stride) {
  float* out = Array<float>(32);
  ReadShared<<<1, 32>>>(out, stride);
  Wait();
  std::printf("lane   0   1   2   3 ...\nbank");
  for (int lane = 0; lane < 4; ++lane) std::printf(" %3d", int(out[lane]) % 32);
  std::printf(" ...\n");
  cudaFree(out);
}

// ---- occupancy: how many blocks of this kernel are resident on a multiprocessor

__global__ void Sort(int* out) {
  extern __shared__ int values[];
  values[threadIdx.x] = out[threadIdx.x];
  out[threadIdx.x] = values[threadIdx.x];
}

void Occupancy() {
  constexpr int kThreads = 256, kMostWarps = 64;
  std::printf("shared memory  blocks  warps  occupancy\n");
  for (int kilobytes : {0, 16, 32, 48}) {
    int blocks = 0;
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, Sort, kThreads, kilobytes * 1024)) std::exit(1);
    int warps = blocks * kThreads / 32;
    std::printf("%10d KB  %6d  %5d  %8.1f%%\n", kilobytes, blocks, warps, 100.0 * warps / kMostWarps);
  }
}

// ---- memory order: block 0 writes a message and raises a flag, block 1 waits for the flag and reads the message

template <bool HAS_FENCES>
__global__ void Send(int* message, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *message = 42;
    if (HAS_FENCES) __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    if (HAS_FENCES) __threadfence();
    *out = *message;
  }
}

void Order(bool has_fences) {
  int* places = Array<int>(3);
  places[1] = 0;  // the flag
  if (has_fences) {
    Send<true><<<2, 1>>>(places, places + 1, places + 2);
  } else {
    Send<false><<<2, 1>>>(places, places + 1, places + 2);
  }
  Wait();
  std::printf("block 1 read %d\n", places[2]);
  cudaFree(places);
}

int main(int argc, char** argv) {
  const auto is = [&](const char* word) { return argc > 1 && std::strcmp(argv[1], word) == 0; };
  const auto number = [&](int place, int otherwise) { return argc > place ? std::atoi(argv[place]) : otherwise; };
  if (is("thread")) {
    Thread();
  } else if (is("block")) {
    Block();
  } else if (is("grid")) {
    Grid();
  } else if (is("warp")) {
    Warp(number(2, 32));
  } else if (is("lane")) {
    Lane();
  } else if (is("barrier") || is("no_barrier")) {
    Barrier(is("barrier"));
  } else if (is("request")) {
    Request(number(2, 1), 0, 1);
  } else if (is("sector") || is("line")) {
    Request(1, number(2, 0), number(3, 1));
  } else if (is("bank") || is("wavefront")) {
    Bank(number(2, 1));
  } else if (is("occupancy")) {
    Occupancy();
  } else if (is("order") || is("no_order")) {
    Order(is("order"));
  } else {
    std::printf(
        "usage: words thread|block|grid|warp|lane|barrier|request|sector|line|bank|wavefront|occupancy|order\n");
    return 2;
  }
}
