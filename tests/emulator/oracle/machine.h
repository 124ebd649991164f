// A second emulator, as plain as can be: one thread at a time, one instruction at a time, over the syntax tree. Threads
// of a block run in turn until each waits or has exited; what they wait for is then settled. It checks nothing and
// counts nothing. It knows the instructions that the generator makes and says so of others.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/emulator/ptx/module.h"
#include "grader/result/result.h"

namespace warpgrade::oracle {

// Device memory: buffers and module variables at the addresses that the device under test gave them.
struct Region {
  uint64_t base = 0;
  std::vector<uint8_t> bytes;
};

struct Launch {
  const ptx::Module* module = nullptr;
  std::string kernel;
  uint32_t grid = 1, block = 1;  // one-dimensional
  uint32_t dynamic_shared_bytes = 0;
  std::vector<uint8_t> parameters;          // laid out as the kernel's .param list asks
  std::map<std::string, uint64_t> symbols;  // addresses of .global and .const variables
  std::vector<Region>* memory = nullptr;
  uint64_t budget = 50'000'000;  // thread instructions
};

// Runs the launch to its end; `memory` holds what it left. Errors: an instruction or address that it does not know, a
// deadlock, the budget.
Status Run(const Launch& launch);

}  // namespace warpgrade::oracle
