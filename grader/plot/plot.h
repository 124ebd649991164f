// A plot as data: what was measured, where and when, and what follows from it. The writers of this room and the page of
// grader/report draw it. Nothing here knows what is measured.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace warpgrade::plot {

// A point with the uncertainty of its y: low <= y <= high. REQUIRES: finite; positive where the axis is logarithmic.
struct Point {
  double x = 0, y = 0;
  double low = 0, high = 0;
  bool doubtful = false;  // drawn hollow
};

// A point without uncertainty.
inline Point Exact(double x, double y) { return {x, y, y, y, false}; }

struct Series {
  std::string name;           // "v3_sequential"
  std::vector<Point> points;  // by ascending x
  bool joined = true;         // by a line
  bool is_bound = false;      // not measured: a limit that others are compared with
};

enum class Scale { kLinear, kPowersOf2, kPowersOf10 };

struct Axis {
  std::string title;  // with the unit: "throughput, GB/s"
  Scale scale = Scale::kLinear;
};

struct Chart {
  std::string id;     // names its rows in the CSV file: "throughput"
  std::string title;  // "Throughput"
  Axis x, y;
  // Not empty: bars. Then x is the index of a category, and each series has at most one point there.
  std::vector<std::string> categories;
  std::vector<Series> series;
  std::vector<std::string> sentences;  // what one sees in it, computed from its points
};

struct Plot {
  std::string title;                                       // "lab1 Reduction against size"
  std::vector<std::pair<std::string, std::string>> facts;  // {"Device", "NVIDIA H200"}, date, sizes, spread
  std::vector<Chart> charts;
};

// A number as a person writes it: four significant digits, powers of two from 1024 on as "2^16" on such an axis.
std::string NumberOn(Scale scale, double value);

// The places of the marks on an axis from `low` to `high`, at most about `most` of them, with low <= mark <= high.
std::vector<double> Ticks(Scale scale, double low, double high, int most);

// The file of --csv: one row for each point. Texts are quoted where the format wants it.
std::string CsvText(const Plot& plot);

// The file of --svg: a picture of all charts, one below the other, with the facts above and the sentences below. It
// needs no fonts of its own and no scripts.
std::string SvgText(const Plot& plot);

}  // namespace warpgrade::plot
