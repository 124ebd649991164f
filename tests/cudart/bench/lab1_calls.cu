// lab1's largest public case: the sum of 1048583 floats. RUNG: the solution's file.
#include RUNG
#include "tests/cudart/bench/graded_calls.h"

int main() {
  constexpr size_t kElements = 1048583;
  const float* d_in = Ones(kElements);
  float *d_out = nullptr, *d_work = nullptr;
  Require(cudaMalloc(&d_out, sizeof(float)));
  Require(cudaMalloc(&d_work, (kElements + 1024) * sizeof(float)));
  TimeCalls([&] { reduce<float, Sum<float>>(d_in, kElements, d_out, d_work, nullptr); });
  RequireFirst(d_out, static_cast<float>(kElements));
}
