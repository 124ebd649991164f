// `warpgrade ctest-report begin|end FOLDER`: build/CTestCustom.cmake runs it before and after the student's tests.
// ctest itself knows only passed, failed and skipped. The table also tells "not written yet" from "wrong", and has the
// points.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <system_error>

#include "grader/cli/commands.h"
#include "grader/cli/ctest_report.h"
#include "grader/cli/device_choice.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/metric_names.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"

namespace warpgrade::cli {
namespace {

int Begin(const std::string& folder) {
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  const auto choice = ChooseDevice(Device::kAuto);
  if (!choice) return Fail(choice.error());
  fmt::print("Tests run on {}.\n", choice->why);
  return kDone;
}

// By lab. Empty if course.yaml cannot be read: other commands say why.
std::map<std::string, config::CountingRule> CountingOfLabs() {
  std::map<std::string, config::CountingRule> counting;
  const auto kit = config::FindKit(ExecutablePath());
  if (!kit) return counting;
  const auto course = config::LoadCourse(kit->course_yaml, MetricNames(), {}, {}, config::BrokenLabs::kKeep);
  if (!course) return counting;
  for (const config::Lab& lab : course->labs) counting[lab.name] = lab.counting;
  return counting;
}

int End(const std::string& folder) {
  fmt::print("{}", FormatTestTable(ReadRecords(folder), CountingOfLabs()));
  return kDone;
}

}  // namespace

void AddCtestReportCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("ctest-report", "Say where the tests run, and print a table after them");
  command->group("");
  auto folder = std::make_shared<std::string>();
  CLI::App* begin = command->add_subcommand("begin", "Before the tests");
  begin->add_option("folder", *folder)->required();
  begin->callback([folder, exit_code] { *exit_code = Begin(*folder); });
  CLI::App* end = command->add_subcommand("end", "After the tests");
  end->add_option("folder", *folder)->required();
  end->callback([folder, exit_code] { *exit_code = End(*folder); });
  command->require_subcommand(1);
}

}  // namespace warpgrade::cli
