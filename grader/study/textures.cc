// What textures return and how fast they are. Waits for textures in the emulator: without a GPU it says so and has no
// chart. Tested by tests/study/program_charts_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/study/programs.h"
#include "grader/study/rows.h"
#include "grader/study/studies.h"

namespace warpgrade::study {
namespace {

// Between 10 at 0.5, 20 at 1.5, 30 at 2.5 and 40 at 3.5: what exact arithmetic gives.
double Between(double x) { return 10 * (std::clamp(x, 0.5, 3.5) + 0.5); }

// How far the clamped, linear texture is off.
double MostOff(const plot::Series& linear) {
  double most = 0;
  for (const plot::Point& p : linear.points) most = std::max(most, std::fabs(p.y - Between(p.x)));
  return most;
}

std::string TimesText(const Table& times, const std::string& access) {
  const auto texture = times.Bar("texture", access), memory = times.Bar("memory", access);
  if (!texture || !memory) return "";
  return fmt::format("{}: the texture takes {:.2g} times as long as memory.", access, *texture / *memory);
}

}  // namespace

Result<plot::Plot> StudyTextures(Machine& machine) {
  const std::string title = "Textures: between and beside the elements, and their speed";
  const Result<bool> has_gpu = machine.HasGpu();
  if (!has_gpu) return has_gpu.error();
  if (!*has_gpu) {
    plot::Plot plot;
    plot.title = title;
    plot.facts = {{"Device", "the emulator"}, {"Study", "skipped: no GPU. The emulator has no textures"}};
    return plot;
  }
  const Result<Rows> rows = RunForRows(machine, kTexturesProgram);
  if (!rows) return rows.error();
  plot::Plot plot = BeginPlot(title, *rows, "a row of 4 elements; an image of 4096 x 4096 floats, median of 11 runs");
  plot::Chart values =
      ChartOf(rows->Of("values"), "The row 10 20 30 40, read at x; element i is at i + 0.5", {"x"}, {"value"});
  if (const plot::Series* linear = rows->Of("values").Find("clamp, linear")) {
    values.sentences = {
        fmt::format("Linear filtering is off by {:.2g} at most at these places. The weights of a texture have 8 bits "
                    "behind the point, so between them it is less exact than arithmetic in float.",
                    MostOff(*linear))};
  }
  const Table& times = rows->Of("time");
  plot::Chart time = ChartOf(times, "Time of a kernel that reads the image", {"access"}, {"us"});
  for (const std::string& access : times.categories) time.sentences.push_back(TimesText(times, access));
  plot.charts = {values, time};
  return plot;
}

}  // namespace warpgrade::study
