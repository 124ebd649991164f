// What a program of programs/ prints: lines of fields between tabs, which programs/measure.h writes.
//
//   device <TAB> NVIDIA H200 <TAB> 1                          1: it has times
//   row <TAB> TABLE <TAB> SERIES <TAB> x <TAB> y <TAB> low <TAB> high
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "grader/plot/plot.h"
#include "grader/result/result.h"

namespace warpgrade::study {

struct Rows {
  std::string device;
  bool has_times = false;
  // In the order in which they were printed.
  std::vector<std::pair<std::string, std::vector<plot::Series>>> tables;

  // The series of a table; none if the program printed no row of it.
  const std::vector<plot::Series>& Of(const std::string& table) const;
  // The series of that name, or nullptr.
  const plot::Series* Find(const std::string& table, const std::string& series) const;
};

// Errors (kMachine) quote the line that is not as it should be.
Result<Rows> ReadRows(const std::string& printed);

// A plot of what the program printed: its title, and the facts that all have.
plot::Plot BeginPlot(const std::string& title, const Rows& rows, const std::string& sizes);

// What stands in the place of a chart of times if there are none.
extern const char* const kNoTimes;

}  // namespace warpgrade::study
