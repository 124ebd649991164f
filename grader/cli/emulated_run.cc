// `warpgrade run` on the emulator: sets the environment that the emulated runtime reads, runs the program, then reads
// the files that the runtime wrote and prints findings and profile. Tests: tests/cli/run_command_test.cc and every
// program of tests/programs.
#include "grader/cli/emulated_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>

#include "grader/cli/child_process.h"
#include "grader/cli/counters_file.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/finding_lines.h"
#include "grader/cli/finding_text.h"
#include "grader/cli/loader_report.h"
#include "grader/cli/profile.h"
#include "grader/cli/profile_text.h"
#include "grader/cli/program_file.h"
#include "grader/cli/program_page.h"
#include "grader/leftovers/leftovers.h"

namespace warpgrade::cli {
namespace {

constexpr char kRunPrefix[] = "warpgrade-run-";
constexpr size_t kLongestShown = 1200;

// A temporary folder for this run. The destructor removes it.
class PrivateFolder {
 public:
  static Result<std::unique_ptr<PrivateFolder>> Make() {
    std::error_code error;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
    RemoveUnclaimed(parent, kRunPrefix);
    auto made = error ? std::nullopt : MakeClaimedFolder(parent, kRunPrefix);
    if (!made) {
      return Error{ErrorKind::kMachine, fmt::format("{}: cannot make a temporary folder: {}; set TMPDIR to a folder "
                                                    "that you can write to",
                                                    parent.string(), error ? error.message() : std::strerror(errno))};
    }
    return std::unique_ptr<PrivateFolder>(new PrivateFolder(std::move(*made)));
  }
  ~PrivateFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  std::string Path(const char* name) const { return path_ + "/" + name; }

 private:
  explicit PrivateFolder(ClaimedFolder made) : path_(made.path.string()), claim_(std::move(made.claim)) {}
  const std::string path_;
  const std::optional<Claim> claim_;
};

// Colours when standard error is a terminal that has them; https://no-color.org.
bool WantsColour() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (no_color != nullptr && *no_color != '\0') return false;
  return isatty(STDERR_FILENO) == 1 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

Error CannotWrite(ErrorKind kind, const std::string& path) {
  return {kind, fmt::format("{}: cannot be written: {}; name a file in a folder that you can write to", path,
                            std::strerror(errno))};
}

Status WriteFile(const std::string& path, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), "w");
  const bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = file != nullptr && std::fclose(file) == 0;
  if (written && closed) return {};
  return CannotWrite(ErrorKind::kMachine, path);
}

// Checked before the program runs, which may take an hour.
Status CheckWritable(const std::string& path) {
  if (path.empty()) return {};
  std::FILE* file = std::fopen(path.c_str(), "a");
  if (file != nullptr && std::fclose(file) == 0) return {};
  return CannotWrite(ErrorKind::kUsage, path);
}

void Say(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void SayEnd(const std::string& program, const ProgramEnd& end) {
  if (end.signal == 0) return;
  Say(fmt::format("warpgrade: {} was ended by signal {} ({})\n", program, end.signal, strsignal(end.signal)));
  if (end.signal == SIGSEGV || end.signal == SIGBUS) {
    Say("           the host code crashed; a common cause is a host access through a pointer to device memory\n");
  }
}

// Explains an end that is the loader's, not the program's. Returns true if the program did not start.
bool SayWhyNotFound(const RunOptions& options, const ProgramFile& program, const ProgramEnd& end) {
  if (end.signal != 0 || end.exit_code != kNotFoundExitCode) return false;
  const std::optional<LoaderReport> loader = AskLoader(program);
  if (!loader) {
    Say(
        fmt::format("warpgrade: {} ended with status {}. Shells and the loader end a program like this when a command "
                    "or a library is not found; see the messages above\n",
                    options.program[0], end.exit_code));
    return false;
  }
  Say(fmt::format("warpgrade: {} {}: {}\n", options.program[0],
                  loader->started ? "was ended by the loader in the middle" : "did not start", loader->why));
  return !loader->started;
}

Result<const DeviceModel*> EmulatedGpu(const RunOptions& options) {
  return options.as.empty() ? ChosenDeviceModel() : FindDeviceModel(options.as);
}

// Even of a program whose counts are not known, because a signal ended it.
Status WriteHtml(const RunOptions& options, const RunFiles& files, const std::vector<SeenFinding>& findings,
                 const ProgramEnd& end, SourceLines& source) {
  const auto gpu = EmulatedGpu(options);
  if (!gpu) return gpu.error();
  std::vector<std::string> notes;
  if (end.signal != 0) {
    notes.push_back(fmt::format("The program was ended by signal {} ({}).", end.signal, strsignal(end.signal)));
  } else if (end.exit_code != 0) {
    notes.push_back(fmt::format("The program ended with status {}.", end.exit_code));
  }
  const auto launches = ReadCounters(files.counters);
  if (!launches) notes.push_back("There are no counts: " + launches.error().message);
  const std::vector<emulator::LaunchRecord> none;
  report::ProgramPage page =
      MakeProgramPage({options.program, findings, launches ? *launches : none, **gpu, std::move(notes)}, source);
  page.kit_version = WARPGRADE_VERSION;
  return WriteFile(options.html_file, report::ProgramPageText(page));
}

Status ShowProfile(const RunOptions& options, const RunFiles& files, SourceLines& source) {
  const auto gpu = EmulatedGpu(options);
  if (!gpu) return gpu.error();
  const Result<Profile> profile = ReadProfile(files.counters, **gpu);
  if (!profile) return profile.error();
  if (options.profile_file.empty()) {
    Say(fmt::format("\n{}", ProfileText(*profile, source)));
    return {};
  }
  return WriteFile(options.profile_file, ProfileAsJson(*profile, source));
}

int ExitCode(const RunOptions& options, const ProgramEnd& end, bool found) {
  if (end.signal != 0) return 128 + end.signal;
  const int findings_code = options.error_exit_code.value_or(kFindingsExitCode);
  return found && findings_code != 0 ? findings_code : end.exit_code;
}

}  // namespace

Result<int> RunEmulated(const RunOptions& options) {
  const Result<ProgramFile> program = ReadProgram(options.program[0]);
  if (!program) return program.error();
  if (const Status runs = CheckRunsEmulated(*program); !runs.ok()) return runs.error();
  for (const std::string& file : {options.json_file, options.profile_file, options.html_file}) {
    if (const Status writable = CheckWritable(file); !writable.ok()) return writable.error();
  }
  const auto folder = PrivateFolder::Make();
  if (!folder) return folder.error();
  const RunFiles files{(*folder)->Path("findings.jsonl"), (*folder)->Path("counters.json")};
  const auto environment = RunEnvironment(options, files);
  if (!environment) return environment.error();
  for (const auto& [name, value] : *environment) {
    if (value.empty()) {
      unsetenv(name.c_str());
    } else {
      setenv(name.c_str(), value.c_str(), 1);
    }
  }
  if (program->is_elf && !NeedsCudart(*program)) {
    Say(fmt::format("warpgrade: {} itself does not use libcudart.so.13; only programs that it starts are checked\n",
                    options.program[0]));
  }

  const Result<ProgramEnd> end = RunInForeground(options.program);
  if (!end) return end.error();
  std::vector<SeenFinding> findings = ReadFindings(files.findings);
  FindHostLines(&findings);
  DropConsequences(&findings);
  MergeKernels(&findings);
  SortWorstFirst(&findings);
  SourceLines source(std::filesystem::path(program->path).parent_path().string());
  if (!findings.empty()) Say(fmt::format("\n{}\n", FindingsText(findings, source, WantsColour())));
  SayEnd(options.program[0], *end);
  const bool not_started = SayWhyNotFound(options, *program, *end);
  Say(not_started ? "warpgrade: nothing was checked\n" : FindingsSummary(findings));
  if (!options.json_file.empty()) {
    const Status written = WriteFile(options.json_file, FindingsAsJson(findings, options.program, *end));
    if (!written.ok()) return written.error();
  }
  if (not_started) return kUsage;
  if (!options.html_file.empty()) {
    if (const Status written = WriteHtml(options, files, findings, *end, source); !written.ok()) return written.error();
  }
  if (options.profile) {
    if (const Status shown = ShowProfile(options, files, source); !shown.ok()) return shown.error();
  }
  return ExitCode(options, *end, !findings.empty());
}

Result<ProgramEnd> RunTestEmulated(const std::vector<std::string>& program) {
  const auto folder = PrivateFolder::Make();
  if (!folder) return folder.error();
  const std::string file = (*folder)->Path("findings.jsonl");
  setenv("WARPGRADE_FINDINGS_FILE", file.c_str(), 1);
  Result<ProgramEnd> end = RunInForeground(program);
  if (!end) return end;
  std::vector<SeenFinding> findings = ReadFindings(file);
  FindHostLines(&findings);
  std::string lines;
  for (const SeenFinding& finding : findings) {
    if (finding.host_places.empty() || finding.place.file.empty()) continue;
    lines += fmt::format("{}:{}: {}: {}\n", ShownPath(finding.place.file), finding.place.line, finding.kind,
                         Printable(finding.message, kLongestShown));
  }
  if (!lines.empty()) Say("warpgrade: the findings above in host code, with their lines:\n" + lines);
  return end;
}

}  // namespace warpgrade::cli
