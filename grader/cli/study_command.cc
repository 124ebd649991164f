// `warpgrade study`: small experiments on the emulator (grader/study), each drawn as charts. Tests:
// tests/study/study_test.cc.
#include <fmt/format.h>

#include <ctime>
#include <memory>

#include "grader/cli/commands.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/plot_output.h"
#include "grader/cli/report_output.h"
#include "grader/study/study.h"
#include "grader/times/times.h"

namespace warpgrade::cli {
namespace {

int ListStudies() {
  std::string text = "Studies, each with charts of what the emulator counts:\n\n";
  for (const study::Study& study : study::AllStudies())
    text += fmt::format("  {:<12} {}\n", study.name, study.question);
  text += "\n  warpgrade study NAME               run one\n";
  const Status printed = PrintText(text);
  return printed.ok() ? kDone : Fail(printed.error());
}

int RunStudy(const study::Study& study, const PlotFiles& files) {
  if (Status can = CheckPlotFiles(files); !can.ok()) return Fail(can.error());
  Result<plot::Plot> plot = study.run();
  if (!plot) return Fail(plot.error());
  plot->facts.insert(plot->facts.begin() + 1, {"Date", UtcText(std::time(nullptr))});
  return HandOutPlot(*plot, files);
}

}  // namespace

void AddStudyCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("study", "See one effect by itself: coalescing, banks, divergence");
  command->footer(
      "Examples:\n"
      "  warpgrade study                                list the studies\n"
      "  warpgrade study coalescing                     sectors and lines, by the way to index\n"
      "  warpgrade study tree --html tree.html          divergent warps and bank conflicts, in a browser\n"
      "\n"
      "A study runs small kernels on the emulator and shows what it counts. It needs no GPU.\n"
      "\n"
      "Exit status: 0 the work is done; 2 the command line is wrong; 3 the machine failed.");
  command->require_subcommand(0, 1);
  command->callback([command, exit_code] {
    if (command->get_subcommands().empty()) *exit_code = ListStudies();
  });
  for (const study::Study& study : study::AllStudies()) {
    CLI::App* one = command->add_subcommand(study.name, study.question);
    auto files = std::make_shared<PlotFiles>();
    AddPlotFiles(*one, files.get());
    one->callback([&study, files, exit_code] { *exit_code = RunStudy(study, *files); });
  }
}

}  // namespace warpgrade::cli
