// The rows that compare arithmetic with memory: operations per load, bandwidth, roofline, tiles with a halo. They are
// formulas. They know no GPU's figures: each question gives these itself. Tested by
// tests/quiz/functions_arithmetic_test.cc.
#include <algorithm>

#include "grader/quiz/functions.h"

namespace warpgrade::quiz {
namespace {

// A matrix product whose blocks compute rows x columns results from slices of A and B that they load once. Each step
// along k takes rows + columns loads for rows * columns multiply-adds, of two operations each. Threads that share
// nothing are blocks of 1 x 1.
Result<Value> MatmulFlopsPerLoad(const Arguments& a) {
  const double rows = a.Number("rows"), columns = a.Number("columns");
  return Value(2 * rows * columns / (rows + columns));
}

// GFLOP/s that the bandwidth in GB/s allows, however fast the arithmetic units are.
Result<Value> GflopsAtBandwidth(const Arguments& a) {
  return Value(a.Number("bandwidth") * a.Number("flops") / a.Number("bytes"));
}

Result<Value> RooflineGflops(const Arguments& a) {
  return Value(std::min(a.Number("peak"), a.Number("bandwidth") * a.Number("flops") / a.Number("bytes")));
}

Result<Value> RooflineBound(const Arguments& a) {
  const double memory = a.Number("bandwidth") * a.Number("flops") / a.Number("bytes");
  if (memory == a.Number("peak")) {
    return Error{ErrorKind::kUsage,
                 "memory and arithmetic allow the same speed here; choose values away from the ridge point"};
  }
  return Value(memory < a.Number("peak") ? "memory" : "compute");
}

Result<Value> RidgePoint(const Arguments& a) { return Value(a.Number("peak") / a.Number("bandwidth")); }

Result<Value> MicrosecondsAtBandwidth(const Arguments& a) {
  return Value(a.Number("n") * a.Number("bytes") / a.Number("bandwidth") / 1e3);  // bytes / (GB/s) is ns
}

// Elements that a tile and its halo hold together.
double LoadsOfTile(const Arguments& a) {
  const double width = a.Number("width"), height = a.Number("height");
  const double radius = a.Number("radius");
  const bool flat = height == 1;  // in one dimension
  if (flat) return width + 2 * radius;
  const double all = (width + 2 * radius) * (height + 2 * radius);
  return a.Word("shape") == "cross" ? all - 4 * radius * radius : all;  // a cross needs no corners
}

Result<Value> TileLoads(const Arguments& a) { return Value(LoadsOfTile(a)); }

Result<Value> TileLoadsPerResult(const Arguments& a) {
  return Value(LoadsOfTile(a) / (a.Number("width") * a.Number("height")));
}

}  // namespace

std::vector<Function> ArithmeticFunctions() {
  const auto amount = [](const char* name) {
    return Parameter{.name = name, .kind = Kind::kNumber, .min = 0.001, .max = 1e9};
  };
  const Parameter flops = amount("flops"), bytes = amount("bytes"), bandwidth = amount("bandwidth");
  const Parameter peak = amount("peak");
  const std::vector<Parameter> tile = {
      {.name = "width", .min = 1, .max = 1024},
      {.name = "height", .min = 1, .max = 1024, .otherwise = Value(1.0)},
      {.name = "radius", .min = 0, .max = 64},
      {.name = "shape", .kind = Kind::kWord, .words = {"square", "cross"}, .otherwise = Value("square")},
  };
  const Parameter rows{.name = "rows", .min = 1, .max = 1024}, columns{.name = "columns", .min = 1, .max = 1024};
  return {
      {"matmul_flops_per_load",
       "operations per element loaded from global memory, for blocks of rows x columns results",
       Kind::kNumber,
       {rows, columns},
       MatmulFlopsPerLoad},
      {"gflops_at_bandwidth",
       "GFLOP/s that a bandwidth in GB/s allows, if a kernel does flops operations for bytes bytes",
       Kind::kNumber,
       {flops, bytes, bandwidth},
       GflopsAtBandwidth},
      {"roofline_gflops",
       "GFLOP/s that the bandwidth in GB/s and the peak in GFLOP/s allow together",
       Kind::kNumber,
       {flops, bytes, bandwidth, peak},
       RooflineGflops},
      {"roofline_bound",
       "which roof is lower: that of the bandwidth (memory) or that of the peak (compute)",
       Kind::kWord,
       {flops, bytes, bandwidth, peak},
       RooflineBound},
      {"ridge_point",
       "operations per byte at which the roofs of memory and compute meet",
       Kind::kNumber,
       {bandwidth, peak},
       RidgePoint},
      {"microseconds_at_bandwidth",
       "the least time to move n elements of a given size at a bandwidth in GB/s",
       Kind::kNumber,
       {{.name = "n", .min = 1, .max = 1e12}, bytes, bandwidth},
       MicrosecondsAtBandwidth},
      {"tile_loads", "elements of a tile with its halo; a cross-shaped stencil needs no corners", Kind::kWhole, tile,
       TileLoads},
      {"tile_loads_per_result", "elements of a tile with its halo, divided by the elements of the tile alone",
       Kind::kNumber, tile, TileLoadsPerResult},
  };
}

}  // namespace warpgrade::quiz
