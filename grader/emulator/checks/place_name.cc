#include "grader/emulator/checks/place_name.h"

#include <fmt/format.h>

#include "grader/demangle/demangle.h"

namespace warpgrade::emulator {
namespace {

// The variable's name without the function around it: "tile" of "_ZZ4kernPfE4tile".
std::string ShortName(const std::string& mangled) {
  std::string name = Demangle(mangled);
  size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

// The name of a variable from its entry in the program's list. A variable inside a function is listed as
// "function:variable", both as numbers.
std::string NameOf(const Program& program, const std::string& listed) {
  size_t colon = listed.find(':');
  if (colon == std::string::npos) return ShortName(listed);
  const FunctionCode& f = program.functions[static_cast<size_t>(std::stoul(listed))];
  return ShortName(f.function->variables[std::stoul(listed.substr(colon + 1))].name);
}

std::string Element(uint64_t offset, int element, const std::string& of) {
  uint64_t size = element > 0 ? static_cast<uint64_t>(element) : 1;
  if (offset % size != 0) return fmt::format("byte {} of {}", offset, of);
  return fmt::format("element {} of {}", offset / size, of);
}

const Program::SharedVariable* VariableAt(const Program& program, uint64_t offset) {
  const Program::SharedVariable* found = nullptr;
  for (const Program::SharedVariable& v : program.shared_variables) {
    // A dynamic array (extern) has no size of its own: it covers the rest of shared memory.
    bool inside = offset >= v.offset && (v.bytes == 0 || offset - v.offset < v.bytes);
    if (inside && (found == nullptr || v.offset > found->offset)) found = &v;
  }
  return found;
}

}  // namespace

std::string GlobalPlace(const GlobalMemory& memory, uint64_t address, int element) {
  const Allocation* a = memory.Find(address);
  if (a == nullptr) return fmt::format("address {:#x}", address);
  return Element(address - a->base, element, fmt::format("{} ({} bytes)", ShortName(a->label), a->bytes));
}

std::string SharedPlace(const LaunchShared& launch, uint64_t offset, int element) {
  const Program::SharedVariable* const found = VariableAt(*launch.program, offset);
  std::string name;
  if (found != nullptr) name = NameOf(*launch.program, found->name);
  if (found == nullptr) return fmt::format("byte {} of shared memory", offset);
  return Element(offset - found->offset, element, fmt::format("{} in shared memory", name));
}

NamedArray GlobalArrayAt(const GlobalMemory& memory, uint64_t address) {
  const Allocation* const a = memory.Find(address);
  if (a == nullptr) return {"global memory", 0, 0};
  return {a->label.empty() ? "global memory" : ShortName(a->label), a->base, a->bytes};
}

NamedArray SharedArrayAt(const Program& program, uint64_t offset, uint64_t shared_bytes) {
  const Program::SharedVariable* const found = VariableAt(program, offset);
  if (found == nullptr) return {"shared memory", 0, shared_bytes};
  const uint64_t rest = shared_bytes > found->offset ? shared_bytes - found->offset : 0;
  return {NameOf(program, found->name), found->offset, found->bytes != 0 ? found->bytes : rest};
}

}  // namespace warpgrade::emulator
