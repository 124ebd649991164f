// Reads the fat binary that nvcc embeds in a host object: a wrapper that points at a header followed by entries, each
// PTX text or a machine-code ELF, raw, LZ4-block or zstd compressed. All reads are bounds-checked.
//
//   header:  u32 magic 0xBA55ED50 | u16 version | u16 header size | u64 size of the entries that follow
//   entry:   u16 kind (1 PTX, 2 ELF) | ... | u32 header size | u64 payload size | ... flags, arch, uncompressed size
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::fatbin {

struct Entry {
  enum class Kind { kPtx, kElf } kind = Kind::kPtx;
  int arch = 0;         // 75, 90
  std::string payload;  // uncompressed; PTX without its trailing NUL
  std::string source;   // the file that it was compiled from, without its folder: "a.cu"; empty if it is not known
};

// All entries of one fat binary. `bytes` starts at the header magic. Errors name the offset and what is wrong.
Result<std::vector<Entry>> Read(std::span<const std::byte> bytes);

// The total size in bytes (header + entries) that the header at `start` claims; 0 if the magic is wrong.
// Used where only a pointer is known (__cudaRegisterFatBinary).
uint64_t ClaimedSize(const void* start);

// The PTX for a GPU of compute capability `arch` (75, 90): the kPtx entry with the highest arch that is at most `arch`
// and at most 90, the emulator's highest. If there is none, it fails with a message that says to compile with PTX
// (-gencode arch=compute_75,code=compute_75).
Result<Entry> SelectPtx(const std::vector<Entry>& entries, int arch);

// One object of a program that nvcc -rdc=true compiled.
struct Unit {
  std::string source;  // as in Entry
  Entry ptx;           // as SelectPtx gives it
};

// The units of such a program, for a GPU of compute capability `arch`. Each of `fatbins` is one object's, as Read takes
// it. NVIDIA's device runtime (libcudadevrt) is left out: it is only machine code, and the emulator has its own. Errors
// as Read and SelectPtx; they name the unit.
Result<std::vector<Unit>> SelectUnits(const std::vector<std::span<const std::byte>>& fatbins, int arch);

}  // namespace warpgrade::fatbin
