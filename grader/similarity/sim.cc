// Writes each text to a file with a name of ours, so that no name from a student reaches sim_c++, and runs it within
// limits and, where the machine can, confined. Tests: tests/similarity/sim_test.cc.
#include "grader/similarity/sim.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include "grader/leftovers/leftovers.h"
#include "grader/sandbox/on_path.h"
#include "grader/sandbox/process.h"

namespace warpgrade::similarity {
namespace {

namespace fs = std::filesystem;

constexpr char kPrefix[] = "warpgrade-similar-";
constexpr int kMinutes = 10;  // processor time for one rung of a class; 300 ordinary files take some seconds

Error DiskError(const fs::path& path) {
  return {ErrorKind::kMachine,
          fmt::format("{}: cannot be written: {}; check the space on the disk", path.string(), std::strerror(errno))};
}

// A folder that is gone at the end.
class Folder {
 public:
  Folder() {
    std::error_code ignored;
    const fs::path parent = fs::temp_directory_path(ignored);
    RemoveUnclaimed(parent, kPrefix);
    folder_ = MakeClaimedFolder(parent, kPrefix);
    // The confined program is another user if we are root.
    if (folder_)
      fs::permissions(folder_->path, fs::perms::others_exec | fs::perms::others_read, fs::perm_options::add, ignored);
  }
  ~Folder() {
    std::error_code ignored;
    if (folder_) fs::remove_all(folder_->path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  bool ok() const { return folder_.has_value(); }
  const fs::path& path() const { return folder_->path; }

 private:
  std::optional<ClaimedFolder> folder_;
};

Status WriteTexts(const fs::path& folder, const std::vector<std::string>& texts) {
  for (size_t i = 0; i < texts.size(); ++i) {
    const fs::path path = folder / fmt::format("{}.c", i);
    std::ofstream file(path, std::ios::binary);
    file << texts[i];
    file.close();
    std::error_code ignored;
    fs::permissions(path, fs::perms::others_read, fs::perm_options::add, ignored);
    if (!file) return DiskError(path);
  }
  return Status();
}

}  // namespace

Result<std::string> FindSim() {
  if (std::optional<std::string> program = sandbox::OnPath("sim_c++")) return std::move(*program);
  return Error{ErrorKind::kMachine,
               "the program sim_c++ is not on PATH; install the package similarity-tester: apt-get install "
               "similarity-tester"};
}

Runs ReadSimOutput(const std::string& output, size_t count) {
  Runs runs;
  runs.tokens.resize(count, 0);
  for (size_t at = 0; at < output.size();) {
    const size_t end = std::min(output.find('\n', at), output.size());
    const std::string line = output.substr(at, end - at);
    at = end + 1;
    EqualRun run;
    int tokens = 0, length = 0;
    if (std::sscanf(line.c_str(), "File %zu.c: %d token", &run.first, &tokens) == 2) {
      if (run.first < count) runs.tokens[run.first] = tokens;
    } else if (std::sscanf(line.c_str(), "%zu.c: line %d-%d |%zu.c: line %d-%d [%d]%n", &run.first, &run.first_line,
                           &run.last_line, &run.second, &run.other_first_line, &run.other_last_line, &run.tokens,
                           &length) == 7 &&
               length > 0 && run.first < count && run.second < count && run.first != run.second) {
      runs.runs.push_back(run);
    }
  }
  return runs;
}

Result<Runs> RunSim(const std::string& sim, const std::vector<std::string>& texts, size_t older, int least_tokens,
                    const std::atomic<bool>* cancel) {
  const Folder folder;
  if (!folder.ok()) return DiskError(fs::temp_directory_path());
  if (const Status written = WriteTexts(folder.path(), texts); !written.ok()) return written.error();
  sandbox::ProcessOptions process;
  // -e: each file with each other by itself; -s: no file with itself; -n: only places.
  process.argv = {sim, "-e", "-s", "-n", "-r", std::to_string(least_tokens)};
  for (size_t i = 0; i < texts.size(); ++i) {
    if (i == older) process.argv.push_back("/");
    process.argv.push_back(fmt::format("{}.c", i));
  }
  process.working_directory = folder.path().string();
  process.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
  process.limits.cpu_s = kMinutes * 60;
  process.limits.wall_ms = int64_t{kMinutes} * 10 * 60 * 1000;  // only against a process that is stuck
  process.limits.memory_bytes = int64_t{2} << 30;
  process.limits.output_bytes = int64_t{256} << 20;
  if (sandbox::CheckConfinement().ok()) {
    process.confinement.emplace();
    process.confinement->read_only = {folder.path().string(), sim};
  }
  const Result<sandbox::ProcessResult> result = sandbox::RunProcess(process, cancel);
  if (!result) return result.error();
  if (result->sandbox_failed) return sandbox::SandboxFailure(*result);
  if (result->killed) return Error{ErrorKind::kMachine, "interrupted"};
  if (result->limit_exceeded()) {
    Runs runs;
    runs.tokens.resize(texts.size(), 0);
    runs.complete = false;
    return runs;
  }
  if (!result->succeeded()) {
    return Error{ErrorKind::kMachine, fmt::format("{} {}: {}", sim, sandbox::Describe(*result, process.limits),
                                                  result->output.substr(0, 500))};
  }
  return ReadSimOutput(result->output, texts.size());
}

}  // namespace warpgrade::similarity
