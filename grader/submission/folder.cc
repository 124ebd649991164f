// Walks with descriptors (openat, O_NOFOLLOW), so that nothing changes into a link between the look and the read.
// Tested by discover_test.cc.
#include "grader/submission/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "grader/submission/printable.h"

namespace warpgrade::submission {
namespace {

constexpr size_t kMaxDepth = 3;  // WRAP/LAB/RUNG.cu

FolderEntry::Kind KindOf(int directory, const char* name) {
  struct stat info;
  if (fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) != 0) return FolderEntry::Kind::kOther;
  if (S_ISREG(info.st_mode)) return FolderEntry::Kind::kFile;
  if (S_ISDIR(info.st_mode)) return FolderEntry::Kind::kFolder;
  return S_ISLNK(info.st_mode) ? FolderEntry::Kind::kLink : FolderEntry::Kind::kOther;
}

// Takes over `fd`. Nothing when it cannot be read.
std::optional<std::vector<FolderEntry>> Entries(int fd) {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(fdopendir(fd), closedir);
  if (directory == nullptr) {
    close(fd);
    return std::nullopt;
  }
  std::vector<FolderEntry> entries;
  while (const dirent* entry = readdir(directory.get())) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    entries.push_back({KindOf(fd, entry->d_name), name});
    if (entries.size() > kMaxEntriesScanned) break;  // one more than is looked at, so that somebody says so
  }
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return entries;
}

// At most one byte more than a file may have. Nothing with errno when it cannot be read or is no regular file.
std::optional<std::string> ReadFile(int directory, const std::string& name) {
  // O_NONBLOCK: a pipe put there meanwhile must not hold us.
  const int fd = openat(directory, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return std::nullopt;
  struct stat info;
  std::optional<std::string> text;
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
    text.emplace(kMaxFileBytes + 1, '\0');
    size_t size = 0;
    ssize_t n = 0;
    while (size < text->size() && (n = read(fd, text->data() + size, text->size() - size)) > 0) size += n;
    text->resize(size);
    if (n < 0) text.reset();
  }
  close(fd);
  return text;
}

class Walk {
 public:
  explicit Walk(Collector* collector) : collector_(*collector) {}

  // Takes over `fd`, the folder at `path`.
  void Folder(int fd, const std::vector<std::string>& path) {
    const int kept = dup(fd);  // Entries closes the other
    const auto entries = Entries(fd);
    for (const FolderEntry& entry : entries ? *entries : std::vector<FolderEntry>()) {
      if (++scanned_ > kMaxEntriesScanned) break;
      std::vector<std::string> below = path;
      below.push_back(entry.name);
      Entry(kept, entry, below);
    }
    close(kept);
  }

  bool too_many() const { return scanned_ > kMaxEntriesScanned; }

 private:
  void Entry(int folder, const FolderEntry& entry, const std::vector<std::string>& path) {
    const std::string name = fmt::format("{}", fmt::join(path, "/"));
    if (entry.kind == FolderEntry::Kind::kFolder) {
      if (path.size() >= kMaxDepth || entry.name.starts_with('.')) return;
      const int fd = openat(folder, entry.name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (fd < 0) return collector_.Refuse(name, fmt::format("cannot be read: {}", std::strerror(errno)));
      return Folder(fd, path);
    }
    const std::optional<Place> place = collector_.wanted().Find(path);
    if (entry.kind == FolderEntry::Kind::kLink) {
      if (place || collector_.wanted().IsLab(entry.name))
        collector_.Refuse(name, "refused: it is a symbolic link; send the file itself");
      return;
    }
    if (!place) return collector_.PassOver(name, entry.name);
    if (entry.kind != FolderEntry::Kind::kFile) return collector_.Refuse(name, "refused: it is not a regular file");
    errno = 0;
    std::optional<std::string> text = ReadFile(folder, entry.name);
    if (!text) return collector_.Refuse(name, fmt::format("cannot be read: {}", std::strerror(errno)));
    collector_.Offer(name, *place, std::move(*text));
  }

  Collector& collector_;
  int scanned_ = 0;
};

}  // namespace

Result<std::vector<FolderEntry>> ListFolder(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  auto entries = fd < 0 ? std::nullopt : Entries(fd);
  if (!entries)
    return Error{ErrorKind::kMachine, fmt::format("{}: cannot be read: {}", Escaped(path), std::strerror(errno))};
  return std::move(*entries);
}

void ReadFolder(const std::string& path, Collector* collector) {
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return collector->Refuse(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  Walk walk(collector);
  walk.Folder(fd, {});
  if (walk.too_many()) {
    collector->Refuse(path, fmt::format("holds more than {} files; looked at no more of them", kMaxEntriesScanned));
  }
}

}  // namespace warpgrade::submission
