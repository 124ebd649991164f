// Builds the arguments of bubblewrap: which folders are bound, which are covered with empty ones, and which namespaces
// are made. Tests: tests/sandbox/confinement_test.cc.
#include "grader/sandbox/confinement.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "grader/sandbox/process.h"

namespace warpgrade::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBubblewrap[] = {"/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"};
constexpr const char* kAdvice = "; or grade without a sandbox, believing every submission, with --sandbox none";

// What a dynamically linked program and a compiler need of the system, besides /usr.
constexpr const char* kSystemFolders[] = {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
constexpr const char* kSystemFiles[] = {"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
                                        "/etc/alternatives"};
constexpr int kTemporaryBytes = 16 << 20;

bool Exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

bool IsInUsr(const std::string& path) { return path.starts_with("/usr/"); }

// Returns "" if it is not installed.
std::string FindBubblewrap() {
  for (const char* path : kBubblewrap) {
    if (access(path, X_OK) == 0) return path;
  }
  return "";
}

enum class Access { kReadOnly, kWritable };

class Command {
 public:
  template <typename... Words>
  void Add(const Words&... words) {
    (words_.emplace_back(words), ...);
  }

  void AddNamespaces(bool own_processes) {
    Add("--unshare-user", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--disable-userns",
        "--cap-drop", "ALL");
    if (own_processes) Add("--unshare-pid");
    Add("--die-with-parent");
  }

  void AddSystem() {
    Add("--ro-bind", "/usr", "/usr");
    for (const char* folder : kSystemFolders) {
      std::error_code error;
      const fs::path target = fs::read_symlink(folder, error);
      if (!error) {
        Add("--symlink", target.string(), folder);
      } else if (Exists(folder)) {
        Add("--ro-bind", folder, folder);
      }
    }
    for (const char* file : kSystemFiles) Add("--ro-bind-try", file, file);
  }

  void AddOwnPlaces(bool own_processes) {
    if (own_processes) {
      // Kernel settings belong to the user's number as well: without this, root's programs could write them.
      Add("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys");
      // Number 1 is bubblewrap itself, of the same user: without this, the program could write its memory.
      Add("--tmpfs", "/proc/1", "--remount-ro", "/proc/1");
    } else {
      // CUDA's driver names its threads in /proc/self, and fails if it cannot. The rest of /proc is read-only: other
      // processes' files (for example the one that says which process to kill when memory runs out) and kernel settings
      // belong to the user's number, so dropping capabilities does not protect them. At this point bubblewrap's process
      // is the one that becomes the program, so /proc/self is the program's own folder.
      Add("--ro-bind", "/proc", "/proc", "--bind", "/proc/self", "/proc/self");
    }
    Add("--dev", "/dev");
    // Files written there use memory that no limit counts.
    Add("--size", std::to_string(kTemporaryBytes), "--tmpfs", "/tmp");
    // With a GPU there is no limit, because nobody knows how much CUDA's driver needs here.
    if (own_processes) Add("--size", std::to_string(kTemporaryBytes), "--tmpfs", "/dev/shm");
  }

  // If a link in the path lies in /usr, it exists already and only its target is needed. Elsewhere, the path itself
  // must be made as well, so that it looks as it does outside.
  void AddPath(Access access, const std::string& path) {
    const char* how = access == Access::kWritable ? "--bind" : "--ro-bind";
    std::error_code error;
    const std::string real = fs::canonical(path, error).string();
    if (error) return Add(how, path, path);
    if (access == Access::kWritable || !IsInUsr(real)) Add(how, real, real);
    if (real != path && !IsInUsr(path)) Add(how, path, path);
  }

  void AddDevices(const std::vector<std::string>& devices) {
    if (!devices.empty()) Add("--ro-bind", "/sys", "/sys");
    for (const std::string& device : devices) Add("--dev-bind-try", device, device);
    // With a driver, /dev stays writable, because nobody knows what the driver may want to create there.
    if (devices.empty()) Add("--remount-ro", "/dev");
  }

  std::vector<std::string>& words() { return words_; }

 private:
  std::vector<std::string> words_;
};

// Whether the reason of a failure is that there is not enough of something.
bool IsShortage(const std::string& why) {
  for (const int error : {EMFILE, ENFILE, EAGAIN, ENOMEM, ENOSPC}) {
    if (why.find(std::strerror(error)) != std::string::npos) return true;
  }
  return false;
}

Status Try() {
  const std::string bubblewrap = FindBubblewrap();
  if (bubblewrap.empty()) {
    return Error{
        ErrorKind::kMachine,
        std::string("bubblewrap is not installed, which keeps submissions away from everything else. Install it "
                    "(apt-get install bubblewrap)") +
            kAdvice};
  }
  ProcessOptions options;
  options.argv = {"/usr/bin/true"};
  options.confinement.emplace();
  options.limits.wall_ms = 20'000;
  std::string why;
  bool reached = false;  // bubblewrap itself was started
  // Tries twice: a process that was killed because the machine is short of memory says nothing about bubblewrap.
  for (int attempt = 0; attempt < 2; ++attempt) {
    Result<Process> process = Process::Start(options);
    if (!process) {
      why = process.error().message;
      reached = false;
      continue;
    }
    reached = true;
    const ProcessResult& result = process->Wait();
    if (result.succeeded()) return Status();
    why = result.output.empty() ? Describe(result, options.limits) : result.output;
  }
  while (!why.empty() && (why.back() == '\n' || why.back() == ' ')) why.pop_back();
  if (!reached || IsShortage(why)) {
    return Error{
        ErrorKind::kMachine,
        fmt::format("no program can be started in a sandbox at the moment: {}. The machine has run out of what "
                    "this names, or you may not have more of it: end programs that use it, or raise the limit "
                    "(see `ulimit -a`), and grade again",
                    why)};
  }
  return Error{ErrorKind::kMachine,
               fmt::format("bubblewrap does not work here: {}. It needs version 0.8 or later and user namespaces "
                           "(sysctl kernel.unprivileged_userns_clone=1, or on Ubuntu "
                           "kernel.apparmor_restrict_unprivileged_userns=0){}",
                           why, kAdvice)};
}

}  // namespace

int ProcessesOf(const Confinement& confinement) { return confinement.own_processes ? 2 : 1; }

std::vector<std::string> ConfinedCommand(const Confinement& confinement, const std::vector<std::string>& argv,
                                         const std::string& directory, const BubblewrapFds& fds) {
  Command command;
  command.Add(FindBubblewrap());
  command.AddNamespaces(confinement.own_processes);
  command.AddSystem();
  command.AddOwnPlaces(confinement.own_processes);
  command.AddDevices(confinement.devices);
  for (const std::string& path : confinement.read_only) command.AddPath(Access::kReadOnly, path);
  for (const std::string& path : confinement.writable) command.AddPath(Access::kWritable, path);
  for (const std::string& path : confinement.hidden) {
    if (Exists(path)) command.Add("--tmpfs", path, "--remount-ro", path);
  }
  command.Add("--remount-ro", "/", "--seccomp", std::to_string(fds.filter));
  command.Add("--json-status-fd", std::to_string(fds.status));
  command.Add("--chdir", directory.empty() ? std::string("/") : directory, "--");
  for (const std::string& word : argv) command.Add(word);
  return std::move(command.words());
}

Status CheckConfinement() {
  static const Status kStatus = Try();
  return kStatus;
}

}  // namespace warpgrade::sandbox
