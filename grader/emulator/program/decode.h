// ptx::Module -> Program: registers become frame offsets, operands rows, opcodes handlers, branches get their
// reconvergence points. What has no handler decodes to an instruction that reports itself by name when it is executed.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "grader/emulator/program/handler_table.h"
#include "grader/emulator/program/program.h"
#include "grader/result/result.h"

namespace warpgrade::emulator {

// Addresses of a loaded module's .global and .const variables.
using SymbolAddresses = std::unordered_map<std::string, uint64_t>;

// Decodes a kernel and everything that it can call. Program::functions[0] is the kernel, [k + 1] is
// module.functions[k]. `module` must outlive the program.
std::unique_ptr<Program> Decode(const ptx::Module& module, const ptx::Function& kernel, const SymbolAddresses& symbols,
                                const HandlerTable& handlers);

// What the program would report if it got there: one sentence for each instruction that has no handler.
std::vector<std::string> UnsupportedInstructions(const Program& program);

// Offsets of a kernel's parameters in its parameter block, and the block's size.
struct ParameterLayout {
  std::vector<uint32_t> offsets, sizes;
  uint32_t bytes = 0;
};
ParameterLayout LayOutParameters(const ptx::Function& kernel);

// The position in the student's own code of an instruction: of its inlining chain, the innermost frame that lies in the
// same file as the kernel itself; else the innermost outside the CUDA headers. line 0: unknown.
ptx::SourceFrame PickFrame(const ptx::Module& module, int32_t location);

}  // namespace warpgrade::emulator
