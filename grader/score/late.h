// What a late attempt is worth. Pure: the same times and rule always give the same points.
#pragma once

#include <cstdint>
#include <optional>

#include "grader/config/course.h"
#include "grader/config/points.h"

namespace warpgrade::score {

// When an attempt was handed in, and until when it could be. Times are seconds since 1970.
struct HandInTime {
  int64_t at = 0;
  std::optional<bool> marked_late;  // the platform says so itself, and then `at` may be the time of the download
  std::optional<int64_t> due;       // with the student's extension; nullopt: at any time
};

// How many days late, begun days counting whole. 0: in time. What the platform marks as late is at least one day late,
// and what it marks as in time is not late.
int DaysLate(const HandInTime& time);

// The points that an attempt of `points` loses by `rule` for `days` that no grace day pays for.
config::Points Deduction(const config::HandInRule& rule, config::Points points, int days);

}  // namespace warpgrade::score
