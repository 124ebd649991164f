// lab1's study of synchronisation, as charts. The program stands with the lab, because `make lab1_sync_study` builds it
// too. Tested by tests/study/program_charts_test.cc.
#include <fmt/format.h>

#include "grader/study/programs.h"
#include "grader/study/rows.h"
#include "grader/study/studies.h"

namespace warpgrade::study {
namespace {

const char* const kCopies = "explicit copies";
const char* const kManaged = "managed memory";
const char* const kManagedOfDevice = "managed, made on the device";
const char* const kMadeOnDevice = "made on the device";

// One time beside another: "shuffles: managed memory takes 1.2 times as long as explicit copies."
void Compare(plot::Chart* chart, const Table& table, const std::string& way, const std::string& source,
             const std::string& other_way, const std::string& other_source) {
  const auto a = table.Bar(way, source), b = table.Bar(other_way, other_source);
  if (!a || !b || *b <= 0) return;
  const bool same_way = way == other_way;
  chart->sentences.push_back(fmt::format("{}: {} takes {:.3g} times as long as {}.", same_way ? way : source,
                                         same_way ? source : way, *a / *b, same_way ? other_source : other_way));
}

}  // namespace

Result<plot::Plot> StudySync(Machine& machine) {
  if (kSyncProgram.empty()) {
    return Error{ErrorKind::kUsage,
                 "`study sync` is not in the students' edition, because its program holds solutions of lab1; ask the "
                 "course's staff for its charts"};
  }
  for (const auto& [name, text] : {std::pair("labs/lab1/studies/measure.h", kLab1MeasureHeader),
                                   std::pair("labs/lab1/studies/sums.h", kLab1SumsHeader),
                                   std::pair("labs/support/device_array.h", kLabDeviceArrayHeader),
                                   std::pair("labs/support/stopwatch.h", kLabStopwatchHeader)}) {
    if (Status s = machine.Write(name, text); !s.ok()) return s.error();
  }
  const Result<Rows> rows = RunForRows(machine, kSyncProgram, {"--rows"});
  if (!rows) return rows.error();
  plot::Plot plot = BeginPlot("Synchronisation: the sum of an array, by the way in which threads meet", *rows,
                              rows->has_times ? "2^24 numbers, median of 15 runs" : "2^14 numbers");
  const plot::Axis data{"where the data is"};
  for (const std::string type : {"float", "double"}) {
    if (!rows->has_times) {
      plot.charts.push_back(
          ChartOf(rows->Of("right, " + type), "Sums of " + type + "s that are right", data, {"of 1"}));
      continue;
    }
    const Table &total = rows->Of("total, " + type), &execution = rows->Of("execution, " + type);
    plot.charts.push_back(ChartOf(total, "Until the host has the sum of the " + type + "s", data, {"us"}));
    Compare(&plot.charts.back(), total, "shuffles", kCopies, "shuffles", kMadeOnDevice);
    Compare(&plot.charts.back(), total, "shuffles", kManaged, "shuffles", kCopies);
    plot.charts.push_back(ChartOf(execution, "The kernels that add the " + type + "s", data, {"us"}));
    Compare(&plot.charts.back(), execution, "shuffles", kManagedOfDevice, "shuffles", kMadeOnDevice);
    Compare(&plot.charts.back(), execution, "passes in place", kMadeOnDevice, "block barriers", kMadeOnDevice);
  }
  if (!rows->has_times) plot.charts.back().sentences.emplace_back(kNoTimes);
  return plot;
}

}  // namespace warpgrade::study
