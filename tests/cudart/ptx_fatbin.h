// A fat binary with one uncompressed PTX entry, as nvcc lays it out (grader/emulator/fatbin/fatbin.cc).
#pragma once

#include <string_view>
#include <vector>

#include "grader/cudart/device/wire.h"

namespace warpgrade::cudart {

inline std::vector<std::byte> FatbinOf(std::string_view ptx) {
  constexpr uint16_t kPtx = 1;
  constexpr uint32_t kEntryHeader = 64;
  const uint64_t payload = (ptx.size() + 8) / 8 * 8;  // with its NUL
  wire::Writer bytes;
  bytes.Put(uint32_t{0xBA55ED50});
  bytes.Put(uint16_t{1});
  bytes.Put(uint16_t{16});
  bytes.Put(uint64_t{kEntryHeader + payload});
  bytes.Put(kPtx);
  bytes.Put(uint16_t{0x0101});
  bytes.Put(kEntryHeader);
  bytes.Put(payload);
  bytes.buffer().resize(16 + 28);
  bytes.Put(uint32_t{75});
  bytes.buffer().resize(16 + 40);
  bytes.Put(uint64_t{0x11});  // 64-bit, Linux
  bytes.buffer().resize(16 + kEntryHeader);
  bytes.PutBytes(ptx.data(), ptx.size());
  bytes.buffer().resize(16 + kEntryHeader + payload);
  return bytes.buffer();
}

}  // namespace warpgrade::cudart
