// Kernels that launch kernels: what does a launch cost, and how much work does it need? Three ways to integrate a
// function with narrow peaks, to the same tolerance:
//
//   one flat grid       all intervals are as narrow as the narrowest that the function needs somewhere
//   a child each        an interval that is not good enough launches a grid of 8 threads for its 8 parts
//   a child per level   all intervals of a level write their parts into one list, which one launch then works on
//
//   launches      of kernels, by the host and by kernels
//   intervals     that were looked at: the function is computed at 5 points of each
//   per launch    intervals / launches
//   us            from the first launch until the host has the answer, the median of 15 (a GPU only)
//
// `make lab9_child_study` builds it and runs it, on the GPU if there is one. Exit code: 1 when an answer is wrong or a
// call fails.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "labs/support/device_array.h"

namespace {

constexpr int kParts = 8;   // of an interval that is refined
constexpr int kLevels = 6;  // the narrowest intervals are 8^-6 wide
constexpr int kThreads = 128;
constexpr int kMostIntervals = 1 << 15;  // of one level
constexpr int kRuns = 15;
constexpr double kTolerance = 1e-5;  // of an interval, as a share of its area

constexpr int kPeaks = 10;
constexpr double kPeakWidth = 1e-3;

struct Interval {
  double from, width;
};

// What the kernels count, and their answer.
struct Result {
  double sum;
  unsigned launches;
  unsigned intervals;
};

__device__ double Function(double x) {
  double sum = 0;
  for (int p = 0; p < kPeaks; ++p) {
    const double d = x - (p + 0.5) / kPeaks;
    sum += 1 / (d * d + kPeakWidth * kPeakWidth);
  }
  return sum;
}

// Simpson's rule once for the interval, and once for each half. Sets *area to the better value. True: the two differ
// too much, so the interval must be refined.
__device__ bool IsTooWide(Interval i, double* area) {
  const double y0 = Function(i.from), y1 = Function(i.from + i.width / 4), y2 = Function(i.from + i.width / 2);
  const double y3 = Function(i.from + 3 * i.width / 4), y4 = Function(i.from + i.width);
  const double coarse = i.width / 6 * (y0 + 4 * y2 + y4);
  *area = i.width / 12 * (y0 + 4 * y1 + 2 * y2 + 4 * y3 + y4);
  return fabs(*area - coarse) > kTolerance * *area;
}

__device__ Interval Part(Interval i, int part) { return {i.from + part * (i.width / kParts), i.width / kParts}; }

__device__ void Count(Result* result, unsigned intervals) {
  atomicAdd(&result->launches, 1u);
  atomicAdd(&result->intervals, intervals);
}

// Adds the values of a warp first, so that one lane needs an atomic.
__device__ void AddToSum(Result* result, double area) {
  for (int step = 16; step > 0; step /= 2) area += __shfl_down_sync(0xFFFFFFFFu, area, step);
  if (threadIdx.x % 32 == 0) atomicAdd(&result->sum, area);
}

__global__ void IntegrateFlat(int n, Result* result) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  if (first == 0) Count(result, n);
  double sum = 0;
  for (int k = first; k < n; k += gridDim.x * blockDim.x) {
    double area = 0;
    IsTooWide({double(k) / n, 1.0 / n}, &area);
    sum += area;
  }
  AddToSum(result, sum);
}

// A thread for each part of the interval.
__global__ void IntegrateParts(Interval whole, int level, Result* result) {
  if (threadIdx.x == 0) Count(result, kParts);
  const Interval mine = Part(whole, threadIdx.x);
  double area = 0;
  if (IsTooWide(mine, &area) && level < kLevels) {
    IntegrateParts<<<1, kParts, 0, cudaStreamFireAndForget>>>(mine, level + 1, result);
  } else {
    atomicAdd(&result->sum, area);
  }
}

// The lists of two levels, which take turns.
struct Lists {
  Interval* intervals[2];
  unsigned* counts;  // two
};

__global__ void LaunchNextLevel(Lists lists, int level, Result* result);

// A thread for each interval of the list. The parts of those that are too wide go into the other list.
__global__ void IntegrateLevel(Lists lists, int level, Result* result) {
  const unsigned n = lists.counts[level % 2];
  const unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k == 0) {
    Count(result, n);
    // This grid is over before its tail launch begins, so the list of the next level is complete then.
    LaunchNextLevel<<<1, 1, 0, cudaStreamTailLaunch>>>(lists, level + 1, result);
  }
  double area = 0;
  if (k < n) {
    const Interval mine = lists.intervals[level % 2][k];
    if (IsTooWide(mine, &area) && level < kLevels) {
      const unsigned at = atomicAdd(&lists.counts[(level + 1) % 2], unsigned{kParts});
      for (int part = 0; part < kParts && at + part < kMostIntervals; ++part) {
        lists.intervals[(level + 1) % 2][at + part] = Part(mine, part);
      }
      area = 0;
    }
  }
  AddToSum(result, area);
}

__global__ void LaunchNextLevel(Lists lists, int level, Result* result) {
  Count(result, 0);
  const unsigned n = lists.counts[level % 2];
  if (n == 0) return;
  lists.counts[(level + 1) % 2] = 0;
  IntegrateLevel<<<(n + kThreads - 1) / kThreads, kThreads, 0, cudaStreamTailLaunch>>>(lists, level, result);
}

struct Buffers {
  Buffers()
      : d_result(sizeof(Result)), d_lists(2 * kMostIntervals * sizeof(Interval)), d_counts(2 * sizeof(unsigned)) {}
  Result* result() const { return static_cast<Result*>(d_result.data()); }
  Lists lists() const {
    Interval* const first = static_cast<Interval*>(d_lists.data());
    return {{first, first + kMostIntervals}, static_cast<unsigned*>(d_counts.data())};
  }
  lab::DeviceArray d_result, d_lists, d_counts;
};

// Each starts with the interval [0, 1], whose parts are level 1.
void RunFlat(const Buffers& b) { IntegrateFlat<<<256, kThreads>>>(1 << (3 * kLevels), b.result()); }

void RunChildEach(const Buffers& b) { IntegrateParts<<<1, kParts>>>({0, 1}, 1, b.result()); }

void RunChildPerLevel(const Buffers& b) {
  Interval parts[kParts];
  for (int part = 0; part < kParts; ++part) parts[part] = {double(part) / kParts, 1.0 / kParts};
  const unsigned counts[2] = {0, kParts};
  const Lists lists = b.lists();
  lab::Require(cudaMemcpy(lists.intervals[1], parts, sizeof parts, cudaMemcpyHostToDevice), "cudaMemcpy");
  lab::Require(cudaMemcpy(lists.counts, counts, sizeof counts, cudaMemcpyHostToDevice), "cudaMemcpy");
  IntegrateLevel<<<1, kThreads>>>(lists, 1, b.result());
}

struct Way {
  const char* name;
  void (*run)(const Buffers& b);
};
constexpr Way kWays[] = {
    {"one flat grid", RunFlat}, {"a child each", RunChildEach}, {"a child per level", RunChildPerLevel}};

double Exact() {
  double sum = 0;
  for (int p = 0; p < kPeaks; ++p) {
    const double at = (p + 0.5) / kPeaks;
    sum += (std::atan((1 - at) / kPeakWidth) + std::atan(at / kPeakWidth)) / kPeakWidth;
  }
  return sum;
}

Result RunOnce(const Way& way, const Buffers& b, double* us) {
  lab::Require(cudaMemset(b.result(), 0, sizeof(Result)), "cudaMemset");
  lab::Require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  const auto start = std::chrono::steady_clock::now();
  way.run(b);
  lab::Require(cudaGetLastError(), way.name);
  Result result;
  lab::Require(cudaMemcpy(&result, b.result(), sizeof result, cudaMemcpyDeviceToHost), way.name);
  *us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  const double wrong = std::fabs(result.sum / Exact() - 1);
  if (!(wrong < 1e-4))
    throw std::runtime_error(std::string(way.name) + ": the integral is " + std::to_string(result.sum));
  return result;
}

int Main() {
  const std::string device = lab::DeviceName();
  if (device.empty()) throw std::runtime_error("there is no CUDA device; run it through ./warpgrade run");
  const bool has_times = !lab::IsEmulator(device);
  // All launches of a parent may be waiting at a time.
  lab::Require(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 4096), "cudaDeviceSetLimit");
  std::printf("lab9: kernels that launch kernels, on %s\n", device.c_str());
  if (!has_times)
    std::printf("This is the emulator, which measures no time: every way runs once, and its answer is checked.\n");
  std::printf("%-18s  %8s  %9s  %10s%s\n", "", "launches", "intervals", "per launch", has_times ? "       us" : "");
  const Buffers b;
  for (const Way& way : kWays) {
    std::vector<double> times;
    Result result{};
    for (int run = 0; run < (has_times ? kRuns + 1 : 1); ++run) {
      double us = 0;
      result = RunOnce(way, b, &us);
      if (run > 0) times.push_back(us);  // the first one warms up
    }
    std::printf("%-18s  %8u  %9u  %10.1f", way.name, result.launches, result.intervals,
                double(result.intervals) / result.launches);
    if (has_times) {
      std::sort(times.begin(), times.end());
      std::printf("  %7.1f", times[times.size() / 2]);
    }
    std::printf("\n");
  }
  return 0;
}

}  // namespace

int main() {
  try {
    return Main();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
