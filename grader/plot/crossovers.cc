// Compares series place by place, and puts into words where the outcome changes. Tests: tests/plot/crossovers_test.cc.
#include "grader/plot/crossovers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace warpgrade::plot {
namespace {

// 1: `a` is ahead of `b`; -1: behind; 0: their uncertainties overlap.
int Compare(const Point& a, const Point& b, Better better) {
  const int higher = a.low > b.high ? 1 : a.high < b.low ? -1 : 0;
  return better == Better::kHigher ? higher : -higher;
}

struct Outcome {
  double x;
  int sign;
  bool equal;  // exactly, without any uncertainty
};

// Of `a` against `b`, where both have a point.
std::vector<Outcome> Outcomes(const Series& a, const Series& b, Better better) {
  std::vector<Outcome> outcomes;
  for (const Point& point : a.points) {
    const auto other =
        std::find_if(b.points.begin(), b.points.end(), [&point](const Point& p) { return p.x == point.x; });
    if (other != b.points.end()) {
      const bool equal = point.low == other->high && point.high == other->low;
      outcomes.push_back({point.x, Compare(point, *other, better), equal});
    }
  }
  return outcomes;
}

// The first place from which on all outcomes are `sign`.
size_t LastRun(const std::vector<Outcome>& outcomes, int sign) {
  size_t from = outcomes.size();
  while (from > 0 && outcomes[from - 1].sign == sign) --from;
  return from;
}

std::string Place(const CrossoverWords& words, double x) {
  return NumberOn(words.scale, x) + (words.unit.empty() ? "" : " " + words.unit);
}

std::string Pair(const Series& later, const Series& earlier, const CrossoverWords& words) {
  const std::vector<Outcome> outcomes = Outcomes(later, earlier, words.better);
  if (outcomes.empty()) return "";
  const auto has = [&outcomes](int sign) {
    return std::any_of(outcomes.begin(), outcomes.end(), [sign](const Outcome& o) { return o.sign == sign; });
  };
  const std::string &a = later.name, &b = earlier.name;
  const bool one_place = outcomes.size() == 1;
  const std::string at = one_place ? "at " + Place(words, outcomes[0].x) : "";
  if (std::all_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.equal; })) {
    return fmt::format("{} and {} are equal {}.", a, b, one_place ? at : "everywhere");
  }
  if (!has(1) && !has(-1))
    return fmt::format("{} and {} differ by less than their spread {}.", a, b, one_place ? at : "everywhere");
  if (!has(0) && !has(-1)) return fmt::format("{} is better than {} {}.", a, b, one_place ? at : "everywhere");
  if (!has(1)) return fmt::format("{} is never better than {}.", a, b);
  if (const size_t from = LastRun(outcomes, 1); from < outcomes.size()) {
    return fmt::format("{} overtakes {} from {} on.", a, b, Place(words, outcomes[from].x));
  }
  // It was ahead somewhere, and is not at the end.
  size_t last = outcomes.size();
  while (outcomes[last - 1].sign != 1) --last;
  return fmt::format("{} is ahead of {} up to {} at most, and not above.", a, b, Place(words, outcomes[last - 1].x));
}

// A series and its point at some place.
struct AtPlace {
  const Series* series;
  const Point* point;
};

// The one that is ahead of all others; nullptr if none is.
const Series* Leader(const std::vector<AtPlace>& there, Better better) {
  for (const AtPlace& one : there) {
    const bool leads = std::all_of(there.begin(), there.end(), [&one, better](const AtPlace& other) {
      return other.series == one.series || Compare(*one.point, *other.point, better) == 1;
    });
    if (leads) return one.series;
  }
  return nullptr;
}

// The leader at each place that at least two series have.
std::map<double, const Series*> BestAt(const std::vector<Series>& series, Better better) {
  std::map<double, std::vector<AtPlace>> places;
  for (const Series& one : series) {
    if (one.is_bound) continue;
    for (const Point& point : one.points) places[point.x].push_back({&one, &point});
  }
  std::map<double, const Series*> best;
  for (const auto& [x, there] : places) {
    if (there.size() > 1) best[x] = Leader(there, better);
  }
  return best;
}

std::string BestSentence(const std::vector<Series>& series, const CrossoverWords& words) {
  const std::map<double, const Series*> best = BestAt(series, words.better);
  if (best.empty()) return "";
  struct Run {
    const Series* who;
    double from, to;
  };
  std::vector<Run> runs;
  for (const auto& [x, who] : best) {
    if (runs.empty() || runs.back().who != who) runs.push_back({who, x, x});
    runs.back().to = x;
  }
  if (runs.size() == 1) {
    if (runs[0].who == nullptr) return "None is clearly the best anywhere.";
    return fmt::format("The best everywhere is {}.", runs[0].who->name);
  }
  std::vector<std::string> parts;
  for (size_t i = 0; i < runs.size(); ++i) {
    const Run& run = runs[i];
    const bool last = i + 1 == runs.size();
    std::string where;
    if (i == 0) {
      where = "up to " + NumberOn(words.scale, run.to);
    } else if (last) {
      where = "from " + NumberOn(words.scale, run.from) + " on";
    } else if (run.from == run.to) {
      where = "at " + NumberOn(words.scale, run.from);
    } else {
      where = "from " + NumberOn(words.scale, run.from) + " to " + NumberOn(words.scale, run.to);
    }
    parts.push_back((run.who == nullptr ? "none clearly" : run.who->name) + " " + where);
  }
  return fmt::format("The best{}: {}.", words.unit.empty() ? "" : ", by " + words.unit, fmt::join(parts, "; "));
}

}  // namespace

std::vector<std::string> Crossovers(const std::vector<Series>& series, const CrossoverWords& words) {
  std::vector<std::string> sentences;
  const Series* before = nullptr;
  for (const Series& one : series) {
    if (one.is_bound || one.points.empty()) continue;
    if (before != nullptr) {
      if (std::string sentence = Pair(one, *before, words); !sentence.empty()) sentences.push_back(std::move(sentence));
    }
    before = &one;
  }
  if (std::string best = BestSentence(series, words); !best.empty()) sentences.push_back(std::move(best));
  return sentences;
}

}  // namespace warpgrade::plot
