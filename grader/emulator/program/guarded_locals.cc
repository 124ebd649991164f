// nvcc without optimisation takes the address of the .local variable once, into %SPL, and as a generic address into
// %SP. All else is %SP plus a constant: [%SP+8] in an access, or add.u64 %rd1, %SP, 8. So it is enough to change the
// constants. Optimised code also uses %SPL; there, the debug data of a pointer may tell the place that it points to.
// Tested by tests/emulator/exec/guarded_locals_test.cc.
#include "grader/emulator/program/guarded_locals.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "grader/emulator/program/operand_registers.h"

namespace warpgrade::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::OperandKind;
using ptx::SourceVariable;

// Of the unused bytes: an index is often wrong by up to twice the length of its array.
constexpr uint64_t kWidestGuard = 2048, kNarrowestGuard = 64;
constexpr uint64_t kAlignment = 16;         // offsets keep their place within so many bytes
constexpr uint64_t kMostBytes = 64 * 1024;  // of a thread in one call; more is left as it is

uint64_t GuardOf(const SourceVariable& part) { return std::clamp(2 * part.bytes, kNarrowestGuard, kWidestGuard); }

// A constant in the code that is added to the address of the variable.
struct Constant {
  Operand* operand = nullptr;
  bool is_pointer = false;  // of an access to 8 bytes

  uint64_t Offset() const { return operand->kind == OperandKind::kImmediate ? operand->bits : operand->offset; }
  void Set(uint64_t offset) const {
    if (operand->kind == OperandKind::kImmediate) {
      operand->bits = offset;
    } else {
      operand->offset = static_cast<int64_t>(offset);
    }
  }
};

// All places of one .local variable in a function; nothing if it is used in another way, too.
class PlaceSearch {
 public:
  PlaceSearch(ptx::Function* function, int32_t variable)
      : function_(function), variable_(variable), is_base_(function->registers.size(), 0) {}

  std::optional<std::vector<Constant>> Run() {
    // The address is taken at the start of the function, so that one pass in the order of the code sees it first.
    for (Instruction& i : function_->body) {
      if (TakesAddress(i)) {
        const int32_t to = i.operands[0].reg;
        if (i.guard >= 0 || is_base_[Index(to)] != 0) return std::nullopt;
        is_base_[Index(to)] = i.opcode == "mov" ? kLocalBase : kGenericBase;
      } else if (!Visit(&i)) {
        return std::nullopt;
      }
    }
    return places_;
  }

 private:
  static constexpr char kLocalBase = 1, kGenericBase = 2;  // %SPL, %SP

  static size_t Index(int32_t k) { return static_cast<size_t>(k); }
  bool IsBase(const Operand& o) const { return o.kind == OperandKind::kRegister && is_base_[Index(o.reg)] != 0; }
  bool IsGeneric(const Operand& o) const {
    return o.kind == OperandKind::kRegister && is_base_[Index(o.reg)] == kGenericBase;
  }
  bool IsVariable(const Operand& o) const {
    return (o.kind == OperandKind::kSymbol || o.kind == OperandKind::kAddress) && o.variable == variable_;
  }

  static bool IsOf8Bytes(const Instruction& i) { return i.Has("u64") || i.Has("b64") || i.Has("s64"); }

  // mov.u64 %SPL, __local_depot0; or cvta.local.u64 %SP, %SPL;
  bool TakesAddress(const Instruction& i) const {
    if (i.operands.size() != 2 || i.operands[0].kind != OperandKind::kRegister) return false;
    const Operand& from = i.operands[1];
    if (i.opcode == "mov") return IsVariable(from) && from.kind == OperandKind::kSymbol && from.offset == 0;
    return i.opcode == "cvta" && !i.Has("to") && IsBase(from);
  }

  bool UsesBase(const Operand& o) const {
    bool uses = IsVariable(o);
    ForRegisters(o, [&](int32_t r) { uses = uses || is_base_[Index(r)] != 0; });
    return uses;
  }

  // False if the instruction does something else with the address.
  bool Visit(Instruction* i) {
    const bool adds = i->opcode == "add" && i->operands.size() == 3 && IsGeneric(i->operands[1]) &&
                      i->operands[2].kind == OperandKind::kImmediate && !UsesBase(i->operands[0]);
    if (adds) {
      places_.push_back({&i->operands[2], false});
      return true;
    }
    for (Operand& o : i->operands) {
      if (!UsesBase(o)) continue;
      if (o.kind != OperandKind::kAddress || o.reg < 0 || is_base_[Index(o.reg)] != kGenericBase) return false;
      places_.push_back({&o, IsOf8Bytes(*i)});
    }
    const auto uses = [this](const Operand& o) { return UsesBase(o); };
    return std::none_of(i->call_arguments.begin(), i->call_arguments.end(), uses) &&
           std::none_of(i->call_returns.begin(), i->call_returns.end(), uses) && !UsesBase(i->callee);
  }

  ptx::Function* function_;
  const int32_t variable_;
  std::vector<char> is_base_;  // by register: 0, kLocalBase or kGenericBase
  std::vector<Constant> places_;
};

// Sorted; parts that share bytes become one.
std::vector<SourceVariable> WithoutOverlaps(std::vector<SourceVariable> parts, uint64_t bytes) {
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
  std::vector<SourceVariable> merged;
  for (SourceVariable& part : parts) {
    if (part.offset >= bytes || part.bytes > bytes - part.offset) continue;
    SourceVariable* const last = merged.empty() ? nullptr : &merged.back();
    if (last == nullptr || part.offset >= last->offset + last->bytes) {
      merged.push_back(std::move(part));
    } else {
      if (last->name != part.name) last->name.clear();
      last->bytes = std::max(last->bytes, part.offset + part.bytes - last->offset);
    }
  }
  return merged;
}

// The part that the offset is in; the end of the list if it is in none.
std::vector<SourceVariable>::const_iterator PartAt(const std::vector<SourceVariable>& parts, uint64_t offset) {
  auto after = std::upper_bound(parts.begin(), parts.end(), offset,
                                [](uint64_t at, const SourceVariable& part) { return at < part.offset; });
  if (after == parts.begin()) return parts.end();
  --after;
  return offset - after->offset < after->bytes ? after : parts.end();
}

// The parts and, between them, what the code uses there.
std::vector<SourceVariable> WithGapsInUse(std::vector<SourceVariable> parts, const std::vector<Constant>& places,
                                          uint64_t bytes) {
  std::map<uint64_t, uint64_t> gaps;  // their ends
  for (const Constant& place : places) {
    const uint64_t offset = place.Offset();
    if (PartAt(parts, offset) != parts.end()) continue;
    const auto after = std::upper_bound(parts.begin(), parts.end(), offset,
                                        [](uint64_t at, const SourceVariable& part) { return at < part.offset; });
    const uint64_t begin = after == parts.begin() ? 0 : std::prev(after)->offset + std::prev(after)->bytes;
    gaps[begin] = after == parts.end() ? bytes : after->offset;
  }
  for (const auto& [begin, end] : gaps) parts.push_back({"", begin, end - begin});
  std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.offset < b.offset; });
  return parts;
}

// The same parts, moved apart. `*bytes`: where the last one's guard ends.
std::vector<SourceVariable> Apart(std::vector<SourceVariable> parts, uint64_t* bytes) {
  uint64_t end = 0, guard = 0;  // of the part before
  for (SourceVariable& part : parts) {
    const uint64_t at = end + std::max(guard, GuardOf(part));
    const uint64_t within = part.offset % kAlignment;
    part.offset = (at - within + kAlignment - 1) / kAlignment * kAlignment + within;
    end = part.offset + part.bytes;
    guard = GuardOf(part);
  }
  *bytes = end + guard;
  return parts;
}

// Where a place is when the parts have moved. REQUIRES: it is in a part.
uint64_t Moved(uint64_t offset, const std::vector<SourceVariable>& from, const std::vector<SourceVariable>& to) {
  const auto part = PartAt(from, offset);
  return to[static_cast<size_t>(part - from.begin())].offset + (offset - part->offset);
}

// Whether each pointer is in memory itself. Otherwise the debug data is that of optimised code.
bool PointersAreStored(const std::vector<SourceVariable>& parts, const std::vector<Constant>& places) {
  std::set<uint64_t> stored;
  for (const Constant& place : places) {
    if (place.is_pointer) stored.insert(place.Offset());
  }
  return std::all_of(parts.begin(), parts.end(),
                     [&](const SourceVariable& part) { return !part.is_pointer || stored.count(part.offset) != 0; });
}

bool Guard(ptx::Function* function, int32_t index) {
  ptx::Variable& variable = function->variables[static_cast<size_t>(index)];
  const std::optional<std::vector<Constant>> places = PlaceSearch(function, index).Run();
  if (!places || variable.alignment > kAlignment) return false;
  const auto is_outside = [&](const Constant& place) { return place.Offset() >= variable.size; };
  if (std::any_of(places->begin(), places->end(), is_outside)) return false;
  if (!PointersAreStored(variable.parts, *places)) return false;
  const std::vector<SourceVariable> parts =
      WithGapsInUse(WithoutOverlaps(variable.parts, variable.size), *places, variable.size);
  uint64_t bytes = 0;
  std::vector<SourceVariable> apart = Apart(parts, &bytes);
  if (parts.empty() || bytes > kMostBytes) return false;
  for (const Constant& place : *places) place.Set(Moved(place.Offset(), parts, apart));
  variable.parts = std::move(apart);
  variable.guards = bytes - std::min(bytes, variable.size);
  variable.size = bytes;
  variable.alignment = kAlignment;
  return true;
}

// Which functions may call themselves, directly or through others. With guards, such a function would get through its
// stack in fewer calls.
class Recursion {
 public:
  explicit Recursion(const ptx::Module& module) : callees_(module.functions.size()), callers_(module.functions.size()) {
    std::unordered_map<std::string_view, size_t> number;
    for (size_t f = 0; f < module.functions.size(); ++f) {
      if (module.functions[f].has_body) number[module.functions[f].prototype.name] = f;
    }
    may_recur_.assign(module.functions.size(), 1);
    std::vector<char> is_open(module.functions.size(), 0);  // it calls, or is called by, an address
    const auto take_address = [&](const std::string& name) {
      if (const auto found = number.find(name); found != number.end()) is_open[found->second] = 1;
    };
    for (size_t f = 0; f < module.functions.size(); ++f) {
      for (const Instruction& i : module.functions[f].body) {
        for (const Operand& o : i.operands) take_address(o.name);
        if (i.callee.kind == OperandKind::kRegister) is_open[f] = 1;
        const auto called = i.callee.kind == OperandKind::kSymbol ? number.find(i.callee.name) : number.end();
        if (called == number.end()) continue;
        callees_[f].push_back(called->second);
        callers_[called->second].push_back(f);
      }
    }
    for (const ptx::Variable& variable : module.variables) {
      for (const ptx::Relocation& r : variable.relocations) take_address(r.symbol);
    }
    for (size_t f = 0; f < is_open.size(); ++f) is_open[f] &= module.functions[f].is_entry ? 0 : 1;  // nobody calls it
    Peel(callees_, callers_, is_open);
    Peel(callers_, callees_, is_open);
  }

  bool Has(size_t function) const { return may_recur_[function] != 0; }

 private:
  using Lists = std::vector<std::vector<size_t>>;

  // Takes out the functions that reach no other one, again and again. What is left leads into a circle.
  void Peel(const Lists& next, const Lists& before, const std::vector<char>& is_open) {
    std::vector<size_t> left(next.size(), 0), ready;
    for (size_t f = 0; f < next.size(); ++f) {
      for (const size_t other : next[f]) left[f] += may_recur_[other] != 0 ? 1 : 0;
      if (left[f] == 0 && is_open[f] == 0 && may_recur_[f] != 0) ready.push_back(f);
    }
    while (!ready.empty()) {
      const size_t f = ready.back();
      ready.pop_back();
      may_recur_[f] = 0;
      for (const size_t other : before[f]) {
        if (--left[other] == 0 && is_open[other] == 0 && may_recur_[other] != 0) ready.push_back(other);
      }
    }
  }

  Lists callees_, callers_;
  std::vector<char> may_recur_;
};

}  // namespace

void GuardLocals(ptx::Module* module) {
  const auto has_parts = [](const ptx::Function& function) {
    return std::any_of(function.variables.begin(), function.variables.end(),
                       [](const ptx::Variable& variable) { return !variable.parts.empty(); });
  };
  if (std::none_of(module->functions.begin(), module->functions.end(), has_parts)) return;
  const Recursion recursion(*module);
  for (size_t f = 0; f < module->functions.size(); ++f) {
    ptx::Function& function = module->functions[f];
    std::vector<size_t> known;
    for (size_t k = 0; k < function.variables.size(); ++k) {
      if (!function.variables[k].parts.empty()) known.push_back(k);
    }
    // nvcc makes one variable for all.
    if (known.size() == 1 && !recursion.Has(f) && Guard(&function, static_cast<int32_t>(known[0]))) continue;
    for (const size_t k : known) function.variables[k].parts.clear();
  }
}

}  // namespace warpgrade::emulator
