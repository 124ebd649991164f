// Names a place by its array and element. An address outside of shared memory is in no array, so it gets the name of
// the array that it is computed from (shared_base.h). Tested by tests/emulator/exec/race_test.cc and
// shared_access_test.cc.
#include "grader/emulator/checks/place_name.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/demangle/demangle.h"
#include "grader/emulator/program/shared_base.h"

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

std::string Bytes(int64_t n) { return n == 1 ? "1 byte" : fmt::format("{} bytes", n); }

std::string SharedMiss(const LaunchShared& launch, const Inst& inst, uint64_t address, int size) {
  const Program& program = *launch.program;
  const Program::SharedVariable* meant = SharedArrayOf(program, inst.index);
  if (meant == nullptr && program.shared_variables.size() == 1) meant = program.shared_variables.data();
  if (meant == nullptr) return "";
  const bool wrapped = address > (uint64_t{1} << 31);
  const int64_t below = uint32_t{0} - static_cast<uint32_t>(address);
  const int64_t at = (wrapped ? -below : static_cast<int64_t>(address)) - meant->offset;
  const std::string name = NameOf(program, meant->name);
  const bool dynamic = meant->bytes == 0;
  const int64_t behind = int64_t{launch.shared_bytes} - meant->offset;  // where a dynamic array ends
  const int64_t bytes = dynamic ? std::max<int64_t>(0, behind) : meant->bytes;

  // Accesses of more than 8 bytes have no elements of their own size: they copy several elements at once.
  const int element = size / std::max<int>(1, inst.vector);
  const bool whole = element <= 8 && at % element == 0;
  std::string what = fmt::format("bytes {} to {}", at, at + size - 1);
  if (size == 1) what = fmt::format("byte {}", at);
  if (whole) {
    what = element == size ? fmt::format("element {}", at / element)
                           : fmt::format("elements {} to {}", at / element, at / element + inst.vector - 1);
  }
  std::string where = fmt::format("the access goes {} past its end", Bytes(at + size - bytes));
  if (at == bytes) where = "just past its end";
  if (at > bytes) where = Bytes(at - bytes) + " past its end";
  if (at < 0) where = Bytes(-at) + " before its start";
  std::string has = fmt::format("{} {} {}", dynamic ? "this launch gives" : name, dynamic ? name : "has", Bytes(bytes));
  if (whole && bytes > 0 && bytes % element == 0) {
    has += fmt::format(" ({} {} of {})", bytes / element, bytes == element ? "element" : "elements", Bytes(element));
  }
  return fmt::format("{} of {} in shared memory, {}: {}", what, name, where, has);
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
