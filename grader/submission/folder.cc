// Reads a folder through descriptors (openat, O_NOFOLLOW), so that nobody can replace a file by a link between the
// check and the read. Tests: tests/submission/discover_test.cc.
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

// The entries of the folder `fd`, which is closed. nullopt if it cannot be read.
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
    if (entries.size() > kMaxEntriesScanned) break;  // one more than is read, so that the caller notices
  }
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return entries;
}

// The content, at most one byte more than a file may have. nullopt, with errno set, if it cannot be read or is not a
// regular file.
std::optional<std::string> ReadFile(int directory, const std::string& name) {
  // O_NONBLOCK: if a pipe has replaced the file, opening it must not block.
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

  // Reads the folder at `path` through `fd`, which is closed.
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
      if (fd < 0)
        return collector_.Refuse(name, fmt::format("cannot be read: {}; check its permissions", std::strerror(errno)));
      return Folder(fd, path);
    }
    const std::optional<Place> place = collector_.wanted().Find(path);
    if (entry.kind == FolderEntry::Kind::kLink) {
      if (place || collector_.wanted().IsLab(entry.name))
        collector_.Refuse(name, "refused: it is a symbolic link; send the file itself");
      return;
    }
    if (!place) return collector_.PassOver(name, entry.name);
    if (entry.kind != FolderEntry::Kind::kFile)
      return collector_.Refuse(name, "refused: it is not a regular file; send the file itself");
    errno = 0;
    std::optional<std::string> text = ReadFile(folder, entry.name);
    if (!text)
      return collector_.Refuse(name, fmt::format("cannot be read: {}; check its permissions", std::strerror(errno)));
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
    return Error{ErrorKind::kMachine,
                 fmt::format("{}: cannot be read: {}; check its permissions", Escaped(path), std::strerror(errno))};
  return std::move(*entries);
}

void ReadFolder(const std::string& path, Collector* collector) {
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return collector->Refuse(path, fmt::format("cannot be read: {}; check its permissions", std::strerror(errno)));
  Walk walk(collector);
  walk.Folder(fd, {});
  if (walk.too_many()) {
    collector->Refuse(
        path, fmt::format("it holds more than {0} files, and only the first {0} were read; send only the labs' files",
                          kMaxEntriesScanned));
  }
}

}  // namespace warpgrade::submission
