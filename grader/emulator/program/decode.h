// ptx::Module -> Program: registers become frame offsets, operands become rows, opcodes become handlers, and branches
// get their reconvergence points. An instruction without a handler is decoded to one that reports its name when it is
// executed.
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

// What the program would report if it executed all of its code: one sentence for each instruction without a handler.
std::vector<std::string> UnsupportedInstructions(const Program& program);

// Offsets of a kernel's parameters in its parameter block, and the block's size.
struct ParameterLayout {
  std::vector<uint32_t> offsets, sizes;
  uint32_t bytes = 0;
};
ParameterLayout LayOutParameters(const ptx::Function& kernel);

// Refuses a module whose .const variables need more than `most` bytes, as ptxas does. `name`: of the module.
Status CheckConstants(const ptx::Module& module, const std::string& name, uint64_t most);

// The position of an instruction in the student's own code. Of its inlining chain, this is the innermost frame in the
// same file as the kernel, or else the innermost one outside of the CUDA headers. line 0: unknown.
ptx::SourceFrame PickFrame(const ptx::Module& module, int32_t location);

}  // namespace warpgrade::emulator
