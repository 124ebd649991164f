// The public cases: the table that generate_cases.cmake made of cases.yaml, and which of its rows are for which rung.
// Tested by tests/course/lab4/lab4_judge_test.cc.
#include "labs/lab4/cases.h"

#include <optional>

namespace lab4 {
namespace {

enum class Of { kLines, kImages, kV4, kNoPlanes, kOnePlane, kThreePlanes, kFivePlanes };

// How many planes a case for v10 has; nullopt for the other rungs' cases.
std::optional<size_t> PlanesOf(Of of) {
  switch (of) {
    case Of::kLines:
    case Of::kImages:
    case Of::kV4:
      return std::nullopt;
    case Of::kNoPlanes:
      return 0;
    case Of::kOnePlane:
      return 1;
    case Of::kThreePlanes:
      return 3;
    case Of::kFivePlanes:
      return 5;
  }
  return std::nullopt;
}

bool Includes(Of of, std::string_view rung) {
  if (of == Of::kV4) return rung == "v4_image";
  if (PlanesOf(of) || VariantOf(rung) == kPlanes) return PlanesOf(of) && VariantOf(rung) == kPlanes;
  return (of == Of::kLines) == (VariantOf(rung) == kLine);
}

struct Row {
  Of of;
  size_t rows, columns;
  int mask_rows, mask_columns;
  Pattern pattern;
};

#define LAB4_CASE(of, rows, columns, mask_rows, mask_columns, pattern) \
  {Of::of, rows, columns, mask_rows, mask_columns, pattern},
constexpr Row kRows[] = {
#include "lab4_cases.inc"
};
#undef LAB4_CASE

}  // namespace

Variant VariantOf(std::string_view rung) {
  if (rung == "v6_separable") return kSeparable;
  if (rung == "v10_planes") return kPlanes;
  for (const std::string_view image : {"v4_image", "v5_image_tiled", "v8_open_2d", "v9_halo_from_cache"}) {
    if (rung == image) return kImage;
  }
  return kLine;
}

std::vector<Problem> PublicCases(std::string_view rung) {
  std::vector<Problem> problems;
  for (const Row& row : kRows) {
    if (!Includes(row.of, rung)) continue;
    problems.push_back({.variant = VariantOf(rung),
                        .rows = row.rows,
                        .columns = row.columns,
                        .mask_rows = row.mask_rows,
                        .mask_columns = row.mask_columns,
                        .pattern = row.pattern,
                        .planes = PlanesOf(row.of).value_or(1)});
  }
  return problems;
}

std::string Name(const Problem& p) {
  if (p.pattern == kExact) return Size(p);
  return Size(p) + ", " + Name(p.pattern) + (p.pattern == kSpoiled ? " values" : "");
}

}  // namespace lab4
