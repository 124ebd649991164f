// `warpgrade study`: small experiments (grader/study), each drawn as charts. Tests: tests/study/study_test.cc and
// study_programs_test.cc.
#include <fmt/format.h>

#include <ctime>
#include <memory>

#include "grader/cli/commands.h"
#include "grader/cli/device_option.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/plot_output.h"
#include "grader/cli/report_output.h"
#include "grader/cli/study_machine.h"
#include "grader/study/study.h"
#include "grader/times/times.h"

namespace warpgrade::cli {
namespace {

int ListStudies() {
  std::string text = "Studies, each with charts:\n\n";
  for (const study::Study& study : study::AllStudies())
    text += fmt::format("  {:<12} {}\n", study.name, study.question);
  text += "\n  warpgrade study NAME               run one\n";
  const Status printed = PrintText(text);
  return printed.ok() ? kDone : Fail(printed.error());
}

int RunStudy(const study::Study& study, Device device, const PlotFiles& files) {
  if (Status can = CheckPlotFiles(files); !can.ok()) return Fail(can.error());
  StudyMachine machine(device);
  Result<plot::Plot> plot = study.run(machine);
  if (!plot) return Fail(plot.error());
  plot->facts.insert(plot->facts.begin() + 1, {"Date", UtcText(std::time(nullptr))});
  return HandOutPlot(*plot, files, "warpgrade study");
}

}  // namespace

void AddStudyCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("study", "See one effect by itself: coalescing, banks, transfers");
  command->footer(
      "Examples:\n"
      "  warpgrade study                                list the studies\n"
      "  warpgrade study coalescing                     sectors and lines, by the way to index\n"
      "  warpgrade study tree --html tree.html          divergent warps and bank conflicts, in a browser\n"
      "  warpgrade study transfers --csv transfers.csv  copies by size\n"
      "\n"
      "Some studies run small kernels on the emulator and show what it counts. The others compile a program with nvcc "
      "and\n"
      "run it on the GPU. Without a GPU they run it on the emulator, and skip the times.\n"
      "\n"
      "Exit status: 0 the work is done; 2 the command line is wrong; 3 the machine failed.");
  command->require_subcommand(0, 1);
  command->callback([command, exit_code] {
    if (command->get_subcommands().empty()) *exit_code = ListStudies();
  });
  for (const study::Study& study : study::AllStudies()) {
    CLI::App* one = command->add_subcommand(study.name, study.question);
    auto files = std::make_shared<PlotFiles>();
    auto device = std::make_shared<Device>(Device::kAuto);
    if (study.has_device) AddDeviceOption(*one, device.get());
    AddPlotFiles(*one, files.get());
    one->callback([&study, device, files, exit_code] { *exit_code = RunStudy(study, *device, *files); });
  }
}

}  // namespace warpgrade::cli
