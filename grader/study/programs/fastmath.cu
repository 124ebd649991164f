// Precise and fast functions: how far each is from the function in double, and how many calls a GPU makes in a second.
// The inputs are drawn evenly from a range, the same in each run.
#include "measure.h"

static const int kThreads = 256, kBlocks = 1024, kBlocksOnEmulator = 2, kCalls = 512, kCallsOnEmulator = 4;
static const int kRuns = 9, kWarmUps = 2;

// Each has a precise form, a fast form, and the truth.
#define FUNCTION(Name, precise, fast, exact)                     \
  struct Name {                                                  \
    static __device__ float Precise(float x) { return precise; } \
    static __device__ float Fast(float x) { return fast; }       \
    static __device__ double Exact(double x) { return exact; }   \
  };
FUNCTION(Sin, sinf(x), __sinf(x), sin(x))
FUNCTION(Exp, expf(x), __expf(x), exp(x))
FUNCTION(Log, logf(x), __logf(x), log(x))
FUNCTION(Pow, powf(x, 2.5f), __powf(x, 2.5f), pow(x, 2.5))
FUNCTION(Divide, 2.5f / x, __fdividef(2.5f, x), 2.5 / x)

template <typename F, bool fast>
__device__ float Value(float x) {
  return fast ? F::Fast(x) : F::Precise(x);
}

__device__ float InputOf(unsigned i, float from, float to) {
  const unsigned mixed = i * 2654435761u;
  return from + (to - from) * (float(mixed >> 8) / 16777216.0f);
}

// The largest relative error of all inputs, as the bits of a float: of positive floats the order is that of their bits.
template <typename F, bool fast>
__global__ void largest_error(float from, float to, int calls, unsigned* worst) {
  const unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * calls;
  float mine = 0;
  for (int k = 0; k < calls; ++k) {
    const float x = InputOf(first + k, from, to);
    const double exact = F::Exact(double(x));
    if (exact == 0) continue;
    const float error = float(fabs((double(Value<F, fast>(x)) - exact) / exact));
    mine = fmaxf(mine, error);
  }
  atomicMax(worst, __float_as_uint(mine));
}

template <typename F, bool fast>
__global__ void many_calls(float from, float to, int calls, float* out) {
  float x = InputOf(blockIdx.x * blockDim.x + threadIdx.x, from, to), sum = 0;
  const float step = (to - from) / 1048576;
  for (int k = 0; k < calls; ++k) {
    sum += Value<F, fast>(x);
    x += step;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

struct Work {
  bool has_times;
  int blocks, calls;
  unsigned* worst;
  float* out;
};

template <typename F, bool fast>
static void Measure(const Work& work, const char* name, float from, float to) {
  const char* const series = fast ? "fast" : "precise";
  MUST(cudaMemset(work.worst, 0, sizeof(unsigned)));
  largest_error<F, fast><<<work.blocks, kThreads>>>(from, to, work.calls, work.worst);
  MUST(cudaGetLastError());
  float worst = 0;
  MUST(cudaMemcpy(&worst, work.worst, sizeof worst, cudaMemcpyDeviceToHost));
  if (!fast && !(worst < 1e-6f)) {
    fprintf(stderr, "%s: the precise function is wrong: a relative error of %g\n", name, double(worst));
    exit(1);
  }
  if (work.has_times) Bar("error", series, name, double(worst), double(worst), double(worst));
  Samples speeds;
  for (int run = 0; run < (work.has_times ? kWarmUps + kRuns : 1); ++run) {
    Marks marks;
    marks.Begin();
    many_calls<F, fast><<<work.blocks, kThreads>>>(from, to, work.calls, work.out);
    MUST(cudaGetLastError());
    const double us = marks.MicrosecondsToEnd();
    if (work.has_times && run >= kWarmUps) speeds.Add(double(work.blocks) * kThreads * work.calls / us / 1e3);
  }
  if (work.has_times) speeds.PrintBar("speed", series, name);
}

template <typename F>
static void MeasureBoth(const Work& work, const char* name, float from, float to) {
  Measure<F, false>(work, name, from, to);
  Measure<F, true>(work, name, from, to);
}

int main() {
  Work work;
  work.has_times = BeginRows();
  work.blocks = work.has_times ? kBlocks : kBlocksOnEmulator;
  work.calls = work.has_times ? kCalls : kCallsOnEmulator;
  MUST(cudaMalloc(&work.worst, sizeof(unsigned)));
  MUST(cudaMalloc(&work.out, size_t(work.blocks) * kThreads * sizeof(float)));
  MeasureBoth<Sin>(work, "sin, 0.1 to 3", 0.1f, 3);
  MeasureBoth<Sin>(work, "sin, 1000 to 1003", 1000, 1003);
  MeasureBoth<Exp>(work, "exp, -10 to 10", -10, 10);
  MeasureBoth<Log>(work, "log, 2 to 100", 2, 100);
  MeasureBoth<Pow>(work, "pow 2.5, 1 to 100", 1, 100);
  MeasureBoth<Divide>(work, "2.5 / x, 1 to 100", 1, 100);
  MUST(cudaFree(work.worst));
  MUST(cudaFree(work.out));
  return 0;
}
