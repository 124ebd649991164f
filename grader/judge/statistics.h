// Summaries of measured values: quantiles, means of a half, spread. Pure functions; the values may have any unit.
#pragma once

#include <vector>

namespace warpgrade::judge {

// Interpolates linearly between the sorted values: Quantile(v, 0.5) is the median. REQUIRES: values is not empty,
// 0 <= q <= 1.
double Quantile(std::vector<double> values, double q);

// The middle value, or the mean of the two middle ones. REQUIRES: values is not empty.
double Median(const std::vector<double>& values);

// The mean of the smaller half of the values, the middle one included. A disturbance makes a call longer, never
// shorter. So in ten gradings in a row, this mean varied less than the median. REQUIRES: values is not empty.
double FasterHalf(std::vector<double> values);

// The mean of the middle half of the values. It is meant for ratios of two times that were measured right after each
// other. A disturbance hits each of the two times equally often, and a disturbance of both, for seconds, cancels out.
// REQUIRES: values is not empty.
double MiddleHalf(std::vector<double> values);

// Half the distance between the first and the third quartile; 0 for one value. REQUIRES: values is not empty.
double HalfInterquartileRange(const std::vector<double>& values);

// HalfInterquartileRange as a percentage of the median: the spread that reports print. REQUIRES: values is not empty.
double SpreadPercent(const std::vector<double>& values);

// The standard error of the mean as a percentage of the mean. Infinite for fewer than two values.
double StandardErrorPercent(const std::vector<double>& values);

}  // namespace warpgrade::judge
