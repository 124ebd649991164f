// The host works while a kernel runs. A kernel takes some time, the host works for another time, and the total is
// measured twice: once the host waits for the kernel first, and once it waits at the end. The kernel leaves its answer
// in a managed variable, which both sides use by its name.
#include "measure.h"

__managed__ unsigned answer;

// As many dependent steps as `steps` says, in one thread: its time does not depend on what else runs.
__global__ void walk(unsigned steps) {
  unsigned value = 1;
  for (unsigned k = 0; k < steps; ++k) value = value * 1664525u + 1013904223u;
  answer = value;
}

static unsigned WalkOnHost(unsigned steps) {
  unsigned value = 1;
  for (unsigned k = 0; k < steps; ++k) value = value * 1664525u + 1013904223u;
  return value;
}

// Work of the host that takes this long.
static void WorkOnHost(double us) {
  const double end = Microseconds() + us;
  while (Microseconds() < end) {
  }
}

static const int kRuns = 11, kWarmUps = 2;
static const unsigned kSteps = 500'000, kStepsOnEmulator = 1000;

// Microseconds until both are done. Ends the program if the kernel's answer is wrong.
static double Total(unsigned steps, unsigned expected, double host_us, bool waits_first) {
  answer = 0;
  const double begin = Microseconds();
  walk<<<1, 1>>>(steps);
  MUST(cudaGetLastError());
  if (waits_first) MUST(cudaDeviceSynchronize());
  WorkOnHost(host_us);
  MUST(cudaDeviceSynchronize());  // before the host looks at the answer
  const double total = Microseconds() - begin;
  if (answer == expected) return total;
  fprintf(stderr, "the kernel's answer is %u, should be %u\n", answer, expected);
  exit(1);
}

static void Measure(bool has_times, unsigned steps, double host_us, const char* series, bool waits_first) {
  const unsigned expected = WalkOnHost(steps);
  Samples totals;
  for (int run = 0; run < (has_times ? kWarmUps + kRuns : 1); ++run) {
    const double total = Total(steps, expected, host_us, waits_first);
    if (!has_times || run >= kWarmUps) totals.Add(total);
  }
  Row("answers", series, host_us, 1, 1, 1);
  if (has_times) totals.Print("total", series, host_us);
}

int main() {
  const bool has_times = BeginRows();
  const unsigned steps = has_times ? kSteps : kStepsOnEmulator;
  const double last = has_times ? 3200 : 400;
  for (double host_us = 0; host_us <= last; host_us += last / 8) {
    Measure(has_times, steps, host_us, "waits first", true);
    Measure(has_times, steps, host_us, "waits at the end", false);
  }
  return 0;
}
