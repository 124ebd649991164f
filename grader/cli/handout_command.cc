// `warpgrade handout LAB`: prints the handout of a lab, or writes it as a page with its points and its ladder. Tests:
// tests/cli/handout_command_test.cc, and tests/report/html/ opens such a page in a browser.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "grader/build/files.h"
#include "grader/cli/commands.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/metric_names.h"
#include "grader/cli/progress.h"
#include "grader/cli/report_output.h"
#include "grader/cli/selection.h"
#include "grader/cli/shipped_speeds.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/config/nearest.h"
#include "grader/report/file.h"
#include "grader/report/html_handout.h"
#include "grader/report/markdown.h"
#include "grader/report/text.h"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGlossary = "glossary";
constexpr int kHandoutColumns = 100, kFewestHandoutColumns = 40;

struct HandoutOptions {
  std::string lab, course_yaml, html;
  bool wants_html = false, with_hints = false;
};

// The text of a handout. Errors (kUsage): there is none, or it is too large to be one.
Result<std::string> ReadHandout(const std::string& path, const std::string& lab) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    return Error{ErrorKind::kUsage, fmt::format("{}: there is no such file, so {} has no handout; write it in Markdown",
                                                report::PrintableLine(path), report::PrintableLine(lab))};
  }
  if (const uintmax_t bytes = fs::file_size(path, error); !error && bytes > report::kMostMarkdownBytes) {
    return Error{ErrorKind::kUsage,
                 fmt::format("{}: a handout may have {} KB, and this one has {}; make it shorter",
                             report::PrintableLine(path), report::kMostMarkdownBytes >> 10, bytes >> 10)};
  }
  auto text = build::ReadWholeFile(path);
  if (!text) return Error{ErrorKind::kMachine, fmt::format("{}: cannot be read", report::PrintableLine(path))};
  return *std::move(text);
}

void AddPoints(const config::Lab& lab, report::Handout* handout) {
  for (const config::Rung& rung : lab.rungs) {
    handout->rungs.push_back({rung.name, rung.title, rung.correctness.ToDouble(), rung.technique.ToDouble(),
                              rung.throughput.ToDouble(), lab.counting.IsBonus(rung.name)});
  }
  handout->points = lab.Total().ToDouble();
  if (lab.quiz) handout->quiz_points = lab.quiz->ToDouble();
}

// The handout of a lab, or the glossary. Errors (kUsage): there is no such lab, or it has no handout.
Result<report::Handout> FindHandout(const HandoutOptions& options) {
  auto kit = config::FindKit(ExecutablePath());
  if (!kit) return kit.error();
  const auto course = config::LoadCourse(options.course_yaml.empty() ? kit->course_yaml : options.course_yaml,
                                         MetricNames(), {}, {}, config::BrokenLabs::kKeep);
  if (!course) return course.error();
  config::AddOutsideLabs(*course, &*kit);
  report::Handout handout;
  handout.name = options.lab;
  handout.kit_version = WARPGRADE_VERSION;
  handout.course = course->term.empty() ? course->name : course->name + ", " + course->term;
  const std::string glossary = kit->labs_dir + "/" + kGlossary + "/README.md";
  if (options.lab == kGlossary) {
    handout.path = glossary;
  } else {
    if (course->FindLab(options.lab) == nullptr && config::NearestName(options.lab, {kGlossary})) {
      return Error{ErrorKind::kUsage, fmt::format("there is no handout '{}'; did you mean '{}'?",
                                                  report::PrintableLine(options.lab), kGlossary)};
    }
    const auto labs = SelectRungs(*course, {options.lab}, {});
    if (!labs) return labs.error();
    const config::Lab& lab = labs->front();
    handout.path = kit->LabFolder(lab.name) + "/README.md";
    handout.glossary = build::ReadWholeFile(glossary).value_or("");
    AddPoints(lab, &handout);
    if (lab.from.empty()) {
      std::vector<std::string> rungs;
      for (const config::Rung& rung : lab.rungs) rungs.push_back(rung.name);
      handout.charts = ShippedLadder(lab.name, rungs);
    }
  }
  auto text = ReadHandout(handout.path, options.lab);
  if (!text) return text.error();
  handout.markdown = *std::move(text);
  return handout;
}

int PrintHandout(const report::Handout& handout, bool with_hints) {
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  const int width =
      terminal ? std::clamp(TerminalColumns(stdout), kFewestHandoutColumns, kHandoutColumns) : kHandoutColumns;
  auto text = report::TextOfMarkdown(handout.markdown, handout.path, width, with_hints);
  if (!text) return Fail(text.error());
  if (const Status printed = PrintText(*text); !printed.ok()) return Fail(printed.error());
  if (!with_hints && text->find("\n? ") != std::string::npos) {
    fmt::print(stderr, "warpgrade: lines that begin with `?` are hints; with --hints, you get their text\n");
  }
  return kDone;
}

int RunHandout(HandoutOptions options) {
  if (options.wants_html) {
    if (options.html.empty()) options.html = options.lab + ".html";
    if (const Status can = CheckFile(options.html, "--html"); !can.ok()) return Fail(can.error());
  }
  const auto handout = FindHandout(options);
  if (!handout) return Fail(handout.error());
  if (!options.wants_html) return PrintHandout(*handout, options.with_hints);
  const auto page = report::HandoutPage(*handout);
  if (!page) return Fail(page.error());
  if (const Status written = report::WriteFile(options.html, *page); !written.ok()) return Fail(written.error());
  fmt::print(stderr, "warpgrade: wrote the handout of {} to {}\n", report::PrintableLine(options.lab),
             report::PrintableLine(options.html));
  return kDone;
}

}  // namespace

void AddHandoutCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("handout", "Read the handout of a lab, here or as a page with charts");
  command->footer(
      "Examples:\n"
      "  warpgrade handout lab3                    read it in the terminal\n"
      "  warpgrade handout lab3 --html             write lab3.html: with the ladder, points and words of the glossary\n"
      "  warpgrade handout lab3 --html page.html   write it to another file\n"
      "  warpgrade handout lab3 --hints            with the text of the hints, the first of which says the least\n"
      "  warpgrade handout glossary                the words of the labs\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto options = std::make_shared<HandoutOptions>();
  command->add_option("lab", options->lab, "The lab, such as lab3, or glossary")->required()->type_name("");
  command
      ->add_option_function<std::vector<std::string>>(
          "--html",
          [options](const std::vector<std::string>& file) {
            options->wants_html = true;
            if (!file.empty()) options->html = file[0];
          },
          "Write a page for a browser (default: LAB.html)")
      ->expected(0, 1)
      ->type_name("[FILE]");
  command->add_flag("--hints", options->with_hints, "Print the text of the hints, too");
  command->add_option("--course", options->course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  command->callback([options, exit_code] { *exit_code = RunHandout(*options); });
}

}  // namespace warpgrade::cli
