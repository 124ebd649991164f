// Builds the arguments of bubblewrap: which folders are bound, which are covered with empty ones, and which namespaces
// are made. Tests: tests/sandbox/confinement_test.cc.
#include "grader/sandbox/confinement.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
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
constexpr const char* kAnyUserMayWrite = "1777";
constexpr const char* kDropRoot = "/usr/bin/setpriv";

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

  void AddNamespaces(bool own_processes, bool gives_up_root) {
    Add("--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--cap-drop", "ALL");
    if (gives_up_root) {
      // In a user namespace, the program could become nobody but ourselves. kDropRoot needs these, and loses them.
      Add("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP");
    } else {
      Add("--unshare-user", "--disable-userns");
    }
    if (own_processes) Add("--unshare-pid");
    // Of its own session and process group: kill(0, SIGKILL) in the program must not reach bubblewrap.
    Add("--die-with-parent", "--new-session");
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
    AddParentsOf(kSystemFiles[0]);
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
    Add("--perms", kAnyUserMayWrite, "--size", std::to_string(kTemporaryBytes), "--tmpfs", "/tmp");
    // With a GPU there is no limit, because nobody knows how much CUDA's driver needs here.
    if (!own_processes) return;
    Add("--perms", kAnyUserMayWrite, "--size", std::to_string(kTemporaryBytes), "--tmpfs", "/dev/shm");
  }

  // If a link in the path lies in /usr, it exists already and only its target is needed. Elsewhere, the path itself
  // must be made as well, so that it looks as it does outside.
  void AddPath(Access access, const std::string& path) {
    const char* how = access == Access::kWritable ? "--bind" : "--ro-bind";
    std::error_code error;
    const std::string real = fs::canonical(path, error).string();
    if (error) return Bind(how, path);
    if (access == Access::kWritable || !IsInUsr(real)) Bind(how, real);
    if (real != path && !IsInUsr(path)) Bind(how, path);
  }

  void AddDevices(const std::vector<std::string>& devices) {
    if (!devices.empty()) Add("--ro-bind", "/sys", "/sys");
    for (const std::string& device : devices) Add("--dev-bind-try", device, device);
    // With a driver, /dev stays writable, because nobody knows what the driver may want to create there.
    if (devices.empty()) Add("--remount-ro", "/dev");
  }

  std::vector<std::string>& words() { return words_; }

 private:
  void Bind(const char* how, const std::string& path) {
    AddParentsOf(path);
    Add(how, path, path);
  }

  // Bubblewrap makes the folders above a file for its own user alone.
  void AddParentsOf(const std::string& path) {
    std::vector<std::string> parents;
    for (fs::path p = fs::path(path).parent_path(); p.has_relative_path(); p = p.parent_path()) {
      parents.push_back(p.string());
    }
    for (auto parent = parents.rbegin(); parent != parents.rend(); ++parent) {
      if (!IsInUsr(*parent + "/")) Add("--perms", "0755", "--dir", *parent);
    }
  }

  std::vector<std::string> words_;
};

// False in a user namespace that an ordinary user has made with itself as root: nobody else exists there.
bool NamespaceHasUser(uint64_t user) {
  std::ifstream map("/proc/self/uid_map");
  for (uint64_t first, outside, count; map >> first >> outside >> count;) {
    if (user >= first && user - first < count) return true;
  }
  return false;
}

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
  if (GivesUpRoot(*options.confinement)) {
    return Error{ErrorKind::kMachine,
                 fmt::format("the grader runs as root, and programs of submissions cannot be run as another user here: "
                             "{}. Grade as an ordinary user{}",
                             why, kAdvice)};
  }
  return Error{ErrorKind::kMachine,
               fmt::format("bubblewrap does not work here: {}. It needs version 0.8 or later and user namespaces "
                           "(sysctl kernel.unprivileged_userns_clone=1, or on Ubuntu "
                           "kernel.apparmor_restrict_unprivileged_userns=0){}",
                           why, kAdvice)};
}

}  // namespace

bool GivesUpRoot(const Confinement& confinement) {
  static const bool kHasUser = NamespaceHasUser(kUserOfPrograms);
  return geteuid() == 0 && confinement.own_processes && kHasUser;
}

// By its group: whoever clears up later looks for folders that are ours.
bool LendToPrograms(const std::string& path) {
  const auto lend = [](const char* folder) {
    struct stat info;
    return stat(folder, &info) == 0 && chown(folder, static_cast<uid_t>(-1), kUserOfPrograms) == 0 &&
           chmod(folder, (info.st_mode & 07777) | S_IRWXG) == 0;
  };
  if (!lend(path.c_str())) return false;
  std::error_code error;
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    if (it->symlink_status(error).type() == fs::file_type::directory && !lend(it->path().c_str())) return false;
  }
  errno = error.value();
  return !error;
}

int ProcessesOf(const Confinement& confinement) { return confinement.own_processes ? 2 : 1; }

std::vector<std::string> ConfinedCommand(const Confinement& confinement, const std::vector<std::string>& argv,
                                         const std::string& directory, const BubblewrapFds& fds) {
  Command command;
  command.Add(FindBubblewrap());
  const bool gives_up_root = GivesUpRoot(confinement);
  command.AddNamespaces(confinement.own_processes, gives_up_root);
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
  if (gives_up_root) {
    const std::string user = std::to_string(kUserOfPrograms);
    command.Add(kDropRoot, "--reuid", user, "--regid", user, "--clear-groups", "--inh-caps=-all", "--bounding-set=-all",
                "--");
  }
  for (const std::string& word : argv) command.Add(word);
  return std::move(command.words());
}

Status CheckOtherUser() {
  ProcessOptions options;
  options.argv = {"/usr/bin/true"};
  options.confinement.emplace();
  options.confinement->namespaces = false;
  options.limits.wall_ms = 20'000;
  if (!GivesUpRoot(*options.confinement)) {
    return Error{ErrorKind::kMachine, "only root can run programs as another user; grade as root"};
  }
  const Result<ProcessResult> result = RunProcess(options);
  if (!result) return result.error();
  if (result->succeeded()) return Status();
  return Error{ErrorKind::kMachine,
               fmt::format("programs cannot be run as another user here: {}", Describe(*result, options.limits))};
}

Status CheckConfinement() {
  static const Status kStatus = Try();
  return kStatus;
}

}  // namespace warpgrade::sandbox
