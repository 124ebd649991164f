// Complete() walks over the folder and compares each entry with what it saw the last time. What is in a submission is
// hostile: the walk has a limit on entries and on depth, and reads no file. Tests: tests/cli/inbox_test.cc, and
// tests/cli/inbox_command_test.cc with the built program.
#include "grader/cli/inbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "grader/submission/printable.h"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMostEntries = 20'000;
constexpr int kMostDepth = 16;
constexpr int64_t kNanosecondsPerSecond = 1'000'000'000;

int64_t NanosecondsOf(const timespec& time) { return time.tv_sec * kNanosecondsPerSecond + time.tv_nsec; }

// 64-bit FNV-1a.
uint64_t Hash(std::string_view text, uint64_t hash = 0xcbf29ce484222325) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// All that is in an entry.
struct Look {
  uint64_t state = 0;  // does not depend on the order in which the file system lists names
  int64_t changed_ns = 0;

  // False if there is nothing at `path`.
  bool Add(const std::string& path) {
    struct stat what {};
    if (lstat(path.c_str(), &what) != 0) return false;
    // The time of the last change of a file's data or name. Unlike mtime, no program can choose it.
    const int64_t changed = NanosecondsOf(what.st_ctim);
    changed_ns = std::max(changed_ns, changed);
    state += Hash(fmt::format("{} {} {} {} {}", path, what.st_ino, what.st_mode, what.st_size, changed));
    return true;
  }
};

Look LookAt(const std::string& path) {
  Look look;
  look.Add(path);
  std::error_code error;
  if (!fs::is_directory(fs::symlink_status(path, error))) return look;
  int left = kMostEntries;
  for (fs::recursive_directory_iterator it(path, fs::directory_options::skip_permission_denied, error), end;
       !error && it != end && left > 0; it.increment(error), --left) {
    look.Add(it->path().string());
    if (it.depth() >= kMostDepth) it.disable_recursion_pending();
  }
  return look;
}

int64_t NowOfFiles() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return NanosecondsOf(now);
}

}  // namespace

Result<Inbox> Inbox::Open(std::string folder, Duration settle) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    return Error{ErrorKind::kUsage, fmt::format("{}: there is no such folder; make it, or name the folder in which "
                                                "submissions arrive",
                                                submission::Escaped(folder))};
  }
  int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  const uint32_t what = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM;
  if (watch >= 0 && inotify_add_watch(watch, folder.c_str(), what) < 0) {
    close(watch);
    watch = -1;
  }
  return Inbox(std::move(folder), settle, watch);
}

Inbox::Inbox(std::string folder, Duration settle, int watch)
    : folder_(std::move(folder)), settle_(settle), watch_(watch) {}

Inbox::Inbox(Inbox&& other) noexcept
    : folder_(std::move(other.folder_)),
      settle_(other.settle_),
      watch_(std::exchange(other.watch_, -1)),
      entries_(std::move(other.entries_)),
      told_whole_(std::move(other.told_whole_)) {}

Inbox::~Inbox() {
  if (watch_ >= 0) close(watch_);
}

void Inbox::ReadMessages() {
  if (watch_ < 0) return;
  alignas(inotify_event) std::array<char, 64 << 10> bytes{};
  for (ssize_t size = 0; (size = read(watch_, bytes.data(), bytes.size())) > 0;) {
    for (ssize_t at = 0; at < size;) {
      const auto* event = reinterpret_cast<const inotify_event*>(bytes.data() + at);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      if (event->len == 0) continue;  // about the folder itself, or messages were lost
      const bool whole =
          (event->mask & IN_MOVED_TO) != 0 || ((event->mask & IN_CLOSE_WRITE) != 0 && (event->mask & IN_ISDIR) == 0);
      told_whole_[event->name] = whole;
    }
  }
}

bool Inbox::IsComplete(const Entry& entry, Clock::time_point now, int64_t now_ns) const {
  const int64_t settle_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(settle_).count();
  // Two clocks, because that of the files may be set back.
  return entry.whole || now_ns - entry.changed_ns >= settle_ns || now - entry.since >= settle_;
}

Result<std::vector<std::string>> Inbox::Complete() {
  ReadMessages();
  const std::map<std::string, bool> told = std::exchange(told_whole_, {});
  const Clock::time_point now = Clock::now();
  const int64_t now_ns = NowOfFiles();
  for (auto& [name, entry] : entries_) entry.is_here = false;
  std::error_code error;
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with('.')) continue;
    const Look look = LookAt(folder_ + "/" + name);
    const auto [known, is_new] = entries_.try_emplace(name);
    Entry& entry = known->second;
    entry.is_here = true;
    const auto message = told.find(name);
    if (is_new || entry.state != look.state) {
      entry = {look.state, look.changed_ns, now, false, false, now, true};
      entry.whole = message != told.end() && message->second;
    } else if (message != told.end()) {
      entry.whole = entry.whole || message->second;
    }
  }
  if (error) {
    return Error{ErrorKind::kMachine,
                 fmt::format("{}: the folder cannot be read: {}", submission::Escaped(folder_), error.message())};
  }
  std::erase_if(entries_, [](const auto& one) { return !one.second.is_here; });
  std::vector<std::pair<int64_t, std::string>> complete;
  for (const auto& [name, entry] : entries_) {
    const bool wanted = !entry.taken || now >= entry.again_at;
    if (wanted && IsComplete(entry, now, now_ns)) complete.emplace_back(entry.changed_ns, name);
  }
  std::sort(complete.begin(), complete.end());
  std::vector<std::string> names;
  names.reserve(complete.size());
  for (auto& [changed, name] : complete) names.push_back(std::move(name));
  return names;
}

std::vector<std::string> Inbox::Incomplete() const {
  std::vector<std::string> names;
  const Clock::time_point now = Clock::now();
  const int64_t now_ns = NowOfFiles();
  for (const auto& [name, entry] : entries_) {
    if (!entry.taken && !IsComplete(entry, now, now_ns)) names.push_back(name);
  }
  return names;
}

void Inbox::Take(const std::string& name) {
  const auto known = entries_.find(name);
  if (known == entries_.end()) return;
  known->second.taken = true;
  known->second.again_at = Clock::time_point::max();
}

void Inbox::TakeAgainIn(const std::string& name, Duration delay) {
  Take(name);
  if (const auto known = entries_.find(name); known != entries_.end()) known->second.again_at = Clock::now() + delay;
}

void Inbox::ForgetTaken() {
  for (auto& [name, entry] : entries_) entry.taken = false;
}

void Inbox::Wait(Duration at_most) {
  pollfd watch = {watch_, POLLIN, 0};  // poll ignores a descriptor below 0
  poll(&watch, 1, static_cast<int>(at_most.count()));
}

}  // namespace warpgrade::cli
