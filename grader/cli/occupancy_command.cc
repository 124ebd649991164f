// `warpgrade occupancy`: how many blocks and warps are resident, and what limits them. It needs no GPU and no program.
// Tests: tests/cli/occupancy_text_test.cc, tests/cli/command_line_test.cc.
#include <memory>
#include <string>

#include "grader/cli/commands.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/needs_options.h"
#include "grader/cli/occupancy_text.h"
#include "grader/cli/report_output.h"
#include "grader/device_model/device_model.h"

namespace warpgrade::cli {
namespace {

struct OccupancyOptions {
  OccupancyQuestion question;
  std::string as;
};

int ShowOccupancy(const OccupancyOptions& options) {
  const DeviceModel* gpu = &DefaultDeviceModel();
  if (!options.as.empty()) {
    const Result<const DeviceModel*> found = FindDeviceModel(options.as);
    if (!found) return Fail(found.error());
    gpu = *found;
  }
  const Status printed = PrintText(OccupancyText(options.question, *gpu));
  return printed.ok() ? kDone : Fail(printed.error());
}

}  // namespace

void AddOccupancyCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("occupancy", "Show how many blocks of a kernel are resident, and why");
  command->footer(
      "Examples:\n"
      "  warpgrade occupancy --registers 50 --threads 128\n"
      "  warpgrade occupancy --registers 32 --threads 256 --shared 49152 --as a100\n"
      "\n"
      "`nvcc -Xptxas -v` prints the registers and the shared memory of each kernel.\n"
      "\n"
      "Exit status: 0 the work is done; 2 the command line is wrong.");
  auto options = std::make_shared<OccupancyOptions>();
  AddNeedsOptions(*command, &options->question);
  command->add_option("--as", options->as, "The GPU: h200 (the default), a100, t4, ...")->type_name("GPU");
  command->callback([options, exit_code] { *exit_code = ShowOccupancy(*options); });
}

}  // namespace warpgrade::cli
