// Compares what the file system says of each file with what it said before. inotify watches the folder itself and the
// folders in it; they are watched anew before each wait, because a folder may be replaced, and because adding a watch
// again costs nothing. Tests: tests/cli/file_watch_test.cc.
#include "grader/cli/file_watch.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

constexpr FileWatch::Duration kLookAgain{250};  // where no message says that something changed
constexpr int kMostLooked = 10'000;
constexpr uint32_t kEvents =
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_MODIFY | IN_DELETE_SELF | IN_MOVE_SELF;

uint64_t HashOf(const struct stat& what) {
  uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, by words
  const auto add = [&hash](auto value) { hash = (hash ^ static_cast<uint64_t>(value)) * 0x100000001b3; };
  add(what.st_ino);
  add(what.st_size);
  add(what.st_mtim.tv_sec);
  add(what.st_mtim.tv_nsec);
  add(what.st_ctim.tv_sec);
  add(what.st_ctim.tv_nsec);
  return hash;
}

// Calls visit(path) for what is in `folder`.
template <typename Visit>
void ForEachEntry(const fs::path& folder, const Visit& visit) {
  std::error_code error;
  int left = kMostLooked;
  for (fs::directory_iterator it(folder, error), end; !error && it != end && left > 0; it.increment(error), --left) {
    visit(it->path());
  }
}

bool IsFolder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(fs::symlink_status(path, error)) && path.filename().string()[0] != '.';
}

}  // namespace

FileWatch::FileWatch(std::string folder, std::function<bool(const std::string& name)> is_wanted, Duration settle)
    : folder_(std::move(folder)),
      is_wanted_(std::move(is_wanted)),
      settle_(settle),
      messages_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  Watch();
}

FileWatch::~FileWatch() {
  if (messages_ >= 0) close(messages_);
}

void FileWatch::Watch() {
  if (messages_ < 0) return;
  inotify_add_watch(messages_, folder_.c_str(), kEvents);
  ForEachEntry(folder_, [this](const fs::path& path) {
    if (IsFolder(path)) inotify_add_watch(messages_, path.c_str(), kEvents);
  });
}

FileWatch::State FileWatch::Look() const {
  State state;
  const auto add = [this, &state](const fs::path& path, const std::string& prefix) {
    const std::string name = path.filename().string();
    struct stat what {};
    if (!is_wanted_(name) || lstat(path.c_str(), &what) != 0 || S_ISDIR(what.st_mode)) return;
    state[prefix + name] = HashOf(what);
  };
  ForEachEntry(folder_, [&add](const fs::path& path) {
    if (!IsFolder(path)) return add(path, "");
    const std::string prefix = path.filename().string() + "/";
    ForEachEntry(path, [&add, &prefix](const fs::path& inside) { add(inside, prefix); });
  });
  return state;
}

void FileWatch::Take() { taken_ = Look(); }

std::vector<std::string> FileWatch::Changed() const {
  const State now = Look();
  std::vector<std::string> names;
  for (const auto& [name, state] : now) {
    const auto before = taken_.find(name);
    if (before == taken_.end() || before->second != state) names.push_back(name);
  }
  for (const auto& [name, state] : taken_) {
    if (now.find(name) == now.end()) names.push_back(name);
  }
  return names;
}

std::vector<std::string> FileWatch::AwaitSave(const std::atomic<bool>& cancel) {
  using Clock = std::chrono::steady_clock;
  while (!cancel) {
    if (Changed().empty()) {
      Wait(kLookAgain);
      continue;
    }
    State last = Look();
    for (Clock::time_point since = Clock::now(); !cancel;) {
      const bool all_here =
          std::all_of(taken_.begin(), taken_.end(), [&last](const auto& file) { return last.count(file.first) != 0; });
      if (Clock::now() - since >= (all_here ? settle_ : kComeBack)) break;
      Wait(Duration(20));
      if (State now = Look(); now != last) {
        last = std::move(now);
        since = Clock::now();
      }
    }
    if (std::vector<std::string> names = Changed(); !names.empty() && !cancel) return names;
  }
  return {};
}

void FileWatch::Wait(Duration at_most) {
  Watch();
  pollfd ready{messages_, POLLIN, 0};
  const int timeout_ms = static_cast<int>(at_most.count());
  if (poll(&ready, messages_ >= 0 ? 1 : 0, timeout_ms) <= 0) return;
  std::array<char, 16 << 10> unread{};
  while (read(messages_, unread.data(), unread.size()) > 0) {
  }
}

}  // namespace warpgrade::cli
