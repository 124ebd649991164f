// Who adds the blocks' sums? A second kernel, the host, atomics, or one block after a grid sync: the same blocks
// before, four ways to finish, over sizes.
//
//   time       from the launch until the host has the answer, with a cold L2 cache
//   answers    how many different sums 50 runs gave when the elements are fractions: float addition is not associative,
//              so a way that adds in the order in which blocks finish may give other bits each time
//
// `make lab1_finish_study` builds it and runs it, on the GPU if there is one. Exit code: 1 when an answer is wrong or a
// call fails.
#include <cuda_runtime.h>

#include <cmath>
#include <cstring>
#include <set>
#include <vector>

#include "labs/lab1/studies/measure.h"
#include "labs/lab1/studies/sums.h"
#include "labs/support/stopwatch.h"

namespace {

using study::HostClock;
using study::kThreads;

constexpr int kRuns = 15, kWarmUps = 2;
constexpr int kAnswerRuns = 50, kAnswerRunsOnEmulator = 5;
constexpr size_t kAnswerElements = size_t{1} << 18;
constexpr unsigned kSizesOnGpu[] = {12, 16, 20, 24, 28}, kSizesOnEmulator[] = {10, 12, 16};

struct Buffers {
  explicit Buffers(size_t most)
      : d_in(most * sizeof(float)), d_partial(study::Blocks<float>(most) * sizeof(float)), d_out(sizeof(float)) {}
  float* in() const { return static_cast<float*>(d_in.data()); }
  float* partial() const { return static_cast<float*>(d_partial.data()); }
  float* out() const { return static_cast<float*>(d_out.data()); }
  lab::DeviceArray d_in, d_partial, d_out;
};

float Fetch(const Buffers& b) {
  float answer = 0;
  lab::Require(cudaMemcpy(&answer, b.out(), sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return answer;
}

float WithSecondKernel(const Buffers& b, size_t n) {
  study::LaunchTwice<float, study::sum_with_shuffles>(b.in(), n, b.partial(), b.out(), nullptr);
  return Fetch(b);
}

float OnTheHost(const Buffers& b, size_t n) {
  std::vector<float> partial(study::Blocks<float>(n));
  study::sum_with_shuffles<float><<<unsigned(partial.size()), kThreads>>>(b.in(), n, b.partial());
  lab::Require(cudaGetLastError(), "launch");
  lab::Require(cudaMemcpy(partial.data(), b.partial(), partial.size() * sizeof(float), cudaMemcpyDeviceToHost),
               "cudaMemcpy");
  float sum = 0;
  for (const float x : partial) sum += x;
  return sum;
}

float WithAtomics(const Buffers& b, size_t n) {
  lab::Require(cudaMemsetAsync(b.out(), 0, sizeof(float)), "cudaMemsetAsync");
  study::sum_with_atomics<float><<<study::Blocks<float>(n), kThreads>>>(b.in(), n, b.out());
  lab::Require(cudaGetLastError(), "launch");
  return Fetch(b);
}

float WithGridSync(const Buffers& b, size_t n) {
  study::LaunchGridSync(b.in(), n, b.partial(), b.out(), nullptr);
  return Fetch(b);
}

struct Way {
  const char* name;
  float (*sum)(const Buffers& b, size_t n);
};
constexpr Way kWays[] = {
    {"second kernel", WithSecondKernel}, {"host", OnTheHost}, {"atomics", WithAtomics}, {"grid sync", WithGridSync}};

// The median over runs, in microseconds.
double Measure(const Way& way, const Buffers& b, size_t n, float expected, const lab::DeviceArray& flush,
               size_t flush_bytes) {
  std::vector<double> times;
  for (int i = 0; i < kWarmUps + kRuns; ++i) {
    lab::Require(cudaMemset(flush.data(), 0, flush_bytes), "cudaMemset");
    lab::Require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    const HostClock clock;
    const float answer = way.sum(b, n);
    const double time = clock.Microseconds();
    study::RequireAnswer(answer, expected, way.name);
    if (i >= kWarmUps) times.push_back(time);
  }
  return lab::Median(times);
}

template <typename Element>
std::vector<float> Elements(size_t n, Element element) {
  std::vector<float> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = element(i);
  return values;
}

void Upload(const Buffers& b, const std::vector<float>& values) {
  lab::Require(cudaMemcpy(b.in(), values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
}

// How many different answers there are; each must be near the sum in double precision. REQUIRES: fractions are in b.
size_t DifferentAnswers(const Way& way, const Buffers& b, double exact, int runs) {
  std::set<uint32_t> answers;
  for (int i = 0; i < runs; ++i) {
    const float answer = way.sum(b, kAnswerElements);
    if (!(std::fabs(double(answer) - exact) <= 1e-4 * exact)) study::RequireAnswer(answer, float(exact), way.name);
    uint32_t bits = 0;
    std::memcpy(&bits, &answer, sizeof bits);
    answers.insert(bits);
  }
  return answers.size();
}

int Main() {
  const std::string device = lab::DeviceName();
  if (device.empty()) throw std::runtime_error("there is no CUDA device; run it through ./warpgrade run");
  std::printf("lab1: who adds the blocks' sums, on %s\n", device.c_str());
  const bool has_times = !study::HasNoTimes(device);
  const std::vector<unsigned> sizes =
      has_times ? std::vector<unsigned>(std::begin(kSizesOnGpu), std::end(kSizesOnGpu))
                : std::vector<unsigned>(std::begin(kSizesOnEmulator), std::end(kSizesOnEmulator));
  const int answer_runs = has_times ? kAnswerRuns : kAnswerRunsOnEmulator;
  const size_t most = std::max(size_t{1} << sizes.back(), kAnswerElements);
  const Buffers b(most);
  int l2_bytes = 0;
  lab::Require(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0), "cudaDeviceGetAttribute");
  const size_t flush_bytes = has_times ? 2 * size_t(l2_bytes) : 1;
  const lab::DeviceArray flush(flush_bytes);

  const std::vector<float> fractions = Elements(kAnswerElements, study::fraction);
  double exact = 0;
  for (const float x : fractions) exact += double(x);
  Upload(b, fractions);
  std::vector<size_t> answers;
  for (const Way& way : kWays) answers.push_back(DifferentAnswers(way, b, exact, answer_runs));

  const std::vector<float> integers = Elements(most, study::small_integer);
  Upload(b, integers);
  std::printf("%-15s", "finished by");
  for (const unsigned log2 : sizes) std::printf("  %7s 2^%u", has_times ? "us," : "", log2);
  std::printf("  answers in %d runs\n", answer_runs);
  for (size_t w = 0; w < std::size(kWays); ++w) {
    std::printf("%-15s", kWays[w].name);
    for (const unsigned log2 : sizes) {
      const size_t n = size_t{1} << log2;
      float expected = 0;
      for (size_t i = 0; i < n; ++i) expected += integers[i];
      if (has_times) {
        std::printf("  %12.1f", Measure(kWays[w], b, n, expected, flush, flush_bytes));
      } else {
        study::RequireAnswer(kWays[w].sum(b, n), expected, kWays[w].name);
        std::printf("  %12s", "right");
      }
    }
    std::printf("  %zu\n", answers[w]);
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
