// Where a plot goes: to the terminal, and to the files that the user names.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "grader/plot/plot.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

struct PlotFiles {
  std::string html, svg, csv;  // "": not wanted
};

// The options --html, --svg and --csv.
void AddPlotFiles(CLI::App& command, PlotFiles* files);

// Errors (kUsage): one of the files cannot be written. For before the work.
Status CheckPlotFiles(const PlotFiles& files);

// Writes the files and prints the plot. Returns the exit status. `command`: its page names it.
int HandOutPlot(const plot::Plot& plot, const PlotFiles& files, const std::string& command = "warpgrade plot");

}  // namespace warpgrade::cli
