#include "grader/emulator/ptx/opcode.h"

#include <iterator>
#include <unordered_map>

namespace warpgrade::ptx {
namespace {

// One array of forms per opcode. Its first element only ensures that an opcode without forms has an array too.
#define MODIFIER_SET(name, members)
#define OPCODE(name, decoder, traits, ...) constexpr const char* kFormsOf_##name[] = {"" __VA_OPT__(, ) __VA_ARGS__};
#include "grader/emulator/ptx/opcodes.def"
#undef OPCODE

enum Index : size_t {
#define OPCODE(name, decoder, traits, ...) kIndexOf_##name,
#include "grader/emulator/ptx/opcodes.def"
#undef OPCODE
};

constexpr Opcode kOpcodes[] = {
#define OPCODE(name, decoder, traits, ...) \
  {#name, traits, kFormsOf_##name + 1, std::size(kFormsOf_##name) - 1, kIndexOf_##name},
#include "grader/emulator/ptx/opcodes.def"
#undef OPCODE
#undef MODIFIER_SET
};

struct Set {
  std::string_view name;
  const char* members;
};

constexpr Set kSets[] = {
#define OPCODE(name, decoder, traits, ...)
#define MODIFIER_SET(name, members) {#name, members},
#include "grader/emulator/ptx/opcodes.def"
#undef MODIFIER_SET
#undef OPCODE
};

}  // namespace

OpcodeSpan Opcodes() { return {kOpcodes, std::size(kOpcodes)}; }

const Opcode* FindOpcode(std::string_view name) {
  static const auto* by_name = [] {
    auto* map = new std::unordered_map<std::string_view, const Opcode*>;
    for (const Opcode& o : kOpcodes) map->emplace(o.name, &o);
    return map;
  }();
  const auto at = by_name->find(name);
  return at == by_name->end() ? nullptr : at->second;
}

const char* ModifierSet(std::string_view name) {
  for (const Set& s : kSets) {
    if (s.name == name) return s.members;
  }
  return nullptr;
}

}  // namespace warpgrade::ptx
