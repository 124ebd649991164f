// Judges a rung in a child process. The request and the outcome are files in memory that both processes hold:
//
//   command line ---- memfd 3: request JSON ----> judge-rung ---- memfd 4: outcome JSON ----> command line
//                      ^------- memfd 5: which case runs -------'
//
// Tests: tests/judge/child_test.cc.
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "grader/judge/judge.h"
#include "grader/judge/measurement_json.h"
#include "grader/judge/plain_text.h"
#include "grader/judge/session.h"
#include "grader/sandbox/process.h"
#include "grader/sandbox/process_tree.h"

namespace warpgrade::judge {
namespace {

constexpr int kRequestFd = 3;
constexpr int kOutcomeFd = 4;
constexpr int kProgressFd = 5;
// The child enforces the student's limits. Its own limit only keeps a judge that hangs from blocking the batch: many
// times what the worker may take, ten minutes for the judge, and the longest time that the emulated device may need on
// the slowest machine that we expect. An AVX2 core emulates tens of millions of instructions per second.
constexpr int64_t kWallTimesStudents = 10 + sandbox::kMostExcuses;
constexpr int64_t kWallExtraMs = 600'000;
constexpr uint64_t kFewestInstructionsPerMs = 1000;
constexpr uint64_t kMostDeviceMs = uint64_t{24} * 3600 * 1000;
// The emulated device is in the child. What kernels make it hold (memory, observations of launches, decoded code) takes
// at most this many times the worker's limit, including the worker itself.
constexpr int64_t kMemoryTimesStudents = 4;
// On a GPU, the judge's own arrays and the driver's memory come on top: some gigabytes for the timed cases.
constexpr int64_t kGpuExtraBytes = int64_t{16} << 30;

// An anonymous file in memory.
class MemoryFile {
 public:
  static Result<MemoryFile> Make(const char* name) {
    const int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd < 0) return Error{ErrorKind::kMachine, std::string("cannot make a file in memory: ") + std::strerror(errno)};
    return MemoryFile(fd);
  }
  // For a file that was inherited.
  explicit MemoryFile(int fd) : fd_(fd) {}
  MemoryFile(MemoryFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  MemoryFile& operator=(MemoryFile&&) = delete;
  ~MemoryFile() {
    if (fd_ >= 0) close(fd_);
  }

  int fd() const { return fd_; }

  bool Write(const std::string& text) const {
    size_t done = 0;
    while (done < text.size()) {
      const ssize_t wrote = pwrite(fd_, text.data() + done, text.size() - done, static_cast<off_t>(done));
      if (wrote <= 0) return false;
      done += static_cast<size_t>(wrote);
    }
    return true;
  }

  // Returns "" if the file cannot be read.
  std::string Read() const {
    struct stat info;
    if (fstat(fd_, &info) != 0) return "";
    std::string text(static_cast<size_t>(info.st_size), '\0');
    size_t done = 0;
    while (done < text.size()) {
      const ssize_t got = pread(fd_, text.data() + done, text.size() - done, static_cast<off_t>(done));
      if (got <= 0) return "";
      done += static_cast<size_t>(got);
    }
    return text;
  }

 private:
  int fd_ = -1;
};

// Ours, but with the GPU that was chosen.
std::vector<std::string> EnvironmentFor(const JudgeRequest& request) {
  const std::string visible = "CUDA_VISIBLE_DEVICES=";
  const bool chosen = !request.gpu.empty();
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!chosen || !std::string_view(*variable).starts_with(visible)) variables.push_back(*variable);
  }
  if (chosen) variables.push_back(visible + request.gpu);
  return variables;
}

Error JudgeFailed(const JudgeRequest& request, const sandbox::ProcessResult& result,
                  const sandbox::ProcessLimits& limits) {
  std::string message = std::string(request.lab->name()) + " " + request.rung + ": the judge itself failed (" +
                        sandbox::Describe(result, limits) + "); this is our fault, please report it";
  const std::string last = LastLines(result.output, 8, 2000);
  if (!last.empty()) message += "\n" + last;
  return Error{ErrorKind::kMachine, std::move(message)};
}

score::RungMeasurement HeldTooMuch(const sandbox::ProcessLimits& limits) {
  score::RungMeasurement measurement;
  measurement.status = score::RungStatus::kLimit;
  measurement.messages.push_back("was stopped when its processes and the emulated device held more than " +
                                 std::to_string(limits.memory_bytes >> 20) +
                                 " MB of memory: is something launched, allocated or forked without end?");
  return measurement;
}

Result<score::RungMeasurement> JudgeUnlessTheLabFails(const JudgeRequest& request) {
  try {
    return JudgeRungInProcess(request);
  } catch (const LabFailure& failure) {
    return Error{ErrorKind::kMachine, failure.what()};
  }
}

}  // namespace

int64_t MostMillisecondsOfChild(const JudgeRequest& request) {
  const uint64_t device_ms = request.limits.total_instruction_budget / kFewestInstructionsPerMs;
  const int64_t most_device_ms = static_cast<int64_t>(std::min(device_ms, kMostDeviceMs));
  return int64_t{request.limits.wall_s} * 1000 * kWallTimesStudents + kWallExtraMs + most_device_ms;
}

int64_t MostMemoryOfChild(const JudgeRequest& request) {
  const int64_t bytes = (request.limits.memory_mb << 20) * kMemoryTimesStudents;
  return request.device == DeviceChoice::kGpu ? bytes + kGpuExtraBytes : bytes;
}

Result<score::RungMeasurement> JudgeRungInChild(const std::string& kit_executable, const JudgeRequest& request) {
  const Result<MemoryFile> question = MemoryFile::Make("warpgrade-request");
  if (!question) return question.error();
  const Result<MemoryFile> outcome = MemoryFile::Make("warpgrade-outcome");
  if (!outcome) return outcome.error();
  if (!question->Write(SerializeRequest(request))) {
    return Error{ErrorKind::kMachine, std::string("cannot write a request for the judge: ") + std::strerror(errno)};
  }
  const std::shared_ptr<CaseProgress> progress = request.progress != nullptr ? request.progress : CaseProgress::Make();
  if (progress == nullptr) {
    return Error{ErrorKind::kMachine, std::string("cannot make a file in memory for the judge's progress, as when the "
                                                  "machine has run out of memory or of files: ") +
                                          std::strerror(errno)};
  }
  sandbox::ProcessOptions options;
  options.argv = {kit_executable, kJudgeRungCommand};
  options.environment = EnvironmentFor(request);
  options.limits.wall_ms = MostMillisecondsOfChild(request);
  options.limits.memory_bytes = MostMemoryOfChild(request);
  options.limits.limit_address_space = false;
  options.inherited_fds = {{question->fd(), kRequestFd}, {outcome->fd(), kOutcomeFd}, {progress->fd(), kProgressFd}};
  const Result<sandbox::ProcessResult> result = sandbox::RunProcess(options, request.cancel);
  if (!result) return result.error();
  if (result->killed) return Error{ErrorKind::kMachine, "grading was stopped"};
  if (result->memory_exceeded) return HeldTooMuch(options.limits);
  const std::string answer = outcome->Read();
  if (!result->succeeded() || answer.empty()) return JudgeFailed(request, *result, options.limits);
  return ParseOutcome(answer);
}

int JudgeRungMain(LabFinder find_lab) {
  const MemoryFile question(kRequestFd), outcome(kOutcomeFd);
  setenv(kHardwareQueuesVariable, std::to_string(kOwnHardwareQueues).c_str(), 1);  // before the driver starts
  Result<JudgeRequest> request = ParseRequest(question.Read(), find_lab);
  if (request) request->progress = CaseProgress::Inherited(kProgressFd);
  const Result<score::RungMeasurement> measurement =
      request ? JudgeUnlessTheLabFails(*request) : Result<score::RungMeasurement>(request.error());
  return outcome.Write(SerializeOutcome(measurement)) ? 0 : 3;
}

}  // namespace warpgrade::judge
