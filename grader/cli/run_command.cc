// `warpgrade run -- PROGRAM ARGS...`: runs a CUDA program with NVIDIA's runtime or with ours. It chooses by setting the
// folder in which the loader finds libcudart.so.13. On a GPU it becomes the program. On the emulator it waits for the
// end and shows the findings (emulated_run.h). With --record it writes the outcome of the test for `ctest-report`.
// Tests: tests/cli/run_command_test.cc and command_line_test.cc.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "grader/build/build.h"
#include "grader/build/toolchain.h"
#include "grader/cli/child_process.h"
#include "grader/cli/commands.h"
#include "grader/cli/device_choice.h"
#include "grader/cli/device_option.h"
#include "grader/cli/emulated_run.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/run_options.h"
#include "grader/cli/test_record.h"
#include "grader/config/kit.h"
#include "grader/device_model/device_model.h"

namespace warpgrade::cli {
namespace {

// Puts `folder` first on the path on which the loader looks for shared libraries.
void PrependLibraryPath(const std::string& folder) {
  if (folder.empty()) return;
  const char* old = std::getenv("LD_LIBRARY_PATH");
  const std::string path = old != nullptr && *old != '\0' ? folder + ":" + old : folder;
  setenv("LD_LIBRARY_PATH", path.c_str(), 1);
}

TestRecord RecordOf(const ProgramEnd& end, const std::string& device) {
  TestRecord record;
  record.device = device;
  if (end.signal != 0) {
    record.outcome = Outcome::kCrashed;
    return record;
  }
  switch (end.exit_code) {
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

// Runs the program to its end, prints what a signal or a skip means, and returns the exit status.
Result<int> RunAndRecord(const RunOptions& options, const DeviceChoice& choice) {
  fmt::print("running on {}\n", choice.why);
  std::fflush(stdout);
  const bool emulated = choice.device == Device::kEmulator;
  const Result<ProgramEnd> end = emulated ? RunTestEmulated(options.program) : RunInForeground(options.program);
  if (!end) return end.error();
  const TestRecord record = RecordOf(*end, choice.why);
  if (const Status written = WriteRecord(options.record_folder, options.test_name, record); !written.ok()) {
    return written.error();
  }
  if (end->signal != 0) {
    fmt::print("{}: crashed: {} (signal {})\n", options.test_name, strsignal(end->signal), end->signal);
    return 1;
  }
  if (record.outcome == Outcome::kNotWritten) fmt::print("{}: not written yet\n", options.test_name);
  return end->exit_code;
}

// Becomes the program; returns only when that fails.
Error Become(const std::vector<std::string>& program) {
  std::vector<char*> argv;
  argv.reserve(program.size() + 1);
  for (const std::string& argument : program) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  return {ErrorKind::kUsage, fmt::format("{}: cannot be run: {}", program[0], std::strerror(errno))};
}

// CLI11 takes the word after --profile as its file, even if the user meant it as the program.
Status CheckOptions(const RunOptions& options) {
  const std::string& file = options.profile_file;
  if (!file.empty() && (file.size() < 5 || file.compare(file.size() - 5, 5, ".json") != 0)) {
    return Error{
        ErrorKind::kUsage,
        fmt::format("--profile {}: the name of the file must end in .json; if {} is your program, write -- before it",
                    file, file)};
  }
  if (options.device == Device::kGpu && options.WantsEmulator()) {
    return Error{ErrorKind::kUsage,
                 "--device gpu: the other options need the emulator; leave them out, or use --device emulator"};
  }
  if (const auto checks = ParseChecks(options.check); !checks) return checks.error();
  if (options.as.empty()) return {};
  if (const auto gpu = FindDeviceModel(options.as); !gpu) {
    return Error{gpu.error().kind, "--as: " + gpu.error().message};
  }
  return {};
}

Result<int> Run(const RunOptions& options) {
  if (const Status usable = CheckOptions(options); !usable.ok()) return usable.error();
  const auto choice = ChooseDevice(options.WantsEmulator() ? Device::kEmulator : options.device);
  if (!choice) return choice.error();
  if (choice->device == Device::kEmulator) {
    const auto kit = config::FindKit(ExecutablePath());
    if (!kit) return kit.error();
    PrependLibraryPath(kit->emulator_library_dir);
  } else {
    const auto toolchain = build::FindToolchain("", build::BuildOptions::DefaultCacheDir());
    // Without a toolkit the loader's own search may still find NVIDIA's runtime.
    if (toolchain) PrependLibraryPath(toolchain->cudart_dir());
  }
  unsetenv("WARPGRADE_DEVICE_FD");  // only for programs that the judge runs
  if (!options.record_folder.empty()) return RunAndRecord(options, *choice);
  fmt::print(stderr, "warpgrade: running on {}\n", choice->why);
  if (choice->device == Device::kEmulator) return RunEmulated(options);
  return Become(options.program);
}

constexpr const char* kHelp =
    "Examples:\n"
    "  warpgrade run -- ./a.out               run it on the GPU if there is one, else on the emulator\n"
    "  warpgrade run --device emulator -- build/labs/lab1/v3_sequential_test --gtest_filter='*1000*'\n"
    "  warpgrade run --check races -- ./a.out look only for races (and accesses out of bounds, as always)\n"
    "  warpgrade run --profile -- ./a.out     show what each kernel did, its worst lines and its roofline\n"
    "  warpgrade run --profile p.json --as a100 -- ./a.out\n"
    "                                         write the same to a file, for an A100\n"
    "  warpgrade run --html run.html -- ./a.out\n"
    "                                         write a page with the findings and counts at each source line\n"
    "  warpgrade run --wave64 -- ./a.out      show how many of 64 lanes would be active in wavefronts of 64\n"
    "  for s in 1 2 3; do warpgrade run --seed $s -- ./a.out; done\n"
    "                                         run blocks and warps in three other orders\n"
    "\n"
    "The emulator finds accesses that are out of bounds, misaligned or to freed memory; reads of uninitialised "
    "memory;\n"
    "races; barriers and shuffles that some threads do not reach; deadlocks; leaks; and CUDA errors that the program\n"
    "does not check. At the end it prints the findings to standard error, the worst first. With --check, --profile,\n"
    "--html, --wave64, --as, --seed, --threads, --instructions, --json or --error-exitcode, the program runs on the "
    "emulator\n"
    "even if there is a GPU.\n"
    "\n"
    "Compile the program with nvcc -cudart shared -gencode arch=compute_75,code=compute_75. Add -lineinfo and -g, so\n"
    "that the findings name lines of your source.\n"
    "\n"
    "Exit status: without findings, the status of the program; with findings, 86, or the number that you give with\n"
    "--error-exitcode;\n"
    "128 + n if signal n ended the program; 2 the command line is wrong or the program cannot run; 3 the machine\n"
    "failed.";

void AddEmulatorOptions(CLI::App& command, RunOptions* options) {
  command.add_option(
      "--check", options->check,
      "Which of the slower checks to make: all (the default), none, or some of races,uninitialised,leaks,errors");
  command
      .add_option_function<std::vector<std::string>>(
          "--profile",
          [options](const std::vector<std::string>& file) {
            options->profile = true;
            if (!file.empty()) options->profile_file = file[0];
          },
          "Show what each kernel did, or write it to FILE.json")
      ->expected(0, 1)
      ->type_name("[FILE.json]");
  command.add_option("--html", options->html_file, "Write findings and profile to FILE as a page for a browser")
      ->type_name("FILE");
  command.add_flag_callback(
      "--wave64", [options] { options->profile = options->wave64 = true; },
      "Profile, and show how many of 64 lanes would be active on hardware with wavefronts of 64");
  command.add_option("--as", options->as, "The GPU to emulate: h200 (the default), a100, t4, ...")->type_name("GPU");
  command
      .add_option("--seed", options->seed,
                  "Run blocks and warps in another order; the same number gives the same order")
      ->type_name("N");
  command.add_option("--threads", options->threads, "How many CPU cores to use (default: all)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command
      .add_option("--instructions", options->instructions,
                  "Stop a kernel after this many warp instructions (default: no limit; a loop that provably never ends "
                  "is stopped)")
      ->type_name("N")
      ->check(CLI::Range(uint64_t{1}, UINT64_MAX));
  command.add_option("--json", options->json_file, "Write the findings to FILE as JSON, too")->type_name("FILE");
  command
      .add_option("--error-exitcode", options->error_exit_code,
                  "The exit status if there are findings (default: 86); with 0, it is the status of the program")
      ->type_name("N")
      ->check(CLI::Range(0, 255));
}

}  // namespace

void AddRunCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("run", "Run a CUDA program on the GPU, or on the emulator with checks");
  command->footer(kHelp);
  auto options = std::make_shared<RunOptions>();
  AddDeviceOption(*command, &options->device);
  AddEmulatorOptions(*command, options.get());
  CLI::Option* record = command->add_option("--record", options->record_folder)->group("");
  command->add_option("--test", options->test_name)->group("")->needs(record);
  command->add_flag(kEndOfOptions)->group("");
  command->add_option("program", options->program, "The program and its arguments, after --")->required();
  command->callback([options, exit_code] {
    const Result<int> result = Run(*options);
    *exit_code = result ? *result : Fail(result.error());
  });
}

}  // namespace warpgrade::cli
