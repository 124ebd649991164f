// The fat binary format, found by experiment with nvcc 13.0 (NVIDIA does not document it). Little endian.
//
//   header                                  entry (repeated until the header's size is used up)
//    0  u32  magic 0xBA55ED50                0  u16  kind: 1 PTX, 2 ELF, 8 link-time-optimisation bytecode
//    4  u16  version, 1                      2  u16  version, 0x0101
//    6  u16  size of this header, 16         4  u32  size of this header, 64 to 128 or so: the strings below are in it
//    8  u64  bytes of entries behind it      8  u64  size of the payload that follows, with its padding
//                                           16  u32  compressed size, without padding; 0 when not compressed
//                                           20  u32  offset of the ptxas options
//                                           24  u16  minor, u16 major: of the PTX or ELF version
//                                           28  u32  architecture: 75
//                                           32  u32  offset, u32 length: the source file's name
//                                           40  u64  flags: 0x1 64-bit, 0x2 debug, 0x10 Linux, 0x2000 LZ4 block,
//                                                    0x8000 zstd, 0x100000 'a' (sm_90a), 0x200000 'f' (sm_100f)
//                                           48  u64  LTO only
//                                           56  u64  uncompressed size; 0 when not compressed
//                                           64  ...  strings
//
// Covered by tests/emulator/fatbin/fatbin_test.cc.
#include "grader/emulator/fatbin/fatbin.h"

#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

namespace warpgrade::fatbin {
namespace {

constexpr uint32_t kMagic = 0xBA55ED50;
constexpr size_t kHeaderSize = 16;
constexpr size_t kEntryHeaderSize = 64;
constexpr uint16_t kKindPtx = 1;
constexpr uint16_t kKindElf = 2;
constexpr uint16_t kKindLinkTime = 8;
constexpr uint64_t kFlagLz4 = 0x2000;
constexpr uint64_t kFlagZstd = 0x8000;
constexpr int kHighestArch = 90;  // the emulator's
// Limit for all entries together, uncompressed, against decompression bombs.
constexpr uint64_t kMaxPayloads = uint64_t{256} << 20;
constexpr uint64_t kMaxClaimed = uint64_t{4} << 30;
constexpr uint64_t kMaxLz4Ratio = 255;
// Every image of NVIDIA's device runtime has functions with this part in their names.
constexpr std::string_view kDeviceRuntime = "cuda_device_runtime_cu";

// REQUIRES: offset + sizeof(T) <= bytes.size().
template <typename T>
T ReadAt(std::span<const std::byte> bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

Error Broken(size_t offset, const std::string& what) {
  return {ErrorKind::kSubmission,
          "fat binary, byte " + std::to_string(offset) + ": " + what + "; build the program again with nvcc 13"};
}

struct EntryHeader {
  uint16_t kind;
  uint32_t header_size;
  uint64_t payload_size;
  uint32_t compressed_size;
  uint32_t arch;
  uint32_t name, name_size;
  uint64_t flags;
  uint64_t uncompressed_size;
};

struct Range {
  size_t begin;
  size_t end;
};

// The range of `bytes` that holds the entries.
Result<Range> EntriesOf(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeaderSize) return Broken(bytes.size(), "it ends within its header");
  if (ReadAt<uint32_t>(bytes, 0) != kMagic) return Broken(0, "no fat binary begins here");
  const uint16_t version = ReadAt<uint16_t>(bytes, 4);
  if (version != 1) return Broken(4, "version " + std::to_string(version) + ", expected 1");
  const size_t header_size = ReadAt<uint16_t>(bytes, 6);
  const uint64_t entries_size = ReadAt<uint64_t>(bytes, 8);
  if (header_size < kHeaderSize) return Broken(6, "a header of " + std::to_string(header_size) + " bytes, expected 16");
  if (header_size > bytes.size() || entries_size > bytes.size() - header_size) {
    return Broken(8, std::to_string(entries_size) + " bytes of entries expected, but it ends before");
  }
  return Range{header_size, header_size + entries_size};
}

// The header of the entry at the start of `bytes`; header and payload lie within them. `offset` is for errors.
Result<EntryHeader> ReadEntryHeader(std::span<const std::byte> bytes, size_t offset) {
  if (bytes.size() < kEntryHeaderSize) return Broken(offset, "it ends within the header of an entry");
  const EntryHeader header = {.kind = ReadAt<uint16_t>(bytes, 0),
                              .header_size = ReadAt<uint32_t>(bytes, 4),
                              .payload_size = ReadAt<uint64_t>(bytes, 8),
                              .compressed_size = ReadAt<uint32_t>(bytes, 16),
                              .arch = ReadAt<uint32_t>(bytes, 28),
                              .name = ReadAt<uint32_t>(bytes, 32),
                              .name_size = ReadAt<uint32_t>(bytes, 36),
                              .flags = ReadAt<uint64_t>(bytes, 40),
                              .uncompressed_size = ReadAt<uint64_t>(bytes, 56)};
  if (header.header_size < kEntryHeaderSize || header.header_size > bytes.size()) {
    return Broken(offset + 4, "an entry's header of " + std::to_string(header.header_size) + " bytes");
  }
  if (header.payload_size > bytes.size() - header.header_size) {
    return Broken(offset + 8, "a payload of " + std::to_string(header.payload_size) + " bytes, but it ends before");
  }
  return header;
}

// The name of the file that the entry was compiled from; empty if its header has none. `bytes` begins with the header.
std::string SourceOf(const EntryHeader& header, std::span<const std::byte> bytes) {
  if (header.name < kEntryHeaderSize || header.name > header.header_size) return "";
  if (header.name_size > header.header_size - header.name) return "";
  std::string name(reinterpret_cast<const char*>(bytes.data()) + header.name, header.name_size);
  const bool is_printable = std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c != 0x7f; });
  return is_printable ? name.substr(name.rfind('/') + 1) : "";
}

// The payload of an entry whose header begins at `offset`, taking at most `budget` bytes.
Result<std::string> Uncompress(const EntryHeader& entry, std::span<const std::byte> payload, size_t offset,
                               uint64_t budget) {
  const bool is_zstd = (entry.flags & kFlagZstd) != 0;
  const bool is_lz4 = (entry.flags & kFlagLz4) != 0;
  const bool is_compressed = is_zstd || is_lz4;
  const uint64_t size = is_compressed ? entry.uncompressed_size : payload.size();
  if (size > budget) return Broken(offset, "its images are larger than 256 MiB");
  const char* data = reinterpret_cast<const char*>(payload.data());
  if (!is_compressed) return std::string(data, size);

  if (entry.compressed_size > payload.size()) {
    return Broken(offset + 16, "a compressed size of " + std::to_string(entry.compressed_size) + " in a payload of " +
                                   std::to_string(payload.size()) + " bytes");
  }
  const uint64_t compressed = entry.compressed_size;
  if (compressed > kMaxPayloads) return Broken(offset + 16, "a compressed size of more than 256 MiB");
  // Before allocating, check whether the size is possible: zstd states it, and no LZ4 block grows more than 255-fold.
  const unsigned long long stated = is_zstd ? ZSTD_getFrameContentSize(data, compressed) : 0;
  const bool is_possible =
      is_zstd ? stated == size || stated == ZSTD_CONTENTSIZE_UNKNOWN : size <= compressed * kMaxLz4Ratio;
  if (!is_possible) return Broken(offset + 56, "an uncompressed size of " + std::to_string(size) + ", which is wrong");
  std::string text(size, '\0');
  if (is_zstd) {
    const size_t written = ZSTD_decompress(text.data(), text.size(), data, compressed);
    if (ZSTD_isError(written)) return Broken(offset, std::string("zstd: ") + ZSTD_getErrorName(written));
    if (written != size) return Broken(offset, "zstd: the image is shorter than its header says");
  } else {
    const int written =
        LZ4_decompress_safe(data, text.data(), static_cast<int>(compressed), static_cast<int>(text.size()));
    if (written < 0 || static_cast<uint64_t>(written) != size) return Broken(offset, "LZ4: the image is damaged");
  }
  return text;
}

// An entry's header, and its bytes in the fat binary.
struct PlacedEntry {
  EntryHeader header;
  std::span<const std::byte> bytes;  // from the header on
  size_t offset;                     // of the header, for errors
};

Result<std::vector<PlacedEntry>> EntriesIn(std::span<const std::byte> bytes) {
  const Result<Range> range = EntriesOf(bytes);
  if (!range) return range.error();
  std::vector<PlacedEntry> entries;
  for (size_t offset = range->begin; offset < range->end;) {
    const std::span<const std::byte> rest = bytes.subspan(offset, range->end - offset);
    const Result<EntryHeader> header = ReadEntryHeader(rest, offset);
    if (!header) return header.error();
    entries.push_back({*header, rest, offset});
    offset += header->header_size + header->payload_size;
  }
  return entries;
}

Result<Entry> ReadEntry(const PlacedEntry& placed, uint64_t* budget) {
  const EntryHeader& header = placed.header;
  const std::span<const std::byte> payload = placed.bytes.subspan(header.header_size, header.payload_size);
  Result<std::string> content = Uncompress(header, payload, placed.offset, budget == nullptr ? kMaxPayloads : *budget);
  if (!content) return content.error();
  if (budget != nullptr) *budget -= content->size();
  Entry entry;
  entry.kind = header.kind == kKindPtx ? Entry::Kind::kPtx : Entry::Kind::kElf;
  entry.arch = static_cast<int>(std::min<uint32_t>(header.arch, std::numeric_limits<int>::max()));
  entry.payload = std::move(*content);
  entry.source = SourceOf(header, placed.bytes);
  while (entry.kind == Entry::Kind::kPtx && !entry.payload.empty() && entry.payload.back() == '\0') {
    entry.payload.pop_back();
  }
  return entry;
}

// The first image in machine code tells. The others need not be uncompressed, and there are ten of them.
bool IsDeviceRuntime(const std::vector<PlacedEntry>& entries) {
  for (const PlacedEntry& placed : entries) {
    if (placed.header.kind != kKindElf) continue;
    const Result<Entry> entry = ReadEntry(placed, nullptr);
    return entry.ok() && entry->payload.find(kDeviceRuntime) != std::string::npos;
  }
  return false;
}

}  // namespace

Result<std::vector<Entry>> Read(std::span<const std::byte> bytes) {
  const Result<std::vector<PlacedEntry>> placed = EntriesIn(bytes);
  if (!placed) return placed.error();
  std::vector<Entry> entries;
  uint64_t budget = kMaxPayloads;
  for (const PlacedEntry& p : *placed) {
    if (p.header.kind != kKindPtx && p.header.kind != kKindElf) continue;
    Result<Entry> entry = ReadEntry(p, &budget);
    if (!entry) return entry.error();
    entries.push_back(std::move(*entry));
  }
  return entries;
}

uint64_t ClaimedSize(const void* start) {
  const std::span<const std::byte> bytes(static_cast<const std::byte*>(start), kHeaderSize);
  if (ReadAt<uint32_t>(bytes, 0) != kMagic) return 0;
  const uint64_t entries_size = ReadAt<uint64_t>(bytes, 8);
  return entries_size > kMaxClaimed ? 0 : ReadAt<uint16_t>(bytes, 6) + entries_size;
}

Result<Entry> SelectPtx(const std::vector<Entry>& entries, int arch) {
  const int highest = std::min(arch, kHighestArch);
  const Entry* best = nullptr;
  std::string others;
  for (const Entry& entry : entries) {
    const bool is_ptx = entry.kind == Entry::Kind::kPtx;
    if (is_ptx && entry.arch <= highest) {
      if (best == nullptr || entry.arch > best->arch) best = &entry;
    } else {
      others += others.empty() ? "" : ", ";
      others += is_ptx ? "compute_" : "sm_";
      others += std::to_string(entry.arch);
    }
  }
  if (best != nullptr) return *best;
  return Error{ErrorKind::kSubmission,
               "the program holds no PTX for compute_" + std::to_string(highest) + " or lower (it holds " +
                   (others.empty() ? "nothing" : others) +
                   "), which the emulator needs; compile with -gencode arch=compute_75,code=compute_75"};
}

Result<std::vector<Unit>> SelectUnits(const std::vector<std::span<const std::byte>>& fatbins, int arch) {
  std::vector<Unit> units;
  uint64_t budget = kMaxPayloads;
  for (size_t k = 0; k < fatbins.size(); ++k) {
    const Result<std::vector<PlacedEntry>> placed = EntriesIn(fatbins[k]);
    if (!placed) return placed.error();
    if (IsDeviceRuntime(*placed)) continue;
    std::string source = placed->empty() ? "" : SourceOf(placed->front().header, placed->front().bytes);
    if (source.empty()) source = "object " + std::to_string(k + 1) + " of the program";
    std::vector<Entry> entries;
    bool is_link_time = false;
    for (const PlacedEntry& p : *placed) {
      is_link_time = is_link_time || p.header.kind == kKindLinkTime;
      if (p.header.kind != kKindPtx) continue;
      Result<Entry> entry = ReadEntry(p, &budget);
      if (!entry) return Error{entry.error().kind, source + ": " + entry.error().message};
      entries.push_back(std::move(*entry));
    }
    for (const PlacedEntry& p : *placed) {
      if (p.header.kind == kKindElf) entries.push_back({Entry::Kind::kElf, static_cast<int>(p.header.arch), "", ""});
    }
    Result<Entry> ptx = SelectPtx(entries, arch);
    if (!ptx) {
      std::string message = source + ": ";
      message += ptx.error().message;
      if (is_link_time) message += " and without -dlto: link-time code is not PTX";
      return Error{ptx.error().kind, message};
    }
    units.push_back({source, std::move(*ptx)});
  }
  return units;
}

}  // namespace warpgrade::fatbin
