// `warpgrade calibrate`: measures known programs on the course's GPU, and proposes thresholds for throughput.
// calibrate_programs.cc lists the programs, calibrate_measure.cc times them, grader/calibrate proposes; this file has
// the options. Tests: tests/cli/calibrate_command_test.cc.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grader/calibrate/measurements.h"
#include "grader/cli/calibrate_measure.h"
#include "grader/cli/calibrate_programs.h"
#include "grader/cli/commands.h"
#include "grader/cli/device_choice.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/metric_names.h"
#include "grader/cli/progress.h"
#include "grader/cli/report_output.h"
#include "grader/cli/selection.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/result/counted.h"

namespace warpgrade::cli {
namespace {

struct CalibrateOptions {
  MeasureOptions measure;
};

Result<ProgramsToTime> ProgramsFor(const config::Kit& kit, const CalibrateOptions& options) {
  const std::string& own = options.measure.course_yaml;
  const auto course = config::LoadCourse(own.empty() ? kit.course_yaml : own, MetricNames(), kit.Rungs());
  if (!course) return course.error();
  const auto labs = SelectRungs(*course, options.measure.labs, options.measure.rungs);
  if (!labs) return labs.error();
  return ProgramsOf(kit, *course, *labs, !options.measure.rungs.empty());
}

int Calibrate(CalibrateOptions options) {
  if (const Status can = CheckFile(options.measure.json, "--json"); !can.ok()) return Fail(can.error());
  const auto kit = config::FindKit(ExecutablePath());
  if (!kit) return Fail(kit.error());
  const auto programs = ProgramsFor(*kit, options);
  if (!programs) return Fail(programs.error());
  for (const std::string& remark : programs->remarks) fmt::print("{}\n", remark);
  const auto device = ChooseDevice(Device::kAuto);
  if (!device) return Fail(device.error());
  if (device->device != Device::kGpu) {
    fmt::print("{} to measure: skipped: no GPU\n", Counted(programs->programs.size(), "program"));
    return kTestSkipped;
  }
  Progress progress(stderr, isatty(STDERR_FILENO) != 0, TerminalColumns(stderr));
  options.measure.solutions = kit->solutions_dir;
  options.measure.cancel = &CatchInterrupts();
  options.measure.on_progress = [&progress](int finished, int total, const std::string& what) {
    progress.Show(finished, total, what);
  };
  const Result<MeasureResult> measured = MeasureOnGpu(*programs, options.measure);
  progress.Clear();
  if (!measured) return Fail(measured.error());
  for (const calibrate::Grading& grading : measured->measurements.gradings) {
    if (!grading.left_out.empty()) {
      fmt::print("{} {}, {}: left out: {}\n", grading.program.lab, grading.program.rung, Words(grading.program),
                 grading.left_out);
    }
  }
  fmt::print("{}: {} on {}\n", options.measure.json, Counted(measured->measurements.gradings.size(), "grading"),
             measured->measurements.device.name);
  if (measured->interrupted) {
    fmt::print("interrupted; the same command goes on where it stopped\n");
    return kInterrupted;
  }
  if (!measured->failures.empty()) return Fail({ErrorKind::kMachine, measured->failures.front()});
  return kDone;
}

}  // namespace

void AddCalibrateCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("calibrate", "Measure known programs on a GPU, and propose thresholds for it");
  command->footer(std::string(kExitStatusHelp));
  auto options = std::make_shared<CalibrateOptions>();
  MeasureOptions& measure = options->measure;
  measure.json = "calibration.json";
  command->add_option("--lab", measure.labs, "Only this lab; repeat the option for several labs")->type_name("LAB");
  command->add_option("--rung", measure.rungs, "Only this rung: v3, or v3_sequential; repeat the option for several")
      ->type_name("RUNG");
  command->add_option("--repeat", measure.rounds, "Measure each program so often (default: 1)")
      ->type_name("N")
      ->check(CLI::Range(1, 100).description(""));
  command->add_option("--json", measure.json, "The file for what is measured (default: calibration.json)")
      ->type_name("FILE");
  command->add_option("--jobs", measure.jobs, "Programs to compile at the same time (default: one for each core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  command->add_option("--course", measure.course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  command->callback([options, exit_code] { *exit_code = Calibrate(*options); });
}

}  // namespace warpgrade::cli
