// Reads archives with libarchive and limits the number of unpacked bytes. A tar is one compressed stream, so every byte
// before an entry must be unpacked and counts. A zip has a directory, so files that no lab asks for are never unpacked;
// a zip with a broken directory is refused. Tests: tests/submission/archive_test.cc.
#include "grader/submission/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <clocale>
#include <memory>

#include "grader/submission/printable.h"

namespace warpgrade::submission {
namespace {

constexpr std::array<std::string_view, 4> kEndings = {".tar.gz", ".tgz", ".tar", ".zip"};
constexpr std::array<std::string_view, 9> kForeignEndings = {".rar", ".7z",  ".xz",  ".tar.xz", ".tar.bz2",
                                                             ".bz2", ".zst", ".txz", ".gz"};
// Text packs to about a tenth. The first megabytes are not checked, so that a small, very regular file is accepted.
constexpr size_t kMaxRatio = 200;
constexpr size_t kRatioFreeBytes = 16 << 20;

bool EndsWithIgnoringCase(std::string_view text, std::string_view end) {
  if (text.size() <= end.size()) return false;
  text.remove_prefix(text.size() - end.size());
  for (size_t i = 0; i < end.size(); ++i) {
    if ((text[i] | 0x20) != (end[i] | 0x20)) return false;
  }
  return true;
}

using ArchivePointer = std::unique_ptr<archive, int (*)(archive*)>;

class Reader {
 public:
  Reader(const std::string& path, Collector* collector)
      : name_(path.substr(path.rfind('/') + 1)),
        collector_(*collector),
        archive_(archive_read_new(), archive_read_free) {
    archive_read_support_format_tar(archive_.get());
    archive_read_support_format_zip_seekable(archive_.get());
    archive_read_support_filter_gzip(archive_.get());
    constexpr size_t kBlock = 64 << 10;
    if (archive_read_open_filename(archive_.get(), path.c_str(), kBlock) != ARCHIVE_OK) Broken();
  }

  void Run() {
    archive_entry* entry = nullptr;
    for (int scanned = 0; !stopped_; ++scanned) {
      const int status = archive_read_next_header(archive_.get(), &entry);
      if (status == ARCHIVE_EOF) return;
      if (status == ARCHIVE_RETRY) continue;
      if (status < ARCHIVE_WARN) return Broken();
      if (scanned >= kMaxEntriesScanned)
        return Stop(
            fmt::format("it holds more than {0} files, and only the first {0} were read; pack only the labs' files",
                        kMaxEntriesScanned));
      Entry(entry);
    }
  }

 private:
  void Stop(const std::string& reason) {
    collector_.Refuse(name_, reason);
    stopped_ = true;
  }

  void Broken() {
    const char* reason = archive_error_string(archive_.get());
    Stop(fmt::format("broken archive: {}; pack it again as .zip or .tar.gz",
                     Escaped(reason == nullptr ? "unreadable" : reason)));
  }

  bool IsZip() const { return (archive_format(archive_.get()) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP; }

  static std::string NameOf(archive_entry* entry) {
    if (const char* name = archive_entry_pathname(entry)) return name;
    const char* name = archive_entry_pathname_utf8(entry);
    return name == nullptr ? "" : name;
  }

  void Entry(archive_entry* entry) {
    const std::string name = NameOf(entry);
    const auto parts = PathParts(name);
    const bool folder = archive_entry_filetype(entry) == AE_IFDIR;
    if (!parts) {
      collector_.Refuse(name, "refused: the name of a file may not be absolute and may not contain \"..\"");
    } else if (parts->empty() || folder) {
      if (parts->empty() && !folder)
        collector_.Refuse(name_, "refused: the name of one of its files cannot be read; pack it again");
    } else if (const auto place = collector_.wanted().Find(*parts)) {
      return Wanted(entry, name, *place);
    } else if (archive_entry_filetype(entry) == AE_IFREG) {
      collector_.PassOver(name, parts->back());
    }
    if (!IsZip()) ReadData(nullptr);
  }

  void Wanted(archive_entry* entry, const std::string& name, const Place& place) {
    const char* refusal = nullptr;
    if (archive_entry_hardlink(entry) != nullptr || archive_entry_hardlink_utf8(entry) != nullptr) {
      refusal = "refused: it is a hard link; send the file itself";
    } else if (archive_entry_filetype(entry) == AE_IFLNK) {
      refusal = "refused: it is a symbolic link; send the file itself";
    } else if (archive_entry_filetype(entry) != AE_IFREG) {
      refusal = "refused: it is not a regular file; send the file itself";
    } else if (archive_entry_is_encrypted(entry)) {
      refusal = "refused: it is encrypted; pack it without a password";
    }
    if (refusal != nullptr) {
      collector_.Refuse(name, refusal);
      if (!IsZip()) ReadData(nullptr);
      return;
    }
    std::string text;
    if (ReadData(&text)) return collector_.Offer(name, place, std::move(text));
    if (!stopped_) {
      const char* reason = archive_error_string(archive_.get());
      collector_.Refuse(
          name, fmt::format("cannot be unpacked: {}; pack it again", Escaped(reason == nullptr ? "broken" : reason)));
    }
  }

  // Unpacks the entry into `text`, at most one byte more than a file may have. With nullptr the bytes are dropped.
  // False if the entry cannot be unpacked or reading has stopped.
  bool ReadData(std::string* text) {
    const void* block = nullptr;
    size_t size = 0;
    la_int64_t offset = 0;
    while (true) {
      const int status = archive_read_data_block(archive_.get(), &block, &size, &offset);
      if (status == ARCHIVE_EOF) return true;
      if (status == ARCHIVE_FATAL) {
        Broken();
        return false;
      }
      if (status < ARCHIVE_WARN) return false;
      unpacked_ += size;
      if (TooMuch()) return false;
      if (text == nullptr) continue;
      // A hole in a sparse file becomes zeros, so the file is refused because it is not text. `offset` may be any
      // number.
      const size_t start = static_cast<size_t>(std::clamp<la_int64_t>(offset, 0, kMaxFileBytes + 1));
      text->resize(std::max(text->size(), std::min(start + size, kMaxFileBytes + 1)));
      if (start < text->size())
        text->replace(start, std::min(size, text->size() - start), static_cast<const char*>(block),
                      std::min(size, text->size() - start));
      if (text->size() > kMaxFileBytes && IsZip()) return true;
    }
  }

  bool TooMuch() {
    if (unpacked_ > kMaxUnpackedBytes) {
      Stop(fmt::format("it unpacks to more than {} MB, so reading stopped; pack only the labs' files",
                       kMaxUnpackedBytes >> 20));
    } else if (unpacked_ > kRatioFreeBytes && unpacked_ / kMaxRatio > PackedBytes()) {
      Stop(fmt::format("it unpacks to more than {} times its size, so reading stopped; pack only the labs' files",
                       kMaxRatio));
    }
    return stopped_;
  }

  size_t PackedBytes() const {
    return static_cast<size_t>(std::max<la_int64_t>(0, archive_filter_bytes(archive_.get(), -1)));
  }

  const std::string name_;
  Collector& collector_;
  ArchivePointer archive_;
  size_t unpacked_ = 0;
  bool stopped_ = false;
};

}  // namespace

bool IsArchiveName(std::string_view name) { return WithoutArchiveEnding(name) != name; }

std::string_view WithoutArchiveEnding(std::string_view name) {
  for (std::string_view ending : kEndings) {
    if (EndsWithIgnoringCase(name, ending)) return name.substr(0, name.size() - ending.size());
  }
  return name;
}

bool IsForeignArchiveName(std::string_view name) {
  if (IsArchiveName(name)) return false;
  for (std::string_view ending : kForeignEndings) {
    if (EndsWithIgnoringCase(name, ending)) return true;
  }
  return false;
}

void ReadArchive(const std::string& path, Collector* collector) { Reader(path, collector).Run(); }

}  // namespace warpgrade::submission
