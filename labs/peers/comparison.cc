#include "labs/peers/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace peers {
namespace {

// REQUIRES: values is not empty.
double Quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
}

// Half of what lies between the quartiles, as a share of the median: as the grader has it.
double Spread(const std::vector<double>& values) {
  return (Quantile(values, 0.75) - Quantile(values, 0.25)) / 2 / Quantile(values, 0.5);
}

}  // namespace

Comparison::Comparison(std::vector<std::string> wanted) : wanted_(std::move(wanted)) {
  std::printf("| what | size | ours | peer | ratio | spread | goal |\n|---|---|---|---|---|---|---|\n");
}

bool Comparison::Wants(const std::string& lab) const {
  return wanted_.empty() || std::find(wanted_.begin(), wanted_.end(), lab) != wanted_.end();
}

void Comparison::Print(const Subject& subject, bool is_right, const std::vector<double>& ours,
                       const std::vector<double>& theirs) {
  std::vector<double> ratios;  // of a pair: what slows both of its calls is in neither
  for (size_t i = 0; i < ours.size(); ++i) {
    ratios.push_back(subject.ours / ours[i] / (subject.theirs / theirs[i]));
  }
  const double our_rate = subject.ours / Quantile(ours, 0.5), their_rate = subject.theirs / Quantile(theirs, 0.5);
  const double ratio = Quantile(ratios, 0.5);
  const int decimals = our_rate < 1000 ? 1 : 0;
  ++lines_;
  if (ratio < subject.goal) ++missed_;
  if (!is_right) ++wrong_;
  std::printf("| %s | %s | %.*f %s | %s %.*f | %.3f | %.1f%% | %.2f%s |%s\n", subject.what.c_str(),
              subject.size.c_str(), decimals, our_rate, subject.unit.c_str(), subject.peer.c_str(), decimals,
              their_rate, ratio, 100 * Spread(ratios), subject.goal, ratio < subject.goal ? ", missed" : "",
              is_right ? "" : " WRONG ANSWER");
  std::fflush(stdout);
}

}  // namespace peers
