// Compiles and runs the programs of studies. They are the kit's own, so they run without a sandbox, as under `warpgrade
// run`. Tests: tests/study/study_programs_test.cc.
#include "grader/cli/study_machine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "grader/build/build.h"
#include "grader/build/rung_compiler.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/interrupt.h"
#include "grader/sandbox/process.h"
#include "grader/study/programs.h"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMostOutput = 8 << 20;
constexpr size_t kMostShown = 2000;  // of the output of a program that failed

// Our environment, with `folder` first on the path of the loader.
std::vector<std::string> Environment(const std::string& folder) {
  std::vector<std::string> all;
  std::string old;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    if (text.starts_with("WARPGRADE_DEVICE_FD=")) continue;  // only for programs that the judge runs
    if (text.starts_with("LD_LIBRARY_PATH=")) {
      old = text.substr(text.find('=') + 1);
    } else {
      all.push_back(text);
    }
  }
  std::string path = folder;
  if (!old.empty()) path += (path.empty() ? "" : ":") + old;
  if (!path.empty()) all.push_back("LD_LIBRARY_PATH=" + path);
  return all;
}

Result<sandbox::ProcessResult> RunIn(const fs::path& folder, const std::vector<std::string>& argv,
                                     const std::string& library_folder) {
  sandbox::ProcessOptions options;
  options.argv = argv;
  options.working_directory = folder.string();
  options.environment = Environment(library_folder);
  options.limits.output_bytes = kMostOutput;
  Result<sandbox::ProcessResult> result = sandbox::RunProcess(options, &CatchInterrupts());
  if (result && result->killed) return Error{ErrorKind::kMachine, "interrupted, so there is no plot"};
  return result;
}

Error Failed(const std::string& what, const sandbox::ProcessResult& result) {
  const std::string& all = result.output;
  return {ErrorKind::kMachine, fmt::format("{}: {}\n{}", what, sandbox::Describe(result, {}),
                                           all.substr(all.size() - std::min(all.size(), kMostShown)))};
}

}  // namespace

Status StudyMachine::Prepare() {
  if (folder_) return Status();
  Result<build::Toolchain> toolchain = build::FindToolchain("", build::BuildOptions::DefaultCacheDir());
  if (!toolchain) return toolchain.error();
  toolchain_ = std::move(*toolchain);
  build::WorkDirectory::RemoveAbandoned();
  Result<build::WorkDirectory> folder = build::WorkDirectory::Create();
  if (!folder) return folder.error();
  folder_ = std::make_unique<build::WorkDirectory>(std::move(*folder));
  return Write("measure.h", study::kMeasureHeader);
}

Result<std::string> StudyMachine::Compile(std::string_view program, const DeviceChoice& device,
                                          const config::Kit& kit) {
  if (Status s = Write("program.cu", program); !s.ok()) return s.error();
  std::vector<std::string> argv = {toolchain_.nvcc, "-std=c++17", "-O3", "-lineinfo", "-cudart", "none", "-I."};
  argv.insert(argv.end(), {build::kFewStandardHeaders, "-ccbin", toolchain_.host_compiler});
  argv.insert(argv.end(), {"-gencode", "arch=compute_75,code=compute_75"});
  if (device.gpu_arch > 0) {
    argv.insert(argv.end(), {"-gencode", fmt::format("arch=compute_{0},code=sm_{0}", device.gpu_arch)});
  }
  const std::string cudart =
      toolchain_.cudart_library.empty() ? kit.emulator_library_dir + "/libcudart.so.13" : toolchain_.cudart_library;
  argv.insert(argv.end(), {"program.cu", "-o", "program", "-Xlinker", cudart});
  const auto compiled = RunIn(folder_->path(), argv, "");
  if (!compiled) return compiled.error();
  if (!compiled->succeeded()) return Failed("the study's program does not compile", *compiled);
  return (folder_->path() / "program").string();
}

Result<bool> StudyMachine::HasGpu() {
  const Result<DeviceChoice> device = ChooseDevice(wanted_);
  if (!device) return device.error();
  return device->device == Device::kGpu;
}

Result<std::string> StudyMachine::RunProgram(std::string_view program, const std::vector<std::string>& arguments) {
  const Result<DeviceChoice> device = ChooseDevice(wanted_);
  if (!device) return device.error();
  const Result<config::Kit> kit = config::FindKit(ExecutablePath());
  if (!kit) return kit.error();
  if (Status s = Prepare(); !s.ok()) return s.error();
  const Result<std::string> executable = Compile(program, *device, *kit);
  if (!executable) return executable.error();
  const bool emulated = device->device == Device::kEmulator;
  std::vector<std::string> argv = {*executable};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  const auto end = RunIn(folder_->path(), argv, emulated ? kit->emulator_library_dir : toolchain_.cudart_dir());
  if (!end) return end.error();
  if (!end->succeeded()) return Failed("the study's program failed", *end);
  return end->output;
}

Result<study::Machine::ToolEnd> StudyMachine::Call(const std::string& tool, const std::vector<std::string>& arguments) {
  if (Status s = Prepare(); !s.ok()) return s.error();
  std::vector<std::string> argv = {(fs::path(toolchain_.nvcc).parent_path() / tool).string()};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  if (tool == "nvcc") argv.insert(argv.end(), {"-ccbin", toolchain_.host_compiler});
  const auto end = RunIn(folder_->path(), argv, "");
  if (!end) return end.error();
  return ToolEnd{end->exit_code, end->output};
}

Status StudyMachine::Write(const std::string& name, std::string_view content) {
  if (Status s = Prepare(); !s.ok()) return s;
  return build::WriteWholeFile(folder_->path() / name, std::string(content));
}

Result<std::string> StudyMachine::Read(const std::string& name) {
  if (Status s = Prepare(); !s.ok()) return s.error();
  const auto content = build::ReadWholeFile(folder_->path() / name);
  if (content) return *content;
  return Error{ErrorKind::kMachine, fmt::format("the study's file {} was not made", name)};
}

}  // namespace warpgrade::cli
