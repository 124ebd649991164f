// The integral of a function with a sharp peak, on a grid that kernels refine where it is needed. The kernel and the
// function are in another unit. The host refines the same intervals.
#include <cmath>

#include "linked/05_adaptive_grid/integral.h"
#include "program.h"

__global__ void Start(double* sum) { Refine<<<1, kParts>>>(sum, 0.0, 1.0 / kParts, 0); }

// As Refine, by the host.
void RefineOnHost(double* sum, int* refined, double from, double width, int depth) {
  ++*refined;
  for (int t = 0; t < kParts; ++t) {
    const double begin = from + t * width;
    if (NeedsMore(begin, width) && depth < kDepth) {
      RefineOnHost(sum, refined, begin, width / kParts, depth + 1);
    } else {
      *sum += Area(begin, width);
    }
  }
}

int main() {
  DeviceArray<double> sum(1);
  sum.Fill(0);
  Start<<<1, 1>>>(sum);
  FINISH();
  double got = 0, want = 0;
  int launched = 0, refined = 0;
  sum.CopyTo(&got);
  CHECK(cudaMemcpyFromSymbol(&launched, refinements, sizeof launched));
  RefineOnHost(&want, &refined, 0.0, 1.0 / kParts, 0);
  EXPECT(std::fabs(got - want) < 1e-9 * want);
  EXPECT(launched == refined);
  std::printf("%d refinements, integral %.9f\n", launched, got);
  return 0;
}
