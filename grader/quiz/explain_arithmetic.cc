// The arithmetic of the functions of functions_arithmetic.cc. Tested by tests/quiz/explain_test.cc.
#include <fmt/format.h>

#include "grader/quiz/explanations.h"
#include "grader/quiz/value_text.h"

namespace warpgrade::quiz {
namespace {

std::string Amount(const Arguments& a, const char* name) { return ValueText(a.Number(name)); }

std::string MemoryRoof(const Arguments& a) {
  return fmt::format("{} GB/s x {} / {} bytes", Amount(a, "bandwidth"), Amount(a, "flops"), Amount(a, "bytes"));
}

std::string TileText(const Arguments& a) {
  if (a.Number("height") == 1) return fmt::format("{} + 2 x {}", Amount(a, "width"), Amount(a, "radius"));
  std::string all =
      fmt::format("({0} + 2 x {2}) x ({1} + 2 x {2})", Amount(a, "width"), Amount(a, "height"), Amount(a, "radius"));
  if (a.Word("shape") == "square") return all;
  return fmt::format("{0} - four corners of {1} x {1}", all, Amount(a, "radius"));
}

}  // namespace

std::vector<Explanation> ArithmeticExplanations() {
  return {
      {"matmul_flops_per_load",
       [](const Arguments& a) {
         return fmt::format("each step along k: 2 x {0} x {1} operations / ({0} + {1}) loads", Amount(a, "rows"),
                            Amount(a, "columns"));
       }},
      {"gflops_at_bandwidth", MemoryRoof},
      {"roofline_gflops",
       [](const Arguments& a) { return fmt::format("min({}, {})", MemoryRoof(a), Amount(a, "peak")); }},
      {"roofline_bound",
       [](const Arguments& a) {
         return fmt::format("{} = {} GFLOP/s, the peak is {}; the lower one", MemoryRoof(a),
                            ValueText(a.Number("bandwidth") * a.Number("flops") / a.Number("bytes")),
                            Amount(a, "peak"));
       }},
      {"ridge_point",
       [](const Arguments& a) {
         return fmt::format("{} GFLOP/s / {} GB/s", Amount(a, "peak"), Amount(a, "bandwidth"));
       }},
      {"microseconds_at_bandwidth",
       [](const Arguments& a) {
         return fmt::format("{} x {} bytes / ({} x 1000 bytes per microsecond)", Amount(a, "n"), Amount(a, "bytes"),
                            Amount(a, "bandwidth"));
       }},
      {"tile_loads", TileText},
      {"tile_loads_per_result",
       [](const Arguments& a) {
         return fmt::format("({}) / ({} x {})", TileText(a), Amount(a, "width"), Amount(a, "height"));
       }},
  };
}

}  // namespace warpgrade::quiz
