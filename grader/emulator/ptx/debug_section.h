// The bytes of a section of debug data: .section .debug_info { .b8 1, 2 .b32 .debug_abbrev+4 ... }. Source: PTX ISA
// 9.0, "Debugging Directives: .section".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/emulator/ptx/token_stream.h"

namespace warpgrade::ptx {

// A value may be a symbol, or a symbol plus a number. Then `bytes` hold the number, or 0.
struct DebugSection {
  std::vector<uint8_t> bytes;
  std::map<uint64_t, std::string> symbols;  // by the offset of the value in `bytes`
};

// Takes a { ... } block and adds its contents to the section. Text that it does not understand adds nothing and is no
// error, because a program runs without its debug data, too. The only error is a block that is never closed. It keeps
// the first 4 MB and 100,000 symbols.
void ReadDebugSection(TokenStream* tokens, DebugSection* section);

}  // namespace warpgrade::ptx
