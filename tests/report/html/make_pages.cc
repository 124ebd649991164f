// Writes pages into the folder that the only argument names, for pages_test.py, which opens them in a browser:
// student.html, program.html, handout.html, steps.html, third_step.html, thresholds.html, similar.html, class.html with
// 200 submissions, big_class.html with 2,000, empty_class.html, odd_class.html, and injection_N.html and more for each
// text in injections.json, which is everywhere in them where text of a student, a compiler or a program may be.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "grader/report/html.h"
#include "grader/report/html_handout.h"
#include "grader/report/html_plot.h"
#include "grader/report/html_program.h"
#include "grader/report/html_similar.h"
#include "grader/report/html_steps.h"
#include "grader/report/html_thresholds.h"
#include "grader/score/thresholds.h"
#include "tests/report/html/sample_similar.h"
#include "tests/report/html/sample_thresholds.h"
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
  plot::Series slow{.name = "v1"}, fast{.name = "v2"}, same{.name = "v3"}, roof{.name = "copy"};
  for (int power = 10; power <= 28; ++power) {
    const double x = std::pow(2, power), y = 4000 * x / (x + 1e7);
    slow.points.push_back({x, y / 4, y / 5, y / 3, power == 12});
    fast.points.push_back({x, y, 0.99 * y, 1.01 * y});
    same.points.push_back({x, y, y, y});
    roof.points.push_back({x, 4200, 4200, 4200});
  }
  roof.is_bound = true;
  lines.series = {slow, fast, same, roof};
  lines.sentences = {"v2 is better than v1 everywhere."};
  plot::Chart bars;
  bars.title = "Share of the bandwidth of a copy";
  bars.y = {"percent"};
  bars.categories = {"v1_naive", "v2_shared"};
  bars.series = {{.name = "share", .points = {{0, 12, 11, 13}, {1, 80, 80, 80}}}};
  plot.charts = {lines, bars};
  return plot;
}

// One point below the roofs.
plot::Chart SampleRoofline(const std::string& name) {
  plot::Chart roofline = SamplePlot().charts[0];
  roofline.title = "What the roofs of NVIDIA H200 allow";
  roofline.x = {"operations per byte", plot::Scale::kPowersOf10};
  roofline.y = {"GFLOP/s", plot::Scale::kPowersOf10};
  plot::Series point{.name = name}, roofs{.name = "roofs"};
  point.points = {{0.25, 1200, 1200, 1200, true}};
  point.joined = false;
  roofs.points = {{0.125, 600, 600, 600}, {13.9, 66900, 66900, 66900}, {27, 66900, 66900, 66900}};
  roofs.is_bound = true;
  roofline.series = {point, roofs};
  roofline.sentences = {name + " does 0.25 operations per byte, so memory bounds it at 1200 GFLOP/s."};
  return roofline;
}

score::GradingReport Student() {
  score::GradingReport report = EmulatorReport({Submission("s1042", {EmulatorLab()})});
  score::SubmissionScore& student = report.submissions[0];
  student.rooflines["lab2"] = SampleRoofline("v1_naive");
  for (const score::RungScore& rung : student.labs[0].rungs) student.sources["lab2/" + rung.rung + ".cu"] = Source(60);
  student.sources["lab2/v1_naive.cu"] += "// " + std::string(300, 'x') + "\n";
  student.labs[0].rungs[1].measurement.metric_lines["global_load_sectors_per_request"] =
      "v2_shared.cu:40: each load of a warp touches 32 sectors of 32 bytes";
  student.labs[0].rungs[1].measurement.line_counts = {
      {.line = 0, .instructions = 20},
      {.line = 38, .instructions = 50, .shared_requests = 8, .shared_turns = 8},
      {.line = 40, .instructions = 130, .load_requests = 8, .load_sectors = 256}};
  student.labs[0].rungs[1].measurement.pictures = SomePictures();
  student.labs[0].rungs[1].measurement.pictures.case_name = "512 x 512";
  student.labs[0].rungs[1].measurement.pictures.steps = {Tree(64)};
  return report;
}

// From a seed: some did not hand in, some are wrong, one was not finished, and two are alike. REQUIRES: size >= 100.
score::GradingReport Class(int size) {
  std::mt19937 random(25);
  std::vector<score::SubmissionScore> submissions;
  for (int i = 0; i < size; ++i) {
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
  submissions[78].messages = {"s1078.zip cannot be read: it is no archive"};
  score::GradingReport report = GpuReport(std::move(submissions));
  score::ClassNotes& notes = report.class_notes;
  notes.compared = {"lab2"};
  notes.alike = {{"lab2", {"s1001", "s1002"}, 0.99, "v1_naive.cu: lines 6 to 12 and 8 to 14"},
                 {"lab2", {"s1003", "s1007 (older)"}, 0.62, "v3_padded.cu: lines 20 to 31 and 22 to 33"}};
  notes.unmatched = {"foo.zip: the roster has no student foo"};
  notes.failures = {"not finished: s1077: the node has failed"};
  return report;
}

// A speed that is no number, a rung that nobody has a result for, and names that mean something elsewhere.
score::GradingReport OddClass() {
  std::vector<score::SubmissionScore> submissions;
  for (const char* name : {"=cmd|' /C calc'!A0", "<script>", "", "a", "b", "c", "d", "e", "f", "g"}) {
    submissions.push_back(Submission(name, {GpuLab()}));
    submissions.back().labs[0].rungs[0].measurement.throughput.value = std::numeric_limits<double>::quiet_NaN();
  }
  submissions.push_back(Submission("nothing", {}));
  submissions.back().messages = {"nothing handed in"};
  score::GradingReport report = GpuReport(std::move(submissions));
  report.students["c"] = {.id = "c", .name = "Ada Lovelace", .section = "Tuesday"};
  return report;
}

// Steps with `text` in the place of all that a student's program names.
score::BlockSteps InjectedTree(const std::string& text) {
  score::BlockSteps block = Tree(64);
  block.kernel = text;
  for (score::StepArray& array : block.arrays) array.name = text;
  return block;
}

// `report` with `text` everywhere.
void Inject(const std::string& text, score::GradingReport* report) {
  report->course = report->kit_version = report->device.name = text;
  report->students[text] = {.id = text, .name = text, .section = text};
  report->class_notes = {{text}, {{text, {text, text}, 0.5, text}}, {text}, {text}};
  for (score::SubmissionScore& submission : report->submissions) {
    submission.id = text;
    submission.messages = {text};
    submission.unfinished = {{text, text, text}};
    for (score::LabScore& lab : submission.labs) {
      lab.title = text;
      plot::Chart& roofline = submission.rooflines[lab.lab] = SampleRoofline(lab.rungs.at(0).rung);
      roofline.title = roofline.x.title = roofline.sentences.at(0) = text;
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
        measurement.pictures.steps = {InjectedTree(text)};
        measurement.pictures.case_name = text;
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

// "": an example. `step`: the one that the page shows first.
std::string StepsPageWith(const std::string& text, size_t step = 1) {
  score::BlockSteps block = text.empty() ? Tree(64) : InjectedTree(text);
  StepsPageFacts facts{"lab1 v2_strided", "131072 floats, sum",
                       "{\n  tile[t] = d_in[i];\n  tile[t] += tile[t + s];\n}\n", "0.1"};
  facts.step = step;
  if (!text.empty()) {
    facts.title = facts.case_name = facts.kit_version = text;
    facts.source = text + "\n" + text + "\n" + text + "\n";
  }
  return StepsPage(block, facts);
}

// Two kernels: one with a race, and one that reads memory badly in a header.
ProgramPage SampleProgram() {
  ProgramPage page{.kit_version = "0.1", .program = "./a.out --n 1000", .device = "NVIDIA H200"};
  page.notes = {"The program ended with status 3."};
  ProgramFinding race{.title = "race in shared memory (shared-race)",
                      .kernel = "Sum(float const*, float*)",
                      .file = "sum.cu",
                      .line = 27,
                      .other_file = "sum.cu",
                      .other_line = 22,
                      .who = "block (0,0,0), thread (33,0,0); seen 62 times",
                      .message = "read byte 132 of shared memory that thread (1,0,0) wrote in line 22",
                      .advice = "put a __syncthreads() between the two accesses"};
  ProgramFinding leak{.title = "leak", .message = "1024 bytes are never freed"};
  page.findings = {race, leak};
  const ProgramKernel sum{.name = "Sum(float const*, float*)",
                          .launches = 10,
                          .model_ns = 1'234'567,
                          .instructions = 82'800'000,
                          .flop = 1e6,
                          .active_lanes = 31.5,
                          .load_percent = 25,
                          .bank_conflicts = 0.5,
                          .facts = {{"launched", "10 launches, grid (32,1,1), block (256,1,1)"}, {"branches", "3"}}};
  const ProgramKernel copy{.name = "Copy<float, std::integral_constant<int, 256>>(float const*, float*, unsigned long)",
                           .launches = 1,
                           .model_ns = 900,
                           .instructions = 1000};
  page.kernels = {sum, copy};
  page.roofline = SampleRoofline("Sum");
  page.sources = {{"sum.cu",
                   Source(60),
                   {{.line = 0, .instructions = 20},
                    {.line = 24, .instructions = 50, .shared_requests = 8, .shared_turns = 16},
                    {.line = 40, .instructions = 130, .load_requests = 8, .load_sectors = 256}},
                   {{40, "each load of a warp touches 32 sectors of 32 bytes"}}},
                  {"copy.h", Source(20), {{.line = 7, .instructions = 3}}, {}},
                  {"quiet.h", Source(5), {}, {}}};
  return page;
}

ProgramPage InjectedProgram(const std::string& text) {
  ProgramPage page = SampleProgram();
  page.kit_version = page.program = page.device = text;
  page.notes = {text};
  for (ProgramSource& source : page.sources) {
    source.file = text;
    source.text = text + "\n" + Source(60) + text + "\n";
    source.costly = {{41, text}};
  }
  for (ProgramFinding& finding : page.findings) {
    finding.title = finding.kernel = finding.who = finding.message = finding.advice = text;
    finding.file = finding.other_file = text;
  }
  page.findings.push_back(page.findings[0]);
  page.findings.back().file = "elsewhere " + text;
  for (ProgramKernel& kernel : page.kernels) {
    kernel.name = text;
    kernel.facts = {{text, text}};
  }
  page.roofline = InjectedPlot(text).charts[0];
  return page;
}

std::string ThresholdsOfClass(int size) {
  const score::GradingReport report = size == 0 ? score::GradingReport() : MeasuredClass(size);
  return ThresholdsPage(score::ThresholdsOf(MeasuredCourse(), report, MeasuredContext()), report, {"a note"});
}

std::string InjectedThresholds(const std::string& text) {
  score::GradingReport report = MeasuredClass(20);
  score::ClassSpread spread = score::ThresholdsOf(MeasuredCourse(), report, MeasuredContext());
  report.course = report.kit_version = report.device.name = text;
  for (score::SubmissionScore& submission : report.submissions) submission.id = text;
  for (score::CheckSpread& check : spread.checks) check.check = text;
  for (score::LabSpread& lab : spread.labs) {
    lab.lab = lab.title = text;
    for (score::RungSpread& rung : lab.rungs) {
      rung.rung = text;
      for (score::LimitSpread& limit : rung.limits) limit.bounds.metric = limit.unit = text;
      if (rung.speed) rung.speed->target = text;
    }
  }
  return ThresholdsPage(spread, report, {text});
}

// A handout with everything that one has: a picture and a table that are wider than a phone, hints, words.
Handout SampleHandout() {
  Handout handout{.name = "lab2", .path = "README.md", .course = "GPU Programming, 2026 autumn", .kit_version = "0.1"};
  const std::string wide = "   lane 0    [x . . . . . . .]      " + std::string(90, '-') + "> sector 0\n";
  handout.markdown =
      "# Lab 2: transpose\n\n*For students.* The [lane](../glossary/README.md#lane) is a word.\n\n"
      "## The rungs\n\n```\n" +
      wide + wide +
      "```\n\n### v1: one element\n\nSee [`lab2.h`](lab2.h), "
      "and [the hints](#hints).\n\n| rung | what is new | weakness of the rung before | limit |\n"
      "|---|---|---|---|\n| `v1_naive` | one thread for each element of the matrix | one core does all of "
      "the work | sectors for each request of a warp, which are 32 |\n\n## Hints\n\n"
      "<details><summary>v1: where?</summary>\n\nAt `i * n + j`.\n</details>\n";
  handout.glossary = "# Glossary\n\n## Lane\n\nThe place of a thread in its warp.\n\n```\n" + wide + "```\n";
  handout.rungs = {{"v1_naive", "One element for each thread", 6, 3, 1, false},
                   {"v2_shared", "A tile in shared memory", 7, 4, 2, false},
                   {"v3_open", "Your idea", 2, 0, 4, true}};
  handout.points = 29;
  handout.quiz_points = 10;
  plot::Chart share = SamplePlot().charts[1];
  share.series.push_back({.name = "another", .points = {{0, 14, 14, 14}}});
  share.sentences = {"Measured with the course's solutions."};
  handout.charts = {share};
  return handout;
}

Handout InjectedHandout(const std::string& text) {
  Handout handout = SampleHandout();
  std::string& markdown = handout.markdown;
  markdown = "# " + text + "\n\n" + text + "\n\n## " + text + "\n\n[link](" + text + ") [link](<" + text + "> \"" +
             text + "\") <" + text + "> ![alt " + text + "](" + text + ")\n\n```" + text + "\n" + text + "\n```\n\n| " +
             text + " |\n|---|\n| " + text + " |\n\n<details><summary>" + text + "</summary>\n\n" + text +
             "\n\n</details>\n\n<div>" + text + "</div>\n\n- " + text + "\n\n> " + text + "\n\n    " + text +
             "\n\n[lane](../glossary/README.md#lane)\n";
  handout.glossary = "## Lane\n\n" + text + "\n\n```\n" + text + "\n```\n";
  handout.name = handout.course = handout.kit_version = text;
  for (HandoutRung& rung : handout.rungs) rung.name = rung.title = text;
  handout.charts = InjectedPlot(text).charts;
  return handout;
}

// REQUIRES: the handout is none that is refused.
std::string HandoutText(const Handout& handout) { return HandoutPage(handout).value(); }

int MakePages(const std::string& folder) {
  Write(folder + "/handout.html", HandoutText(SampleHandout()));
  Write(folder + "/steps.html", StepsPageWith(""));
  Write(folder + "/third_step.html", StepsPageWith("", 3));
  Write(folder + "/similar.html", SimilarPageText(SmallComparison().Page()));
  Write(folder + "/big_similar.html", SimilarPageText(BigComparison(200).Page()));
  Write(folder + "/empty_similar.html", SimilarPageText(Compared().Page()));
  Write(folder + "/thresholds.html", ThresholdsOfClass(60));
  Write(folder + "/big_thresholds.html", ThresholdsOfClass(2000));
  Write(folder + "/empty_thresholds.html", ThresholdsOfClass(0));
  Write(folder + "/points.json", PointsByScore().dump());
  Write(folder + "/program.html", ProgramPageText(SampleProgram()));
  Write(folder + "/empty_program.html",
        ProgramPageText({.kit_version = "0.1", .program = "./a.out", .device = "NVIDIA H200"}));
  Write(folder + "/plot.html", PlotPage(SamplePlot(), "0.1"));
  Write(folder + "/student.html", HtmlText(Student()));
  Write(folder + "/class.html", HtmlText(Class(200)));
  Write(folder + "/big_class.html", HtmlText(Class(2000)));
  Write(folder + "/empty_class.html", HtmlText(GpuReport({})));
  Write(folder + "/odd_class.html", HtmlText(OddClass()));
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
    Write(folder + "/injection_program_" + number + ".html", ProgramPageText(InjectedProgram(injections[i])));
    Write(folder + "/injection_thresholds_" + number + ".html", InjectedThresholds(injections[i]));
    Write(folder + "/injection_handout_" + number + ".html", HandoutText(InjectedHandout(injections[i])));
    Write(folder + "/injection_steps_" + number + ".html", StepsPageWith(injections[i]));
    Write(folder + "/injection_similar_" + number + ".html", SimilarPageText(HostileComparison(injections[i]).Page()));
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
