// Tests: tests/score/late_test.cc.
#include "grader/score/late.h"

#include <algorithm>

namespace warpgrade::score {
namespace {

constexpr int64_t kSecondsPerDay = 24 * 3600;
constexpr int64_t kMostDays = 10'000;  // of a file from 1970, or one from the future

}  // namespace

int DaysLate(const HandInTime& time) {
  if (!time.due) return 0;
  if (time.marked_late == false) return 0;
  const int64_t late_s = std::max<int64_t>(0, time.at - *time.due);
  const int64_t days = std::min((late_s + kSecondsPerDay - 1) / kSecondsPerDay, kMostDays);
  return static_cast<int>(std::max<int64_t>(days, time.marked_late == true ? 1 : 0));
}

config::Points Deduction(const config::HandInRule& rule, config::Points points, int days) {
  if (days <= 0 || points <= config::Points()) return config::Points();
  if (rule.most_days_late && days > *rule.most_days_late) return points;
  return points.Times(std::min(1.0, rule.late_per_day * days));
}

}  // namespace warpgrade::score
