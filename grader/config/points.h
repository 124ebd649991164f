// Points are decimal numbers with two places and are added exactly: 0.1 + 0.2 is 0.3.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace warpgrade::config {

class Points {
 public:
  constexpr Points() = default;
  static constexpr Points FromHundredths(int64_t hundredths) {
    Points p;
    p.hundredths_ = hundredths;
    return p;
  }
  constexpr int64_t hundredths() const { return hundredths_; }
  double ToDouble() const { return static_cast<double>(hundredths_) / 100.0; }
  // "10", "7.5", "0.25".
  std::string ToString() const;
  // This times `share` (0..1), rounded half up to a hundredth.
  Points Times(double share) const;

  friend constexpr Points operator+(Points a, Points b) { return FromHundredths(a.hundredths_ + b.hundredths_); }
  friend constexpr Points operator-(Points a, Points b) { return FromHundredths(a.hundredths_ - b.hundredths_); }
  constexpr Points& operator+=(Points b) {
    hundredths_ += b.hundredths_;
    return *this;
  }
  friend constexpr auto operator<=>(Points, Points) = default;

 private:
  int64_t hundredths_ = 0;
};

}  // namespace warpgrade::config
