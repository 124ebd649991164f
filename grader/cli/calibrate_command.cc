// `warpgrade calibrate`: measures known programs on the course's GPU, and proposes thresholds for throughput.
// calibrate_programs.cc lists the programs, calibrate_measure.cc times them, grader/calibrate proposes and edits
// course.yaml, calibrate_words.cc says what came out; this file has the options and the files. Tests:
// tests/cli/calibrate_command_test.cc; measuring is tried on a GPU by hand.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grader/calibrate/course_edit.h"
#include "grader/calibrate/measurements.h"
#include "grader/calibrate/propose.h"
#include "grader/calibrate/subjects.h"
#include "grader/cli/calibrate_measure.h"
#include "grader/cli/calibrate_programs.h"
#include "grader/cli/calibrate_words.h"
#include "grader/cli/commands.h"
#include "grader/cli/device_choice.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/metric_names.h"
#include "grader/cli/outside_labs.h"
#include "grader/cli/progress.h"
#include "grader/cli/report_output.h"
#include "grader/cli/selection.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/device_model/device_model.h"
#include "grader/report/file.h"
#include "grader/report/html_plot.h"
#include "grader/report/line_diff.h"
#include "grader/result/counted.h"

namespace warpgrade::cli {
namespace {

using calibrate::Measurements;
using calibrate::Proposal;
using calibrate::Subject;

struct CalibrateOptions {
  MeasureOptions measure;
  std::vector<std::string> from;
  std::string target, html, patch, write;
  bool model = false, check = false, measure_only = false;
};

// What a command needs before it measures.
struct Ground {
  config::Kit kit;
  std::string course_yaml, course_text;
  config::Course course;
  std::vector<config::Lab> labs;  // with the chosen rungs
};

Result<std::string> CourseText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (file.bad() || text.empty()) return Error{ErrorKind::kUsage, path + ": it cannot be read"};
  return text;
}

Result<Ground> GroundFor(const CalibrateOptions& options) {
  Ground ground;
  auto kit = config::FindKit(ExecutablePath());
  if (!kit) return kit.error();
  ground.kit = std::move(*kit);
  const std::string& own = options.measure.course_yaml;
  ground.course_yaml = own.empty() ? ground.kit.course_yaml : own;
  auto course = config::LoadCourse(ground.course_yaml, MetricNames(), ground.kit.Rungs());
  if (!course) return course.error();
  ground.course = std::move(*course);
  OpenOutsideLabs(ground.course, &ground.kit);
  auto text = CourseText(ground.course_yaml);
  if (!text) return text.error();
  ground.course_text = std::move(*text);
  auto labs = SelectRungs(ground.course, options.measure.labs, options.measure.rungs);
  if (!labs) return labs.error();
  ground.labs = std::move(*labs);
  return ground;
}

// What was measured, or the exit status of a command that ends here.
struct Gathered {
  std::vector<Measurements> gpus;
  std::optional<int> ends_with;
};

Result<Gathered> FromFiles(const std::vector<std::string>& paths) {
  std::vector<Measurements> files;
  for (const std::string& path : paths) {
    Result<Measurements> file = calibrate::ReadMeasurements(path);
    if (!file) return file.error();
    files.push_back(std::move(*file));
  }
  return Gathered{calibrate::Pooled(std::move(files)), std::nullopt};
}

Result<Gathered> FromGpu(const Ground& ground, CalibrateOptions* options) {
  const bool thorough = !options->measure.rungs.empty();
  const auto programs = ProgramsOf(ground.kit, ground.course, ground.labs, thorough);
  if (!programs) return programs.error();
  for (const std::string& remark : programs->remarks) fmt::print("{}\n", remark);
  const auto device = ChooseDevice(Device::kAuto);
  if (!device) return device.error();
  if (device->device != Device::kGpu && options->measure.device == Device::kGpu) {
    fmt::print("{} to measure: skipped: no GPU (`--from FILE` needs none)\n",
               Counted(programs->programs.size(), "program"));
    return Gathered{{}, kTestSkipped};
  }
  Progress progress(stderr, isatty(STDERR_FILENO) != 0, TerminalColumns(stderr));
  options->measure.solutions = ground.kit.solutions_dir;
  options->measure.cancel = &CatchInterrupts();
  options->measure.on_progress = [&progress](int finished, int total, const std::string& what) {
    progress.Show(finished, total, what);
  };
  Result<MeasureResult> measured = MeasureOnGpu(*programs, options->measure);
  progress.Clear();
  if (!measured) return measured.error();
  fmt::print("{}: {} on {}\n", options->measure.json, Counted(measured->measurements.gradings.size(), "grading"),
             measured->measurements.device.name);
  for (const std::string& failure : measured->failures) fmt::print("{}\n", failure);
  if (measured->interrupted || !measured->failures.empty()) {
    fmt::print("{}; the same command goes on where it stopped, and `--from {}` proposes from what there is\n",
               measured->interrupted ? "interrupted" : "not finished", options->measure.json);
    return Gathered{{}, measured->interrupted ? kInterrupted : kMachineFailed};
  }
  return Gathered{{std::move(measured->measurements)}, std::nullopt};
}

// "a100" for "NVIDIA A100-SXM4-80GB": what an emulated GPU of this name is called, or else the model in its name.
std::string TargetIdOf(const std::string& name) {
  for (const DeviceModel& model : DeviceModels()) {
    if (name == model.name) return model.id;
  }
  std::string rest = name;
  for (const char* vendor : {"NVIDIA ", "Tesla ", "GeForce "}) {
    if (rest.starts_with(vendor)) rest.erase(0, std::string(vendor).size());
  }
  std::string id;
  for (const char c : rest) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) == 0) {
      if (std::any_of(id.begin(), id.end(), [](unsigned char one) { return std::isdigit(one) != 0; })) break;
      continue;
    }
    id += static_cast<char>(std::tolower(letter));
  }
  return id.empty() ? "gpu" : id;
}

std::string TargetOf(const config::Course& course, const std::string& device, const std::string& wanted) {
  if (!wanted.empty()) return wanted;
  const config::Target* target = course.FindTarget(device);
  return target == nullptr ? TargetIdOf(device) : target->id;
}

// The entry for `targets:`, with the vendor's peaks where the kit knows them.
std::string TargetLine(const std::string& id, const std::string& device) {
  for (const DeviceModel& model : DeviceModels()) {
    if (device != model.name) continue;
    return fmt::format("{}: {{match: {}, peak_bandwidth: {:.10g}, peak_arithmetic: {:.0f}}}", id, device,
                       model.bandwidth_gbs, model.Fp32Gflops());
  }
  return fmt::format("{}: {{match: {}}}", id, device);
}

struct Proposed {
  std::vector<Subject> subjects;
  std::vector<Proposal> proposals;
  std::vector<std::string> new_targets;
  std::string device;  // for the title
};

void ProposeFor(std::vector<Subject> subjects, const calibrate::Margins& margins, Proposed* proposed) {
  for (Subject& subject : subjects) {
    proposed->proposals.push_back(calibrate::Propose(subject, margins));
    proposed->subjects.push_back(std::move(subject));
  }
}

Proposed ProposeAll(const Ground& ground, const std::vector<Measurements>& gpus, const CalibrateOptions& options) {
  Proposed proposed;
  const calibrate::Ladder ladder = LadderOf(ground.course);
  if (options.model) {
    proposed.device = "any GPU";
    ProposeFor(calibrate::ModelSubjects(ground.labs, gpus, ladder, options.check), calibrate::ModelMargins(gpus.size()),
               &proposed);
    return proposed;
  }
  for (const Measurements& gpu : gpus) {
    const std::string& name = gpu.device.name;
    const std::string target = TargetOf(ground.course, name, options.target);
    proposed.device += (proposed.device.empty() ? "" : ", ") + name;
    ProposeFor(calibrate::SubjectsOf(ground.labs, gpu, target, ladder), {}, &proposed);
    const bool is_known = std::any_of(ground.course.targets.begin(), ground.course.targets.end(),
                                      [&target](const config::Target& one) { return one.id == target; });
    if (!is_known) proposed.new_targets.push_back(TargetLine(target, name));
  }
  return proposed;
}

// The changed text is read as `grade` would read it, and compared with what was to be changed.
Status CheckEdited(const Ground& ground, const calibrate::EditedCourse& edited,
                   const std::vector<calibrate::ScaleEdit>& edits) {
  const auto course = config::ParseCourse(edited.text, ground.course_yaml, MetricNames(), ground.kit.Rungs());
  if (!course) {
    return Error{ErrorKind::kUsage,
                 "the proposed thresholds cannot be written into this file:\n" + course.error().message};
  }
  size_t missing = 0;
  for (const calibrate::ScaleEdit& edit : edits) {
    const config::Lab* lab = course->FindLab(edit.lab);
    for (const config::Rung& rung : lab->rungs) {
      if (rung.name != edit.rung) continue;
      const auto scale = rung.throughput_scales.find(edit.target);
      const bool is_there = scale != rung.throughput_scales.end() &&
                            calibrate::YamlText(scale->second) == calibrate::YamlText(edit.scale);
      missing += is_there ? 0 : 1;
    }
  }
  if (missing == edited.left_out.size()) return Status();
  return Error{ErrorKind::kUsage,
               ground.course_yaml + ": an edit would change something else; write the thresholds by hand"};
}

Status WriteCourse(const Ground& ground, const Proposed& proposed, const CalibrateOptions& options) {
  if (options.patch.empty() && options.write.empty()) return Status();
  std::vector<calibrate::ScaleEdit> edits;
  for (const Proposal& proposal : proposed.proposals) {
    if (!proposal.scale || proposal.keeps) continue;
    edits.push_back({proposal.lab, proposal.rung, proposal.target, *proposal.scale});
  }
  const auto edited = calibrate::EditCourse(ground.course_text, ground.course_yaml, edits, proposed.new_targets);
  if (!edited) return edited.error();
  if (Status right = CheckEdited(ground, *edited, edits); !right.ok()) return right;
  for (const std::string& left_out : edited->left_out) fmt::print("not written: {}\n", left_out);
  if (!options.patch.empty()) {
    const std::string name = std::filesystem::path(ground.course_yaml).filename();
    const std::string diff = report::LineDiff(ground.course_text, edited->text);
    const std::string head = diff.empty() ? "" : fmt::format("--- a/{0}\n+++ b/{0}\n", name);
    if (Status written = report::WriteFile(options.patch, head + diff); !written.ok()) return written;
  }
  return options.write.empty() ? Status() : report::WriteFile(options.write, edited->text);
}

int HandOutProposals(const Ground& ground, const Gathered& gathered, const CalibrateOptions& options) {
  const Proposed proposed = ProposeAll(ground, gathered.gpus, options);
  if (!options.html.empty()) {
    const plot::Plot plot = CalibrationPlot(proposed.device, gathered.gpus, proposed.subjects, proposed.proposals);
    const Status written =
        report::WriteFile(options.html, report::PlotPage(plot, WARPGRADE_VERSION, "warpgrade calibrate"));
    if (!written.ok()) return Fail(written.error());
  }
  for (const Measurements& gpu : gathered.gpus) fmt::print("{}\n", GpuWords(gpu));
  if (options.check) {
    size_t wrong = 0;
    const std::string text = CheckText(proposed.proposals, &wrong);
    fmt::print("{}", text);
    return wrong > 0 ? kUsage : kDone;
  }
  fmt::print("{}", ProposalText(proposed.proposals));
  const Status written = WriteCourse(ground, proposed, options);
  return written.ok() ? kDone : Fail(written.error());
}

int Calibrate(CalibrateOptions options) {
  for (const auto& [path, option] : {std::pair(options.html, "--html"),
                                     {options.patch, "--patch"},
                                     {options.write, "--write"},
                                     {options.measure.json, "--json"}}) {
    if (path.empty()) continue;
    if (const Status can = CheckFile(path, option); !can.ok()) return Fail(can.error());
  }
  const Result<Ground> ground = GroundFor(options);
  if (!ground) return Fail(ground.error());
  if (options.model && options.from.empty()) {
    return Fail({ErrorKind::kUsage, "--model needs what was measured on a GPU; name its file with --from"});
  }
  const Result<Gathered> gathered = options.from.empty() ? FromGpu(*ground, &options) : FromFiles(options.from);
  if (!gathered) return Fail(gathered.error());
  if (gathered->ends_with) return *gathered->ends_with;
  return options.measure_only ? kDone : HandOutProposals(*ground, *gathered, options);
}

constexpr const char* kCalibrateFooter =
    "Examples:\n"
    "  warpgrade calibrate --repeat 3 --patch h200.patch --html h200.html\n"
    "                                         measure on this GPU, about 5 minutes for each round, and propose\n"
    "  warpgrade calibrate --lab lab2 --rung v5\n"
    "                                         one rung\n"
    "  warpgrade calibrate --from calibration.json --write course.yaml\n"
    "                                         propose again, without a GPU, and change the file\n"
    "  warpgrade calibrate --from h200.json --from h100.json --check\n"
    "                                         do the thresholds of course.yaml fit?\n"
    "  warpgrade calibrate --from h200.json --from h100.json --model --patch any.patch\n"
    "                                         thresholds for GPUs that nobody has measured\n"
    "\n"
    "It times the solutions, earlier rungs handed in as later ones, and mutants that are right but slow. The "
    "thresholds\n"
    "that it proposes give all points to the solution and at most half to the rung before, and they lie where no\n"
    "known program does, so that the points are the same in every grading. It says where this is not possible.\n"
    "Each result is in the file of --json at once, and the same command goes on where it was stopped.\n"
    "\n"
    "Exit status: 0 the work is done; 2 the command line or course.yaml is wrong, with --check also if a threshold\n"
    "does not fit; 3 the machine failed; 77 skipped: no GPU; 130 interrupted (Ctrl-C).";

void AddMeasureOptions(CLI::App* command, CalibrateOptions* options) {
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
  command->add_flag("--measure-only", options->measure_only, "Propose nothing");
  command->add_flag_callback("--on-emulator", [options] { options->measure.device = Device::kEmulator; })->group("");
  command->add_option("--jobs", measure.jobs, "Programs to compile at the same time (default: one for each core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  for (const char* repeated : {"--lab", "--rung"}) {
    command->get_option(repeated)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
}

}  // namespace

void AddCalibrateCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("calibrate", "Measure known programs on a GPU, and propose thresholds for it");
  command->footer(kCalibrateFooter);
  auto options = std::make_shared<CalibrateOptions>();
  AddMeasureOptions(command, options.get());
  command
      ->add_option("--from", options->from,
                   "Measure nothing: propose from this file of --json; repeat the option for several files")
      ->type_name("FILE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_flag("--model", options->model, "With --from: propose shares for GPUs that nobody has measured");
  command->add_flag("--check", options->check, "Propose nothing: say which thresholds of course.yaml do not fit");
  command->add_option("--target", options->target, "The target in course.yaml (default: by the name of the GPU)")
      ->type_name("ID");
  command->add_option("--html", options->html, "Write a page with the speeds of all programs")->type_name("FILE");
  command->add_option("--patch", options->patch, "Write the changes of course.yaml, for `patch -p1`")
      ->type_name("FILE");
  command->add_option("--write", options->write, "Write the changed course.yaml")->type_name("FILE");
  command->add_option("--course", options->measure.course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  command->callback([options, exit_code] { *exit_code = Calibrate(*options); });
}

}  // namespace warpgrade::cli
