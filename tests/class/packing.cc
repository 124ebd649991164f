// Writes folders and archives. The zip writer is our own, because libarchive always writes the names and the system of
// the machine that it runs on. Test: tests/class/packing_test.cc.
#include "tests/class/packing.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace warpgrade::classes {
namespace {

namespace fs = std::filesystem;
using Entries = std::vector<std::pair<std::string, std::string>>;

struct PackingRow {
  Packing packing;
  const char* name;
  bool is_found;
};
constexpr PackingRow kPackings[] = {
    {Packing::kFolder, "folder", true},
    {Packing::kZip, "zip", true},
    {Packing::kTarGz, "tar.gz", true},
    {Packing::kZipInFolder, "zip in a folder", true},
    {Packing::kFolderInZip, "zip with a folder around the files", true},
    {Packing::kFoldersInZip, "zip with two folders around the files", false},
    {Packing::kMacZip, "zip from macOS", true},
    {Packing::kWindowsZip, "zip with backslashes", true},
    {Packing::kWrongCase, "names in the wrong case", false},
    {Packing::kRenamed, "files renamed by a browser", false},
};

const PackingRow& RowOf(Packing packing) {
  return *std::find_if(std::begin(kPackings), std::end(kPackings),
                       [packing](const PackingRow& row) { return row.packing == packing; });
}

uint32_t Crc32(const std::string& bytes) {
  uint32_t crc = 0xFFFFFFFF;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

// `value` in little endian.
std::string Bytes(uint64_t value, int count) {
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  return bytes;
}

// The date and time of MS-DOS: two seconds exact, from 1980, in UTC here.
std::string DosTime(int64_t time) {
  const std::time_t seconds = time;
  std::tm utc = {};
  gmtime_r(&seconds, &utc);
  const int clock = utc.tm_hour << 11 | utc.tm_min << 5 | utc.tm_sec / 2;
  const int date = std::max(utc.tm_year - 80, 0) << 9 | (utc.tm_mon + 1) << 5 | utc.tm_mday;
  return Bytes(static_cast<uint64_t>(clock), 2) + Bytes(static_cast<uint64_t>(date), 2);
}

void Write(const fs::path& path, const std::string& bytes, int64_t time) {
  fs::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  if (!file) throw std::runtime_error(path.string() + ": cannot be written");
  fs::last_write_time(
      path,
      fs::file_time_type(std::chrono::file_clock::from_sys(std::chrono::sys_seconds(std::chrono::seconds(time)))));
}

std::string TarGzOf(const Files& files, int64_t time) {
  std::string bytes(1 << 22, '\0');
  size_t used = 0;
  archive* out = archive_write_new();
  archive_write_set_format_ustar(out);
  archive_write_add_filter_gzip(out);
  archive_write_set_filter_option(out, "gzip", "timestamp", nullptr);
  bool ok = archive_write_open_memory(out, bytes.data(), bytes.size(), &used) == ARCHIVE_OK;
  for (const auto& [name, text] : files) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_mtime(entry, time, 0);
    archive_entry_set_size(entry, static_cast<int64_t>(text.size()));
    ok = ok && archive_write_header(out, entry) == ARCHIVE_OK;
    ok = ok && archive_write_data(out, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    archive_entry_free(entry);
  }
  ok = ok && archive_write_close(out) == ARCHIVE_OK;
  archive_write_free(out);
  if (!ok) throw std::runtime_error("a tar file cannot be made");
  return bytes.substr(0, used);
}

std::string WithCase(std::string text, int (*convert)(int)) {
  for (char& c : text) c = static_cast<char>(convert(static_cast<unsigned char>(c)));
  return text;
}

// The files under the names that this way of handing in gives them.
Entries EntriesOf(const Files& files, Packing packing) {
  Entries entries;
  for (const auto& [name, text] : files) {
    const size_t slash = name.find('/'), dot = name.rfind('.');
    std::string as = name;
    if (packing == Packing::kFolderInZip) as = "my work/" + name;
    if (packing == Packing::kFoldersInZip) as = "home/my work/" + name;
    if (packing == Packing::kWindowsZip) std::replace(as.begin(), as.end(), '/', '\\');
    if (packing == Packing::kWrongCase) {
      as = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0]))) + name.substr(1, slash) +
           WithCase(name.substr(slash + 1), std::toupper);
    }
    if (packing == Packing::kRenamed) as = name.substr(0, dot) + " (1)" + name.substr(dot);
    entries.emplace_back(as, text);
    if (packing != Packing::kMacZip) continue;
    entries.emplace_back("__MACOSX/" + name.substr(0, slash + 1) + "._" + name.substr(slash + 1),
                         std::string("\0\5\26\7\0\2\0\0Mac OS X", 16));
  }
  if (packing == Packing::kMacZip) entries.emplace_back(".DS_Store", std::string("\0\0\0\1Bud1", 8));
  return entries;
}

}  // namespace

const char* Name(Packing packing) { return RowOf(packing).name; }

std::vector<Packing> AllPackings() {
  std::vector<Packing> all;
  for (const PackingRow& row : kPackings) all.push_back(row.packing);
  return all;
}

bool IsFound(Packing packing) { return RowOf(packing).is_found; }

std::string ZipOf(const Entries& entries, int64_t time, bool windows) {
  // The version of the program, and its system in the upper byte: 0 is Windows, 3 is Unix. Bit 11: names are UTF-8.
  const std::string made_by = Bytes(windows ? 20 : 0x0314, 2), flags = Bytes(0x0800, 2);
  std::string local, central;
  for (const auto& [name, text] : entries) {
    const std::string facts = Bytes(0, 2) + DosTime(time) + Bytes(Crc32(text), 4) + Bytes(text.size(), 4) +
                              Bytes(text.size(), 4) + Bytes(name.size(), 2) + Bytes(0, 2);
    const uint64_t permissions = windows ? 0 : uint64_t{0100644} << 16;
    central += Bytes(0x02014b50, 4) + made_by + Bytes(20, 2) + flags + facts + Bytes(0, 6) + Bytes(permissions, 4) +
               Bytes(local.size(), 4) + name;
    local += Bytes(0x04034b50, 4) + Bytes(20, 2) + flags + facts + name + text;
  }
  const std::string count = Bytes(entries.size(), 2);
  return local + central + Bytes(0x06054b50, 4) + Bytes(0, 4) + count + count + Bytes(central.size(), 4) +
         Bytes(local.size(), 4) + Bytes(0, 2);
}

std::string HandIn(const std::string& folder, const std::string& name, const Files& files, Packing packing,
                   int64_t time) {
  const fs::path place = fs::path(folder) / name;
  const Entries entries = EntriesOf(files, packing);
  switch (packing) {
    case Packing::kFolder:
    case Packing::kWrongCase:
    case Packing::kRenamed:
      fs::create_directories(place);
      for (const auto& [file, text] : entries) Write(place / file, text, time);
      return name;
    case Packing::kTarGz:
      Write(place.string() + ".tar.gz", TarGzOf(files, time), time);
      return name + ".tar.gz";
    case Packing::kZipInFolder:
      Write(place / "hand in.zip", ZipOf(entries, time, false), time);
      return name;
    default:
      Write(place.string() + ".zip", ZipOf(entries, time, packing == Packing::kWindowsZip), time);
      return name + ".zip";
  }
}

}  // namespace warpgrade::classes
