// `warpgrade doctor`: what works on this machine, what does not, and what to do. The checks are in grader/doctor; this
// file asks the machine and prints. Tests: tests/cli/doctor_command_test.cc, tests/doctor.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grader/build/build.h"
#include "grader/build/toolchain.h"
#include "grader/cli/commands.h"
#include "grader/cli/container_memory.h"
#include "grader/cli/device_choice.h"
#include "grader/cli/device_option.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/metric_names.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/doctor/gpu.h"
#include "grader/doctor/machine.h"
#include "grader/sandbox/confinement.h"
#include "grader/sandbox/on_path.h"
#include "grader/sandbox/process.h"
#include "grader/submission/printable.h"

namespace warpgrade::cli {
namespace {

struct DoctorOptions {
  std::string course_yaml;
  Device device = Device::kAuto;
  bool json = false;
};

// Programs that only say something. One that takes longer than this does not work.
constexpr int kMostSecondsOfAProgram = 30;

Result<std::string> Ask(const std::vector<std::string>& command) {
  const std::optional<std::string> program = sandbox::OnPath(command.at(0));
  if (!program) return Error{ErrorKind::kMachine, command[0] + " is not installed"};
  sandbox::ProcessOptions process;
  process.argv = command;
  process.argv[0] = *program;
  for (char** variable = environ; *variable != nullptr; ++variable) process.environment.emplace_back(*variable);
  process.limits.wall_ms = kMostSecondsOfAProgram * 1000;
  const Result<sandbox::ProcessResult> result = sandbox::RunProcess(process);
  if (!result) return result.error();
  if (result->succeeded()) return result->output;
  return Error{ErrorKind::kMachine,
               result->output.empty() ? command[0] + " " + Describe(*result, process.limits) : result->output};
}

// When the executable was written, in seconds since 1970.
int64_t BuiltAt() {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(ExecutablePath(), error);
  if (error) return 0;
  const auto time = std::chrono::file_clock::to_sys(written).time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(time).count();
}

std::vector<doctor::Check> FolderChecks() {
  std::vector<doctor::Folder> folders;
  const char* temporary = std::getenv("TMPDIR");
  folders.push_back(doctor::LookAt("temporary files", temporary != nullptr && *temporary != 0 ? temporary : "/tmp"));
  if (const std::string cache = build::BuildOptions::DefaultCacheDir(); !cache.empty()) {
    folders.push_back(doctor::LookAt("compiled rungs", cache));
  }
  std::vector<doctor::Check> checks;
  std::transform(folders.begin(), folders.end(), std::back_inserter(checks), doctor::FolderCheck);
  return checks;
}

void Append(std::vector<doctor::Check> more, std::vector<doctor::Check>* checks) {
  std::move(more.begin(), more.end(), std::back_inserter(*checks));
}

std::vector<doctor::Check> Examine(const config::Kit& kit, const config::Course& course, Device device) {
  std::vector<std::string> labs;
  for (const config::Lab& lab : course.labs) labs.push_back(lab.name);
  std::vector<doctor::Check> checks = {doctor::KitCheck(kit.CheckBuilt(labs), labs.size())};
  const auto toolchain = build::FindToolchain("");
  checks.push_back(
      doctor::CompilerCheck(toolchain ? Result<std::string>(fmt::format("{}, {}", toolchain->nvcc, toolchain->version))
                                      : Result<std::string>(toolchain.error())));
  if (device != Device::kEmulator) {
    doctor::GpuNeeds needs;
    needs.gpu = device == Device::kGpu;
    needs.cuda_sees_one = ChooseDevice(Device::kGpu).ok();
    needs.course = &course;
    Append(doctor::GpuChecks(Ask, needs), &checks);
  }
  Append(doctor::SandboxChecks(doctor::FactsOfThisMachine(sandbox::CheckConfinement()), course), &checks);
  Append(FolderChecks(), &checks);
  checks.push_back(
      doctor::MemoryCheck(ContainerMemoryMb(), std::max(course.build_limits.memory_mb, course.run_limits.memory_mb)));
  checks.push_back(doctor::ClockCheck(Ask, std::time(nullptr), BuiltAt()));
  Append(doctor::SlurmChecks(Ask, course.slurm), &checks);
  return checks;
}

const char* Word(doctor::Check::Level level) {
  switch (level) {
    case doctor::Check::Level::kWorks:
      return "ok";
    case doctor::Check::Level::kDoubt:
      return "doubt";
    case doctor::Check::Level::kFails:
      return "FAILS";
  }
  return "";
}

std::string TextOf(const std::vector<doctor::Check>& checks) {
  size_t width = 0;
  for (const doctor::Check& check : checks) width = std::max(width, check.subject.size());
  std::string text;
  for (const doctor::Check& check : checks) {
    const std::string says = check.says + (check.advice.empty() ? "" : "; " + check.advice);
    text += fmt::format("{:<5}  {:<{}}  {}\n", Word(check.level), check.subject, width, submission::Escaped(says));
  }
  return text;
}

std::string JsonOf(const std::vector<doctor::Check>& checks) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const doctor::Check& check : checks) {
    constexpr std::array<const char*, 3> kLevels = {"works", "doubt", "fails"};
    list.push_back({{"level", kLevels.at(static_cast<size_t>(check.level))},
                    {"subject", check.subject},
                    {"says", check.says},
                    {"advice", check.advice}});
  }
  return list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

int Examine(const DoctorOptions& options) {
  const Result<config::Kit> kit = config::FindKit(ExecutablePath());
  if (!kit) return Fail(kit.error());
  const Result<config::Course> course =
      config::LoadCourse(options.course_yaml.empty() ? kit->course_yaml : options.course_yaml, MetricNames());
  if (!course) return Fail(course.error());
  const std::vector<doctor::Check> checks = Examine(*kit, *course, options.device);
  fmt::print("{}", options.json ? JsonOf(checks) : TextOf(checks));
  const bool fails = std::any_of(checks.begin(), checks.end(), [](const doctor::Check& check) {
    return check.level == doctor::Check::Level::kFails;
  });
  return fails ? kMachineFailed : kDone;
}

}  // namespace

void AddDoctorCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("doctor", "Say what works on this machine, what does not, and what to do");
  command->footer(
      "Examples:\n"
      "  warpgrade doctor                  this machine, as it is: also for a student's laptop\n"
      "  warpgrade doctor --device gpu     a machine that is to grade on its GPU: without one, this fails\n"
      "  warpgrade doctor --course my-course.yaml --json\n"
      "                                    for a course of your own, and for programs\n"
      "\n"
      "One line each for the kit, the compiler, the driver and the GPUs (clocks, ECC, other programs), the sandbox,\n"
      "folders, memory, the clock and Slurm. \"doubt\" means that grading works, but that something may be wrong with\n"
      "its results.\n"
      "\n"
      "Exit status: 0 nothing fails; 2 the command line or course.yaml is wrong; 3 something fails.");
  auto options = std::make_shared<DoctorOptions>();
  AddDeviceOption(*command, &options->device);
  command->add_option("--course", options->course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  command->add_flag("--json", options->json, "Print a JSON list for programs");
  command->callback([options, exit_code] { *exit_code = Examine(*options); });
}

}  // namespace warpgrade::cli
