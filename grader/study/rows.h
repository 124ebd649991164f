// What a program of programs/ prints: lines of fields between tabs, which programs/measure.h writes.
//
//   device <TAB> NVIDIA H200 <TAB> 1                          1: it has times
//   row <TAB> TABLE <TAB> SERIES <TAB> x <TAB> y <TAB> low <TAB> high
//   bar <TAB> TABLE <TAB> SERIES <TAB> CATEGORY <TAB> y <TAB> low <TAB> high
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/plot/plot.h"
#include "grader/result/result.h"
#include "grader/study/machine.h"

namespace warpgrade::study {

// All lists are in the order in which their names were printed first.
struct Table {
  std::string name;
  std::vector<std::string> categories;  // of bars
  std::vector<plot::Series> series;

  // The series of that name, or nullptr.
  const plot::Series* Find(const std::string& series_name) const;
  // The y of a bar; nullopt if there is none.
  std::optional<double> Bar(const std::string& series_name, const std::string& category) const;
};

struct Rows {
  std::string device;
  bool has_times = false;
  std::vector<Table> tables;

  // A table without series if the program printed no row of it.
  const Table& Of(const std::string& table) const;
};

// Errors (kMachine) quote the line that is not as it should be.
Result<Rows> ReadRows(const std::string& printed);

// ReadRows of what a study's program prints on the machine.
Result<Rows> RunForRows(Machine& machine, std::string_view program, const std::vector<std::string>& arguments = {});

// A chart of a table's series, with its categories.
plot::Chart ChartOf(const Table& table, const std::string& title, const plot::Axis& x, const plot::Axis& y);

// A plot of what the program printed: its title, and the facts that all have.
plot::Plot BeginPlot(const std::string& title, const Rows& rows, const std::string& sizes);

// What stands in the place of a chart of times if there are none.
extern const char* const kNoTimes;

}  // namespace warpgrade::study
