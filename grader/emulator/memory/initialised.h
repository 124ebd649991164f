// Which bytes of memory were ever written: one bit for each byte, 64 in a word. Several host threads may set bits at
// the same time. A reader may miss bits that are being set, but only if its access and the write are unordered.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpgrade::emulator {

// REQUIRES: bytes > 0.
bool AllWritten(const uint64_t* bits, uint64_t at, uint64_t bytes);
bool AnyWritten(const uint64_t* bits, uint64_t at, uint64_t bytes);
void SetWritten(uint64_t* bits, uint64_t at, uint64_t bytes);
void ClearWritten(uint64_t* bits, uint64_t at, uint64_t bytes);
// The bits of `from` are copied to `to`; the ranges may overlap as in memmove.
void CopyWritten(uint64_t* bits, uint64_t to, uint64_t from, uint64_t bytes);

}  // namespace warpgrade::emulator
