// `warpgrade run -- PROGRAM ARGS...`: runs a CUDA program over NVIDIA's runtime or over ours, by choosing the folder in
// which the loader finds libcudart.so.13. Without --record it becomes the program; with it, it waits and notes for
// `ctest-report` what became of the test. Tests: tests/cli/run_command_test.cc.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "grader/build/toolchain.h"
#include "grader/cli/commands.h"
#include "grader/cli/device_choice.h"
#include "grader/cli/device_option.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/test_record.h"
#include "grader/config/kit.h"

namespace warpgrade::cli {
namespace {

struct RunOptions {
  Device device = Device::kAuto;
  std::string record_folder, test_name;
  std::vector<std::string> program;
};

// Puts `folder` first on the path on which the loader looks for shared libraries.
void PrependLibraryPath(const std::string& folder) {
  if (folder.empty()) return;
  const char* old = std::getenv("LD_LIBRARY_PATH");
  const std::string path = old != nullptr && *old != '\0' ? folder + ":" + old : folder;
  setenv("LD_LIBRARY_PATH", path.c_str(), 1);
}

Error CannotStart(const std::string& program, int error_number) {
  return {ErrorKind::kUsage, fmt::format("{}: cannot be run: {}", program, std::strerror(error_number))};
}

TestRecord RecordOf(int wait_status, const std::string& device) {
  TestRecord record;
  record.device = device;
  if (WIFSIGNALED(wait_status)) {
    record.outcome = Outcome::kCrashed;
    return record;
  }
  switch (WEXITSTATUS(wait_status)) {
    case 0:
      record.outcome = Outcome::kPassed;
      break;
    case kTestDoesNotCompile:
      record.outcome = Outcome::kCompileError;
      break;
    case kTestMissing:
      record.outcome = Outcome::kMissing;
      break;
    case kTestSkipped:
      record.outcome = Outcome::kNotWritten;
      break;
    default:
      record.outcome = Outcome::kFailed;
  }
  return record;
}

// Runs the program to its end, says in words what a signal or a skip means, and returns the code to exit with.
Result<int> RunAndRecord(const RunOptions& options, const std::string& device, std::vector<char*>& argv) {
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, argv[0], nullptr, nullptr, argv.data(), environ);
  if (error != 0) return CannotStart(options.program[0], error);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) WARPGRADE_CHECK(errno == EINTR);
  const TestRecord record = RecordOf(status, device);
  if (const Status written = WriteRecord(options.record_folder, options.test_name, record); !written.ok()) {
    return written.error();
  }
  if (WIFSIGNALED(status)) {
    fmt::print("{}: crashed: {} (signal {})\n", options.test_name, strsignal(WTERMSIG(status)), WTERMSIG(status));
    return 1;
  }
  if (record.outcome == Outcome::kNotWritten) fmt::print("{}: not written yet\n", options.test_name);
  return WEXITSTATUS(status);
}

Result<int> Run(const RunOptions& options) {
  const auto choice = ChooseDevice(options.device);
  if (!choice) return choice.error();
  if (choice->device == Device::kEmulator) {
    const auto kit = config::FindKit(ExecutablePath());
    if (!kit) return kit.error();
    PrependLibraryPath(kit->emulator_library_dir);
  } else {
    const auto toolchain = build::FindToolchain("");
    // Without a toolkit the loader's own search may still find NVIDIA's runtime.
    if (toolchain) PrependLibraryPath(toolchain->cudart_dir());
  }
  unsetenv("WARPGRADE_DEVICE_FD");  // a judge's business: this program has its own device
  std::vector<char*> argv;
  for (const std::string& argument : options.program) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  if (!options.record_folder.empty()) {
    fmt::print("running on {}\n", choice->why);
    std::fflush(stdout);
    return RunAndRecord(options, choice->why, argv);
  }
  fmt::print(stderr, "warpgrade: running on {}\n", choice->why);
  execvp(argv[0], argv.data());
  return CannotStart(options.program[0], errno);
}

}  // namespace

void AddRunCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("run", "Run a CUDA program on the GPU or on the emulator");
  command->footer(
      "Examples:\n"
      "  warpgrade run -- ./a.out               on the GPU if there is one, else on the emulator\n"
      "  warpgrade run --device emulator -- build/labs/lab1/v3_sequential_test --gtest_filter='*1000*'\n"
      "\n"
      "The program must be compiled with nvcc -cudart shared -gencode arch=compute_75,code=compute_75.");
  auto options = std::make_shared<RunOptions>();
  AddDeviceOption(*command, &options->device);
  CLI::Option* record = command->add_option("--record", options->record_folder)->group("");
  command->add_option("--as", options->test_name)->group("")->needs(record);
  command->add_option("program", options->program, "The program and its arguments, after --")->required();
  command->callback([options, exit_code] {
    const Result<int> result = Run(*options);
    *exit_code = result ? *result : Fail(result.error());
  });
}

}  // namespace warpgrade::cli
