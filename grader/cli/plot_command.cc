// `warpgrade plot`: measures rungs as `grade` does, and draws what it measured. Each kind of plot is a subcommand; what
// they draw is in plot_charts.cc and plot_roofs.cc. Tests: tests/cli/plot_command_test.cc, and on a GPU by hand.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "grader/cli/commands.h"
#include "grader/cli/device_option.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/grading_session.h"
#include "grader/cli/home_sandbox.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/metric_names.h"
#include "grader/cli/needs_options.h"
#include "grader/cli/outside_labs.h"
#include "grader/cli/plot_charts.h"
#include "grader/cli/plot_output.h"
#include "grader/cli/progress.h"
#include "grader/cli/rung_work.h"
#include "grader/cli/selection.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/score/counting.h"
#include "grader/times/times.h"
#include "labs/labs.h"

namespace warpgrade::cli {
namespace {

constexpr int kSmallestPower = 4, kLargestPower = 30;
constexpr int kFirstPower = 10, kLastPowerOnGpu = 28;
constexpr int kLastPowerOnEmulator = 18;  // quick: lab1's nine rungs take some seconds
constexpr int kLastPowerOfBlocks = 20;    // 4096 blocks of 256: more than any GPU runs at once
constexpr int kSecondsOnGpu = 75;         // the starts of nine rungs' processes come on top

struct PlotOptions {
  std::string lab, submission, course_yaml, as;
  std::vector<std::string> rungs;
  Device device = Device::kAuto;
  int first = kFirstPower, last = 0;  // 0: by the device
  int seconds = kSecondsOnGpu;
  PlotFiles files;
  OccupancyQuestion question;
};

std::string DateText() { return UtcText(std::time(nullptr)); }

Result<std::string> FolderOf(const PlotOptions& options) {
  if (!options.submission.empty()) return options.submission;
  const auto kit = config::FindKit(ExecutablePath());
  if (!kit) return kit.error();
  std::error_code ignored;
  if (std::filesystem::is_directory(kit->solutions_dir, ignored)) return kit->solutions_dir;
  fmt::print(stderr, "warpgrade: the course's solutions are not here; drawing your own files\n");
  return StarterFolder(*kit, options.course_yaml, options.lab);
}

struct Measured {
  PlotSubject subject;
  std::vector<PlottedRung> rungs;
};

// Measures `parts` of the chosen rungs as `grade` does. `device`: never kAuto.
Result<Measured> Measure(const PlotOptions& options, Device device, const judge::MeasuredParts& parts) {
  const auto folder = FolderOf(options);
  if (!folder) return folder.error();
  Progress progress(stderr, isatty(STDERR_FILENO) != 0, TerminalColumns(stderr));
  SessionOptions session;
  session.paths = {*folder};
  session.labs = {options.lab};
  session.rungs = options.rungs;
  session.device = device;
  session.course_yaml = options.course_yaml;
  session.believe_together = true;  // there are no marks to doubt
  session.second_look = false;      // nobody reads why a rung is wrong
  session.delay_seed = 0;           // counts are those of the order of numbers
  session.parts = parts;
  session.plain_speeds = true;
  session.cancel = &CatchInterrupts();
  session.on_progress = [&progress](int finished, int total, const std::string& what) {
    progress.Show(finished, total, what);
  };
  Result<SessionResult> result = RunAtHome(session);
  progress.Clear();
  if (!result) return result.error();
  if (result->interrupted) return Error{ErrorKind::kMachine, "interrupted, so there is no plot"};
  if (!result->failures.empty()) return Error{ErrorKind::kMachine, result->failures.front()};
  Measured measured;
  const score::LabScore& lab = result->report.submissions.at(0).labs.at(0);
  measured.subject = {lab.lab + " " + lab.title,
                      options.submission.empty() ? "the course's solutions" : options.submission, DateText(),
                      result->report.device};
  for (const score::RungScore& rung : lab.rungs) {
    if (rung.rung != config::kQuizName && !score::IsBesideRungs(rung))
      measured.rungs.push_back({rung.rung, rung.measurement});
  }
  return measured;
}

judge::MeasuredParts NoParts() {
  judge::MeasuredParts parts;
  parts.public_cases = parts.hidden_cases = parts.technique = parts.throughput = false;
  return parts;
}

// The powers of 2 from `first` to `last`. Errors (kUsage): the lab has no such sizes.
Result<judge::MeasuredParts> Sizes(const PlotOptions& options, int last) {
  const Lab* lab = FindLab(options.lab);
  if (lab != nullptr && !lab->OfSize("", 1024)) {
    return Error{ErrorKind::kUsage,
                 fmt::format("{} has no family of sizes to plot against; lab1, lab2, lab5, lab7, "
                             "lab9 and lab10 have one; `warpgrade plot ladder {}` draws its rungs at one size",
                             options.lab, options.lab)};
  }
  last = options.last > 0 ? options.last : last;
  if (last < options.first) {
    return Error{ErrorKind::kUsage,
                 fmt::format("--from {} --to {}: the first size is above the last one", options.first, last)};
  }
  judge::MeasuredParts parts = NoParts();
  for (int power = options.first; power <= last; ++power) parts.sizes.push_back(uint64_t{1} << power);
  return parts;
}

// The number of rungs among which the time is divided.
size_t RungsOf(const PlotOptions& options) {
  if (!options.rungs.empty()) return options.rungs.size();
  const auto kit = config::FindKit(ExecutablePath());
  if (!kit) return 1;
  const auto course = config::LoadCourse(options.course_yaml.empty() ? kit->course_yaml : options.course_yaml,
                                         MetricNames(), {}, {}, config::BrokenLabs::kKeep);
  if (!course) return 1;
  const auto labs = SelectRungs(*course, {options.lab}, {});
  return labs && !labs->empty() ? std::max<size_t>(1, labs->front().rungs.size()) : 1;
}

int64_t TimeOfARung(const PlotOptions& options) {
  return int64_t{options.seconds} * 1'000'000'000 / static_cast<int64_t>(RungsOf(options));
}

int PlotShmoo(const PlotOptions& options) {
  const auto device = ChooseDevice(options.device);
  if (!device) return Fail(device.error());
  auto parts = Sizes(options, device->device == Device::kGpu ? kLastPowerOnGpu : kLastPowerOnEmulator);
  if (!parts) return Fail(parts.error());
  parts->sizes_ns = TimeOfARung(options);
  const auto measured = Measure(options, device->device, *parts);
  if (!measured) return Fail(measured.error());
  return HandOutPlot(ShmooPlot(measured->subject, measured->rungs), options.files);
}

int PlotScaling(const PlotOptions& options) {
  const auto device = ChooseDevice(options.device);
  if (!device) return Fail(device.error());
  auto parts = Sizes(options, kLastPowerOfBlocks);
  if (!parts) return Fail(parts.error());
  const auto counted = Measure(options, Device::kEmulator, *parts);
  if (!counted) return Fail(counted.error());
  if (device->device == Device::kEmulator) {
    return HandOutPlot(ScalingPlot(counted->subject, counted->rungs, {}), options.files);
  }
  parts->sizes_ns = TimeOfARung(options);
  const auto timed = Measure(options, Device::kGpu, *parts);
  if (!timed) return Fail(timed.error());
  return HandOutPlot(ScalingPlot(timed->subject, counted->rungs, timed->rungs), options.files);
}

// The technique on the emulator, and the speed where there is a GPU, with the samples that a mark needs.
Result<Measured> MeasureOneSize(const PlotOptions& options, bool needs_counts) {
  const auto device = ChooseDevice(options.device);
  if (!device) return device.error();
  judge::MeasuredParts parts = NoParts();
  parts.throughput = device->device == Device::kGpu;
  parts.technique = needs_counts || !parts.throughput;
  return Measure(options, device->device, parts);
}

int PlotLadder(const PlotOptions& options) {
  const auto measured = MeasureOneSize(options, false);
  if (!measured) return Fail(measured.error());
  return HandOutPlot(LadderPlot(measured->subject, measured->rungs, WorkOf(options.lab, measured->rungs)),
                     options.files);
}

Result<const DeviceModel*> ModelOf(const PlotOptions& options) {
  return options.as.empty() ? &DefaultDeviceModel() : FindDeviceModel(options.as);
}

int PlotRoofline(const PlotOptions& options) {
  const auto model = ModelOf(options);
  if (!model) return Fail(model.error());
  if (const Lab* lab = FindLab(options.lab)) {
    Random any;
    const std::vector<Case> cases = lab->Cases("", CaseSet::kThroughput, any);
    if (cases.empty() || cases[0].flops == 0) {
      return Fail({ErrorKind::kUsage, fmt::format("{} has no speed in GFLOP/s, so it has no place below a roofline; "
                                                  "lab3, lab4 and lab6 have one",
                                                  options.lab)});
    }
  }
  const auto measured = MeasureOneSize(options, true);
  if (!measured) return Fail(measured.error());
  const WorkOfRungs work = WorkOf(options.lab, measured->rungs);
  return HandOutPlot(RooflinePlot(measured->subject, measured->rungs, work, **model), options.files);
}

int PlotOccupancy(const PlotOptions& options) {
  const auto model = ModelOf(options);
  if (!model) return Fail(model.error());
  return HandOutPlot(OccupancyPlot(options.question, **model, DateText()), options.files);
}

void AddModel(CLI::App* command, PlotOptions* options) {
  command->add_option("--as", options->as, "The GPU: h200 (the default), a100, t4, ...")->type_name("GPU");
}

void AddSubject(CLI::App* command, PlotOptions* options) {
  command->add_option("lab", options->lab, "The lab, such as lab1")->required()->type_name("");
  command->add_option("--rung", options->rungs, "Only these rungs: v3, or v3_sequential (default: all)")
      ->type_name("RUNG");
  command->add_option("--submission", options->submission, "The folder with the files (default: the solutions)")
      ->type_name("DIR");
  command->add_option("--course", options->course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  AddDeviceOption(*command, &options->device);
}

void AddSizes(CLI::App* command, PlotOptions* options, const std::string& last) {
  command->add_option("--from", options->first, "The smallest size: 2^N elements (default: 10)")
      ->type_name("N")
      ->check(CLI::Range(kSmallestPower, kLargestPower).description(""));
  command->add_option("--to", options->last, "The largest size: 2^N elements (default: " + last + ")")
      ->type_name("N")
      ->check(CLI::Range(kSmallestPower, kLargestPower).description(""));
  command
      ->add_option("--seconds", options->seconds,
                   fmt::format("On a GPU: the time for all rungs; sizes for which none is left are left out (default: "
                               "{})",
                               kSecondsOnGpu))
      ->type_name("S")
      ->check(CLI::Range(1, 36000).description(""));
}

CLI::App* AddKind(CLI::App* plot, const char* name, const char* help, const std::string& examples) {
  CLI::App* command = plot->add_subcommand(name, help);
  command->footer("Examples:\n" + examples + "\n" +
                  "Exit status: 0 the work is done; 2 the command line is wrong; 3 the machine failed.");
  return command;
}

}  // namespace

void AddPlotCommand(CLI::App& app, int* exit_code) {
  CLI::App* plot =
      app.add_subcommand("plot", "Draw what rungs do: against size, against each other, against a roofline");
  plot->require_subcommand(1);
  plot->footer(
      "Examples:\n"
      "  warpgrade plot shmoo lab1 --html shmoo.html    every rung against size\n"
      "  warpgrade plot ladder lab2 --svg ladder.svg    every rung beside a copy\n"
      "  warpgrade plot occupancy --registers 50 --threads 128\n"
      "\n"
      "A plot says on which device, when and at which sizes it was measured. Without a GPU it shows what the emulator\n"
      "counts.\n"
      "\n"
      "Exit status: 0 the work is done; 2 the command line is wrong; 3 the machine failed.");
  auto options = std::make_shared<PlotOptions>();
  const auto add = [&](const char* name, const char* help, const std::string& examples,
                       int (*run)(const PlotOptions&)) {
    CLI::App* command = AddKind(plot, name, help, examples);
    command->callback([options, exit_code, run] {
      const Status can = CheckPlotFiles(options->files);
      *exit_code = can.ok() ? run(*options) : Fail(can.error());
    });
    return command;
  };
  CLI::App* shmoo = add("shmoo", "Speed against size, all rungs in one chart",
                        "  warpgrade plot shmoo lab1 --html shmoo.html\n"
                        "  warpgrade plot shmoo lab1 --rung v3 --rung v4 --from 12 --to 16 --csv shmoo.csv\n"
                        "  warpgrade plot shmoo lab1 --submission starter --device emulator\n",
                        PlotShmoo);
  AddSubject(shmoo, options.get());
  AddSizes(shmoo, options.get(), fmt::format("{} on a GPU, {} on the emulator", kLastPowerOnGpu, kLastPowerOnEmulator));
  AddPlotFiles(*shmoo, &options->files);
  CLI::App* ladder = add("ladder", "A bar for each rung: its speed, or what it moves",
                         "  warpgrade plot ladder lab2 --svg ladder.svg\n", PlotLadder);
  AddSubject(ladder, options.get());
  AddPlotFiles(*ladder, &options->files);
  CLI::App* roofline = add("roofline", "The rungs below the roofs of memory and of arithmetic",
                           "  warpgrade plot roofline lab6 --html roofline.html\n"
                           "  warpgrade plot roofline lab6 --as t4 --device emulator\n",
                           PlotRoofline);
  AddSubject(roofline, options.get());
  AddModel(roofline, options.get());
  AddPlotFiles(*roofline, &options->files);
  CLI::App* occupancy =
      add("occupancy", "Resident warps against registers, threads and shared memory",
          "  warpgrade plot occupancy --registers 50 --threads 128 --html occupancy.html\n", PlotOccupancy);
  AddNeedsOptions(*occupancy, &options->question);
  AddModel(occupancy, options.get());
  AddPlotFiles(*occupancy, &options->files);
  CLI::App* scaling = add("scaling", "Every rung against the number of blocks that it launches",
                          "  warpgrade plot scaling lab1 --from 8 --to 16 --html scaling.html\n", PlotScaling);
  AddSubject(scaling, options.get());
  AddSizes(scaling, options.get(), fmt::format("{}", kLastPowerOfBlocks));
  AddPlotFiles(*scaling, &options->files);
}

}  // namespace warpgrade::cli
