// Copies between host and device by size. The model of a copy is t = L + bytes / B: L is the time of a copy of nothing,
// and B the speed of a large one. L and B are fitted to the measured times. Tested by tests/study/transfers_test.cc.
#include "grader/study/transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/study/programs.h"
#include "grader/study/rows.h"
#include "grader/study/studies.h"

namespace warpgrade::study {
namespace {

// Bytes for people: "256 KB".
std::string Bytes(double bytes) {
  const char* const units[] = {"bytes", "KB", "MB", "GB"};
  size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(units)) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, bytes < 10 && unit > 0 ? 1 : 0, units[unit]);
}

plot::Series Speeds(const plot::Series& times) {
  plot::Series speeds{.name = times.name};
  for (const plot::Point& p : times.points) {
    speeds.points.push_back({p.x, p.x / p.y / 1e3, p.x / p.high / 1e3, p.x / p.low / 1e3, p.doubtful});
  }
  return speeds;
}

std::string ModelText(const plot::Series& times, const TransferModel& model) {
  return fmt::format(
      "{}: t = {:.3g} us + bytes / ({:.3g} GB/s), at most {:.0f}% off. A copy of L * B = {} has half of "
      "that speed.",
      times.name, model.latency_us, model.bytes_per_us / 1e3, 100 * WorstError(times, model),
      Bytes(model.HalfSpeedBytes()));
}

// Where pinned memory helps most.
std::string PinnedText(const plot::Series& pinned, const plot::Series& pageable) {
  double most = 0, at = 0;
  for (size_t i = 0; i < std::min(pinned.points.size(), pageable.points.size()); ++i) {
    const double ratio = pageable.points[i].y / pinned.points[i].y;
    if (ratio <= most) continue;
    most = ratio;
    at = pinned.points[i].x;
  }
  return fmt::format("{} takes {:.2g} times as long as {}, at most: at {}.", pageable.name, most, pinned.name,
                     Bytes(at));
}

}  // namespace

TransferModel FitTransfers(const plot::Series& times) {
  // The sum of ((L + x / B - t) / t)^2 is least. It is a quadratic form in L and 1 / B.
  double a11 = 0, a12 = 0, a22 = 0, b1 = 0, b2 = 0;
  for (const plot::Point& p : times.points) {
    const double u = 1 / p.y, v = p.x / p.y;
    a11 += u * u;
    a12 += u * v;
    a22 += v * v;
    b1 += u;
    b2 += v;
  }
  const double determinant = a11 * a22 - a12 * a12;
  return {(b1 * a22 - b2 * a12) / determinant, determinant / (a11 * b2 - a12 * b1)};
}

double WorstError(const plot::Series& times, const TransferModel& model) {
  double worst = 0;
  for (const plot::Point& p : times.points) worst = std::max(worst, std::fabs(model.TimeOf(p.x) / p.y - 1));
  return worst;
}

plot::Plot DrawTransfers(const Rows& rows) {
  plot::Plot plot = BeginPlot(
      "Transfers: copies between the host and the device, by size", rows,
      rows.has_times ? "1 KB to 256 MB, median and quartiles of 7 to 21 copies" : "1 KB to 1 MB, one copy of each");
  const plot::Axis bytes{"bytes", plot::Scale::kPowersOf2};
  if (!rows.has_times) {
    plot::Chart arrived = ChartOf(rows.Of("arrived"), "What arrives", bytes, {"bytes that are right"});
    arrived.sentences = {"Every copy brought the bytes that were sent.", kNoTimes};
    plot.charts = {arrived};
    return plot;
  }
  const Table& times = rows.Of("time");
  plot::Chart time = ChartOf(times, "Time of a copy", bytes, {"us", plot::Scale::kPowersOf10});
  plot::Chart speed{.id = "speed", .title = "Speed of a copy", .x = bytes, .y = {"GB/s"}};
  for (const plot::Series& series : times.series) {
    speed.series.push_back(Speeds(series));
    time.sentences.push_back(ModelText(series, FitTransfers(series)));
  }
  for (const std::string direction : {"up", "down"}) {
    const plot::Series* pinned = times.Find(direction + ", pinned");
    const plot::Series* pageable = times.Find(direction + ", pageable");
    if (pinned != nullptr && pageable != nullptr) speed.sentences.push_back(PinnedText(*pinned, *pageable));
  }
  plot.charts = {time, speed};
  return plot;
}

Result<plot::Plot> StudyTransfers(Machine& machine) {
  const Result<Rows> rows = RunForRows(machine, kTransfersProgram);
  if (!rows) return rows.error();
  return DrawTransfers(*rows);
}

}  // namespace warpgrade::study
