// What grading a class costs. Makes a class of lab1 from a seed, grades it with one `warpgrade batch` on the emulator,
// and compares its processor time with the least that grading needs: for each submission one bare `nvcc -c` of its
// sources in one file, and the emulator's work for all cases. Sources that differ only in a signature are compiled and
// run once for this, and count each time. Part of no test; BENCHMARKS.md has the command and its figures.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "grader/build/build.h"
#include "grader/build/rung_compiler.h"
#include "grader/build/toolchain.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/emulator/counters/counters.h"
#include "grader/judge/correctness.h"
#include "grader/judge/emulator_device.h"
#include "grader/judge/random_source.h"
#include "grader/judge/session.h"
#include "grader/submission/submission.h"
#include "labs/labs.h"
#include "tests/class/class_maker.h"
#include "tests/cli/program.h"
#include "tests/course/graded.h"

namespace warpgrade::classes {
namespace {

constexpr const char* kLab = "lab1";

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}
double Seconds(const rusage& usage) { return Seconds(usage.ru_utime) + Seconds(usage.ru_stime); }

double OwnProcessorSeconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

template <typename T>
T Need(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

// Megabytes of the process that are in memory now.
double ResidentMegabytes(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmRSS:")) return std::stod(line.substr(6)) / 1024;
  }
  return 0;
}

struct Cost {
  double processor_s = 0;
  std::map<size_t, double> megabytes;  // of the grader, when so many submissions were done
};

// Runs `command` and waits for it and all that it started. Reads the lines "[20/200] s1042: ..." that it prints.
Cost Run(const std::vector<std::string>& command, const std::string& cache, const std::set<size_t>& sample_at) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  const pid_t pid = fork();
  if (pid == 0) {
    setenv("XDG_CACHE_HOME", cache.c_str(), 1);
    dup2(ends[1], STDERR_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    std::vector<char*> argv;
    for (const std::string& argument : command) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(ends[1]);
  Cost cost;
  std::FILE* const lines = fdopen(ends[0], "r");
  char line[4096];
  while (std::fgets(line, sizeof line, lines) != nullptr) {
    size_t done = 0;
    if (std::sscanf(line, "[%zu/", &done) == 1) {
      if (sample_at.count(done) > 0) cost.megabytes[done] = ResidentMegabytes(pid);
      if (done % 10 == 0) std::fprintf(stderr, "%zu graded\n", done);
    } else {
      std::fputs(line, stderr);
    }
  }
  std::fclose(lines);
  int status = 0;
  rusage usage = {};
  wait4(pid, &status, 0, &usage);
  if (status != 0) throw std::runtime_error(command[1] + " failed");
  cost.processor_s = Seconds(usage);
  return cost;
}

std::string WithoutSignature(const std::string& text) { return text.substr(0, text.find(kSignature)); }

// All of them in one file, each in a namespace of its own, with all their headers before.
std::string InOneFile(const std::vector<std::string>& texts) {
  std::set<std::string> headers;
  std::string rest;
  for (size_t i = 0; i < texts.size(); ++i) {
    rest += "namespace rung_" + std::to_string(i) + " {\n";
    std::istringstream lines(texts[i]);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("#include")) {
        headers.insert(line);
      } else {
        rest += line + "\n";
      }
    }
    rest += "}\n";
  }
  std::string file;
  for (const std::string& header : headers) file += header + "\n";
  return file + rest;
}

// The emulated device, with a meter for what the emulator itself works.
class MeteredDevice : public judge::EmulatorDevice {
 public:
  using EmulatorDevice::EmulatorDevice;
  int64_t Serve() override {
    const double begin = OwnProcessorSeconds();
    const int64_t worked = EmulatorDevice::Serve();
    processor_s_ += OwnProcessorSeconds() - begin;
    return worked;
  }
  double processor_s() const { return processor_s_; }

 private:
  double processor_s_ = 0;
};

// The least that grading needs.
class Least {
 public:
  explicit Least(const TemporaryFolder& folder)
      : folder_(folder), kit_(Need(config::FindKit(WARPGRADE_BINARY))), tools_(Need(build::FindToolchain(""))) {
    std::vector<std::string> metrics;
    for (const emulator::MetricInfo& metric : emulator::AllMetrics()) metrics.push_back(metric.name);
    limits_ = Need(config::LoadCourse(kit_.course_yaml, metrics)).run_limits;
    limits_.wall_s = limits_.cpu_s = 5;  // endless loops are no part of the least
    build::BuildOptions options;
    options.toolchain = tools_;
    options.include_dirs = kit_.include_dirs;
    options.worker_archive = kit_.worker_archive;
    options.adapter_pattern = kit_.adapter_pattern;
    options.emulator_library_dir = kit_.emulator_library_dir;
    options.cache_dir = folder.Path("programs");
    builder_ = std::make_unique<build::Builder>(options);
  }

  void Add(const submission::Submission& submission) {
    std::vector<std::string> texts;
    for (const auto& [file, text] : submission.files) {
      if (!file.ends_with(".cu")) continue;
      texts.push_back(WithoutSignature(text));
      emulated_s += Once(&emulated_, texts.back(), [&] { return Emulate(RungOf(file), texts.back()); });
    }
    if (texts.empty()) return;
    const std::string one_file = InOneFile(texts);
    compiled_s += Once(&compiled_, one_file, [&] { return Compile(one_file); });
  }

  double compiled_s = 0, emulated_s = 0;

 private:
  static std::string RungOf(const std::string& file) {
    const size_t slash = file.find('/');
    return file.substr(slash + 1, file.size() - slash - 4);
  }

  template <typename Measure>
  static double Once(std::map<std::string, double>* known, const std::string& text, const Measure& measure) {
    const auto [it, is_new] = known->try_emplace(text, 0);
    if (is_new) it->second = measure();
    return it->second;
  }

  double Compile(const std::string& text) const {
    const std::string source = folder_.Write("one_file/rungs.cu", text);
    const pid_t pid = fork();
    if (pid == 0) {
      if (chdir(folder_.Path("one_file").c_str()) != 0) _exit(126);
      const int nowhere = open("/dev/null", O_WRONLY);
      dup2(nowhere, STDOUT_FILENO);
      dup2(nowhere, STDERR_FILENO);
      std::vector<std::string> command =
          build::CompileCommand(tools_, 0, "rungs.cu", "rungs.o", build::StandardHeaders::kAll);
      command.insert(command.begin() + 1, std::string("-I") + WARPGRADE_SOURCE_DIR);
      std::vector<char*> argv;
      for (const std::string& argument : command) argv.push_back(const_cast<char*>(argument.c_str()));
      argv.push_back(nullptr);
      execv(argv[0], argv.data());
      _exit(127);
    }
    int status = 0;
    rusage usage = {};
    wait4(pid, &status, 0, &usage);
    if (status != 0) std::fprintf(stderr, "one file does not compile (%d)\n", status);
    return Seconds(usage);
  }

  double Emulate(const std::string& rung, const std::string& text) {
    const auto built = Need(builder_->Build({kLab, rung, text, 0, {}, false}));
    if (built.status != build::BuildResult::Status::kOk) return 0;
    judge::EmulatorDevice::Options options;
    options.host_threads = 1;
    options.instruction_budget = limits_.instruction_budget;
    options.total_instruction_budget = limits_.total_instruction_budget;
    options.global_memory_bytes = static_cast<uint64_t>(limits_.memory_mb) << 20;
    options.runtime_folder = kit_.emulator_library_dir;
    MeteredDevice device(options);
    judge::RandomSource random(uint64_t{1});
    judge::Session::Options session_options;
    session_options.executable = built.executable;
    session_options.source = rung + ".cu";
    session_options.limits = limits_;
    const auto session = Need(judge::Session::Start(session_options, device, random));
    if (!session->alive()) return device.processor_s();
    const Lab& lab = *FindLab(kLab);
    Random drawing = random.Next();
    std::vector<Case> cases = lab.Cases(rung, CaseSet::kPublic, drawing);
    for (Case& c : lab.Cases(rung, CaseSet::kHidden, drawing)) cases.push_back(std::move(c));
    for (Case& c : lab.Cases(rung, CaseSet::kTechnique, drawing)) cases.push_back(std::move(c));
    score::RungMeasurement measured;
    static_cast<void>(judge::RunCases({lab, rung, device, *session, random, 4096}, cases, &measured));
    return device.processor_s();
  }

  const TemporaryFolder& folder_;
  const config::Kit kit_;
  const build::Toolchain tools_;
  config::RunLimits limits_;
  std::unique_ptr<build::Builder> builder_;
  std::map<std::string, double> compiled_, emulated_;  // by text
};

void Bench(const ClassOptions& options) {
  const TemporaryFolder folder;
  MakeClass(options, folder.Path("class"));
  const Cost cost = Run({WARPGRADE_BINARY, "batch", folder.Path("class"), "--lab", kLab, "--gradebook",
                         folder.Path("marks.db"), "--device", "emulator", "--jobs", "2"},
                        folder.Path("cache"), {20, 50, 100, 150, options.size});
  const double n = static_cast<double>(options.size);
  std::printf("graded: %.1f s of processor time, %.2f s each\n", cost.processor_s, cost.processor_s / n);
  for (const auto& [done, megabytes] : cost.megabytes) std::printf("memory: %.1f MB after %zu\n", megabytes, done);
  std::fflush(stdout);

  std::vector<std::string> rungs;
  for (const auto& file : std::filesystem::directory_iterator(SourcePath(std::string("starter/") + kLab))) {
    if (file.path().extension() == ".cu") rungs.push_back(file.path().stem().string());
  }
  Least least(folder);
  for (const auto& one : Need(submission::Discover({folder.Path("class")}, {{kLab, rungs, {}}}))) least.Add(one);
  const double least_s = least.compiled_s + least.emulated_s;
  std::printf("least: %.1f s, %.2f s each (nvcc %.1f s, emulator %.1f s)\n", least_s, least_s / n, least.compiled_s,
              least.emulated_s);
  std::printf("graded / least: %.2f\n", cost.processor_s / least_s);
}

}  // namespace
}  // namespace warpgrade::classes

int main(int argc, char** argv) {
  warpgrade::classes::ClassOptions options{.lab = warpgrade::classes::kLab, .size = 200, .signed_by_name = true};
  CLI::App app("What grading a class costs, compared with compiling and emulating it and nothing else.");
  app.add_option("--size", options.size, "How many submissions");
  app.add_option("--seed", options.seed, "The same seed makes the same class");
  CLI11_PARSE(app, argc, argv);
  try {
    warpgrade::classes::Bench(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "class_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
