// What both units of 05_adaptive_grid.cu know.
#pragma once

constexpr int kParts = 8, kDepth = 6;

extern __device__ int refinements;

__global__ void Refine(double* sum, double from, double width, int depth);

// A peak of width 0.001 at 0.3.
__host__ __device__ inline double At(double x) { return 1 / ((x - 0.3) * (x - 0.3) + 1e-6); }

__host__ __device__ inline double Area(double from, double width) {
  return width / 6 * (At(from) + 4 * At(from + width / 2) + At(from + width));
}

__host__ __device__ inline bool NeedsMore(double from, double width) {
  const double fine = Area(from, width / 2) + Area(from + width / 2, width / 2);
  const double coarse = Area(from, width);
  return (fine > coarse ? fine - coarse : coarse - fine) > 1e-4 * fine;
}
