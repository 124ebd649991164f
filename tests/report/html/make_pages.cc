// Writes pages into the folder that the only argument names, for pages_test.py, which opens them in a browser:
// student.html, class.html with 200 submissions, plot.html, steps.html, and injection_N.html and more for each text in
// injections.json, which is everywhere in them where text of a student, a compiler or a program may be.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "grader/report/html.h"
#include "grader/report/html_plot.h"
#include "grader/report/html_steps.h"
#include "tests/report/sample_report.h"
#include "tests/report/step_blocks.h"

namespace warpgrade::report {
namespace {

// Each sets `canary`, asks for something, changes an object that others share, or moves text, where it is taken for
// more than text.
std::vector<std::string> Injections() {
  using std::string_literals::operator""s;
  return {
      "</script><script>canary=1</script>",
      "<img src=http://canary.example/x.png onerror=canary=1>",
      "javascript:canary=1",
      "'\u2028canary=1//\u2029",
      "\" onmouseover=\"canary=1\" autofocus onfocus=\"canary=1\" x='",
      "\u202Eevil\u2066canary=1\u2069",
      "</style><style>*{background:url(http://canary.example/)!important;display:none!important}</style>",
      "__proto__",
      "${canary=1}{{canary=1}}<%= canary=1 %>`${canary=1}`",
      "a\0<svg/onload=canary=1>"s,
  };
}

void Write(const std::string& path, const std::string& content) { std::ofstream(path, std::ios::binary) << content; }

std::string Source(int lines) {
  std::string source;
  for (int i = 1; i <= lines; ++i)
    source += "  const int line_" + std::to_string(i) + " = " + std::to_string(i) + ";\n";
  return source;
}

// A column of a tile at line 38, in shared memory, a column of a matrix at line 40, and a branch between them.
score::Pictures SomePictures() {
  score::LineRequests tile{.line = 38, .in_shared = true, .requests = 8, .cost = 256, .fewest = 8};
  score::LineRequests matrix{.line = 40, .requests = 8, .cost = 256, .fewest = 32};
  for (uint64_t lane = 0; lane < 32; ++lane) {
    tile.shown.at.push_back(128 * lane);
    matrix.shown.at.push_back(2048 * lane);
  }
  for (score::LineRequests* one : {&tile, &matrix}) {
    one->shown.bytes = 4;
    one->shown.lanes = 0xFFFFFFFF;
    one->shown.cost = 32;
    one->shown.fewest = one->fewest / one->requests;
    one->shown.kernel = "transpose_v2";
    one->shown.block_size = {32, 8, 1};
    one->costs = {{32, one->shown.fewest, 8}};
  }
  matrix.shown.array = "d_in";
  score::LineBranches branches{39, 40, 20, "transpose_v2", {0, 0, 0}, {32, 8, 1}, 0, 3, 2};
  branches.steps = {{0xFFFFFF, 0xFFFFFF, 0x55}, {0xFFFFFF, 0xFFFFFF, 0x11}, {0xFFFFFF, 0xFFFFFF, 0xFFFFFF}};
  const score::RaceOfTwo race{"transpose_v2",
                              "element 33 of tile in shared memory",
                              "block",
                              {38, "wrote", {0, 0, 0}, {1, 1, 0}, 1, 1},
                              {41, "read", {0, 0, 0}, {3, 0, 0}, 0, 3},
                              41};
  return {"512 x 512", {tile, matrix}, {branches}, {race}};
}

score::GradingReport Student() {
  score::GradingReport report = EmulatorReport({Submission("s1042", {EmulatorLab()})});
  score::SubmissionScore& student = report.submissions[0];
  for (const score::RungScore& rung : student.labs[0].rungs) student.sources["lab2/" + rung.rung + ".cu"] = Source(60);
  student.sources["lab2/v1_naive.cu"] += "// " + std::string(300, 'x') + "\n";
  student.labs[0].rungs[1].measurement.metric_lines["global_load_sectors_per_request"] =
      "v2_shared.cu:40: each load of a warp touches 32 sectors of 32 bytes";
  student.labs[0].rungs[1].measurement.line_counts = {
      {.line = 0, .instructions = 20},
      {.line = 38, .instructions = 50, .shared_requests = 8, .shared_turns = 8},
      {.line = 40, .instructions = 130, .load_requests = 8, .load_sectors = 256}};
  student.labs[0].rungs[1].measurement.pictures = SomePictures();
  return report;
}

// Of 200, from a seed: some did not hand in, some are wrong, one was not finished.
score::GradingReport Class() {
  std::mt19937 random(25);
  std::vector<score::SubmissionScore> submissions;
  for (int i = 0; i < 200; ++i) {
    std::vector<score::LabScore> labs = {EmulatorLab(), GpuLab()};
    for (score::LabScore& lab : labs) {
      for (score::RungScore& rung : lab.rungs) {
        const bool lost = random() % 4 == 0;
        if (!lost) continue;
        rung = FailedRung(rung.rung, random() % 2 == 0 ? score::RungStatus::kMissing : score::RungStatus::kFailed);
      }
      lab.points = {};
      for (const score::RungScore& rung : lab.rungs) lab.points += rung.points;
    }
    submissions.push_back(Submission("s" + std::to_string(1000 + i), std::move(labs)));
  }
  submissions[77].unfinished = {{"lab1", "v9_more", "the machine has no memory"}};
  return GpuReport(std::move(submissions));
}

// `report` with `text` everywhere.
void Inject(const std::string& text, score::GradingReport* report) {
  report->course = report->kit_version = report->device.name = text;
  for (score::SubmissionScore& submission : report->submissions) {
    submission.id = text;
    submission.messages = {text};
    submission.unfinished = {{text, text, text}};
    for (score::LabScore& lab : submission.labs) {
      lab.title = text;
      for (score::RungScore& rung : lab.rungs) {
        const std::string file = rung.rung + ".cu";
        submission.sources[lab.lab + "/" + file] = text + "\n" + Source(30) + text + "\n";
        score::RungMeasurement& measurement = rung.measurement;
        measurement.hint = text;
        measurement.messages = {text, file + "(3): error: " + text, "assertion failed: " + text};
        measurement.failures = {{text, 1, text, text, text}};
        score::Finding finding;
        finding.kind = finding.kernel = finding.message = finding.advice = finding.case_name = text;
        finding.file = finding.other_file = file;
        finding.line = 7;
        finding.other_line = 20;
        measurement.findings.push_back(finding);
        finding.file = text;
        measurement.findings.push_back(finding);
        measurement.throughput.reason = measurement.throughput.unit = text;
        measurement.pictures = SomePictures();
        for (score::LineRequests& one : measurement.pictures.requests) {
          one.line = 7;
          one.shown.array = one.shown.kernel = text;
        }
        measurement.pictures.branches[0].line = 7;
        measurement.pictures.branches[0].kernel = text;
        score::RaceOfTwo& race = measurement.pictures.races[0];
        race.kernel = race.place = race.first.verb = race.second.verb = text;
        race.first.line = 1;  // whose code is the text, too
        race.second.line = 7;
        for (score::TechniqueResult& limit : rung.technique) limit.metric = limit.limit = text;
      }
    }
    // Names of labs and rungs come from course.yaml, which its writer checks; a report of `accept` may have any.
    submission.labs.push_back(submission.labs[0]);
    submission.labs.back().lab = text;
    submission.labs.back().rungs[0].rung = text;
  }
}

// Lines with a point that is doubtful, a bound, and bars.
plot::Plot SamplePlot() {
  plot::Plot plot{.title = "lab1 Reduction: time against size",
                  .facts = {{"Device", "NVIDIA H200"}, {"Date", "2026-11-26T12:00:00Z"}},
                  .charts = {}};
  plot::Chart lines;
  lines.id = "throughput";
  lines.title = "Throughput";
  lines.x = {"elements", plot::Scale::kPowersOf2};
  lines.y = {"GB/s", plot::Scale::kPowersOf10};
  plot::Series slow{.name = "v1"}, fast{.name = "v2"}, roof{.name = "copy"};
  for (int power = 10; power <= 28; ++power) {
    const double x = std::pow(2, power), y = 4000 * x / (x + 1e7);
    slow.points.push_back({x, y / 4, y / 5, y / 3, power == 12});
    fast.points.push_back({x, y, 0.99 * y, 1.01 * y});
    roof.points.push_back({x, 4200, 4200, 4200});
  }
  roof.is_bound = true;
  lines.series = {slow, fast, roof};
  lines.sentences = {"v2 is better than v1 everywhere."};
  plot::Chart bars;
  bars.title = "Share of the bandwidth of a copy";
  bars.y = {"percent"};
  bars.categories = {"v1_naive", "v2_shared"};
  bars.series = {{.name = "share", .points = {{0, 12, 11, 13}, {1, 80, 80, 80}}}};
  plot.charts = {lines, bars};
  return plot;
}

plot::Plot InjectedPlot(const std::string& text) {
  plot::Plot plot = SamplePlot();
  plot.title = text;
  plot.facts = {{text, text}};
  for (plot::Chart& chart : plot.charts) {
    chart.title = chart.x.title = chart.y.title = text;
    for (std::string& category : chart.categories) category = text;
    for (plot::Series& series : chart.series) series.name = text;
    chart.sentences = {text};
  }
  return plot;
}

// With `text` in the place of all that a student's program names. "": an example.
std::string StepsPageWith(const std::string& text) {
  score::BlockSteps block = Tree(64);
  StepsPageFacts facts{"lab1 v2_strided", "131072 floats, sum",
                       "{\n  tile[t] = d_in[i];\n  tile[t] += tile[t + s];\n}\n", "0.1"};
  if (!text.empty()) {
    block.kernel = facts.title = facts.case_name = facts.kit_version = text;
    facts.source = text + "\n" + text + "\n" + text + "\n";
    for (score::StepArray& array : block.arrays) array.name = text;
  }
  return StepsPage(block, facts);
}

int MakePages(const std::string& folder) {
  Write(folder + "/steps.html", StepsPageWith(""));
  Write(folder + "/plot.html", PlotPage(SamplePlot(), "0.1"));
  Write(folder + "/student.html", HtmlText(Student()));
  Write(folder + "/class.html", HtmlText(Class()));
  const std::vector<std::string> injections = Injections();
  nlohmann::json list = nlohmann::json::array();
  for (size_t i = 0; i < injections.size(); ++i) {
    const std::string number = std::to_string(i);
    score::GradingReport one = Student(), many = GpuReport({Submission("a", {GpuLab()}), Submission("b", {GpuLab()})});
    Inject(injections[i], &one);
    Inject(injections[i], &many);
    Write(folder + "/injection_" + number + ".html", HtmlText(one));
    Write(folder + "/injection_class_" + number + ".html", HtmlText(many));
    Write(folder + "/injection_plot_" + number + ".html", PlotPage(InjectedPlot(injections[i]), injections[i]));
    Write(folder + "/injection_steps_" + number + ".html", StepsPageWith(injections[i]));
    list.push_back(injections[i]);
  }
  Write(folder + "/injections.json", list.dump());
  return 0;
}

}  // namespace
}  // namespace warpgrade::report

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("make_pages FOLDER\n", stderr);
    return 2;
  }
  return warpgrade::report::MakePages(argv[1]);
}
