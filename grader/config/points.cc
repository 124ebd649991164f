#include "grader/config/points.h"

#include <cmath>

namespace warpgrade::config {

std::string Points::ToString() const {
  const bool negative = hundredths_ < 0;
  const uint64_t magnitude = negative ? uint64_t{0} - static_cast<uint64_t>(hundredths_) : hundredths_;
  std::string text = negative ? "-" : "";
  text += std::to_string(magnitude / 100);
  const int fraction = static_cast<int>(magnitude % 100);
  if (fraction == 0) return text;
  text += '.';
  text += static_cast<char>('0' + fraction / 10);
  if (fraction % 10 != 0) text += static_cast<char>('0' + fraction % 10);
  return text;
}

Points Points::Times(double share) const {
  if (!(share > 0)) return Points();  // NaN too: an unknown share earns nothing
  if (share >= 1) return *this;
  return FromHundredths(static_cast<int64_t>(std::floor(static_cast<double>(hundredths_) * share + 0.5)));
}

}  // namespace warpgrade::config
