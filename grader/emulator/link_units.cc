// Each unit's names are first made unique or common to all, in place. Then the units are put one behind the other.
// Tested by tests/emulator/link_units_test.cc, and by the programs in tests/programs/linked.
#include "grader/emulator/link_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "grader/demangle/demangle.h"
#include "grader/emulator/program/device_runtime.h"

namespace warpgrade::emulator {
namespace {

using ptx::Function;
using ptx::Operand;
using ptx::Space;
using ptx::Variable;

constexpr size_t kMaxUndefined = 5;  // in a message

// The size of a dynamic shared array is that of the launch, and no unit defines it.
bool IsDynamicShared(const Variable& v) { return v.space == Space::kShared && v.is_extern && v.size == 0; }

// `.extern .shared .b8 a[8]` defines nothing, `.extern .global .u32 x = 1` does.
bool IsDefinition(const Variable& v) { return !v.is_extern || !v.initial.empty(); }

const char* NameOf(Space space) {
  return space == Space::kConst ? "__constant__" : space == Space::kShared ? "__shared__" : "__device__";
}

// A symbol that is known in all units.
struct Symbol {
  size_t unit = 0;  // which defines it
  bool is_function = false;
  bool is_weak = false;
  Space space = Space::kNone;
};

class Linker {
 public:
  explicit Linker(std::vector<ParsedUnit> units) : units_(std::move(units)) {}

  Result<ptx::Module> Run() {
    for (size_t u = 0; u < units_.size(); ++u) {
      if (Status status = AddDefinitions(u); !status) return status.error();
    }
    for (size_t u = 0; u < units_.size(); ++u) {
      if (Status status = CheckDeclarations(u); !status) return status.error();
      RenameLocals(u);
    }
    if (Status status = CheckDefined(); !status) return status.error();
    for (size_t u = 0; u < units_.size(); ++u) Append(u);
    linked_.is_linked = true;
    return std::move(linked_);
  }

 private:
  Status Define(const std::string& name, const Symbol& symbol) {
    const auto [place, is_new] = symbols_.try_emplace(name, symbol);
    if (is_new || symbol.is_weak) return {};
    if (!place->second.is_weak) {
      return Error{ErrorKind::kSubmission,
                   fmt::format("{} is defined in {} and in {}; define it in one of them, and declare it with extern in "
                               "the other one",
                               Demangle(name), units_[place->second.unit].name, units_[symbol.unit].name)};
    }
    place->second = symbol;
    return {};
  }

  Status AddDefinitions(size_t u) {
    const ptx::Module& module = units_[u].module;
    for (const Variable& v : module.variables) {
      if (!v.is_visible || !IsDefinition(v)) continue;
      if (Status status = Define(v.name, {u, false, v.is_weak, v.space}); !status) return status;
    }
    for (const Function& f : module.functions) {
      if (!f.has_body || !(f.is_visible || f.is_entry)) continue;
      if (Status status = Define(f.prototype.name, {u, true, f.is_weak}); !status) return status;
    }
    return {};
  }

  // A unit cannot use a symbol as something that it is not.
  Status CheckDeclarations(size_t u) {
    for (const Variable& v : units_[u].module.variables) {
      if (IsDefinition(v) || IsDynamicShared(v)) continue;
      const auto found = symbols_.find(v.name);
      if (found == symbols_.end() || (!found->second.is_function && found->second.space == v.space)) continue;
      return Error{
          ErrorKind::kSubmission,
          fmt::format("{} is a {} variable in {}, but {} in {}; declare it as it is defined", Demangle(v.name),
                      NameOf(v.space), units_[u].name,
                      found->second.is_function ? "a function" : fmt::format("{}", NameOf(found->second.space)),
                      units_[found->second.unit].name)};
    }
    return {};
  }

  // Gives what belongs to the unit `u` a name of its own.
  void RenameLocals(size_t u) {
    std::unordered_map<std::string, std::string> renamed;
    const auto take = [&](const std::string& name) {
      if (taken_.insert(name).second && !symbols_.contains(name)) return;
      renamed[name] = fmt::format("{}@{}", name, u + 1);  // no PTX has an @ in a name
    };
    ptx::Module& module = units_[u].module;
    for (const Variable& v : module.variables) {
      if (!v.is_visible && IsDefinition(v)) take(v.name);
    }
    std::unordered_set<std::string> declared;  // a local function may be declared before its body
    for (const Function& f : module.functions) {
      if (f.has_body && !f.is_visible && !f.is_entry && declared.insert(f.prototype.name).second) {
        take(f.prototype.name);
      }
    }
    if (!renamed.empty()) Rename(module, renamed);
  }

  static void Rename(ptx::Module& module, const std::unordered_map<std::string, std::string>& renamed) {
    const auto rename = [&renamed](std::string& name) {
      if (const auto found = renamed.find(name); found != renamed.end()) name = found->second;
    };
    const auto rename_operand = [&rename](Operand& o, const auto& self) -> void {
      if (o.variable < 0 && (o.kind == ptx::OperandKind::kSymbol || o.kind == ptx::OperandKind::kAddress)) {
        rename(o.name);
      }
      for (Operand& element : o.elements) self(element, self);
    };
    const auto rename_relocations = [&rename](std::vector<Variable>& variables) {
      for (Variable& v : variables) {
        for (ptx::Relocation& r : v.relocations) rename(r.symbol);
      }
    };
    for (Variable& v : module.variables) rename(v.name);
    rename_relocations(module.variables);
    for (Function& f : module.functions) {
      rename(f.prototype.name);
      rename_relocations(f.variables);
      for (ptx::Instruction& i : f.body) {
        for (std::vector<Operand>* operands : {&i.operands, &i.call_returns, &i.call_arguments}) {
          for (Operand& o : *operands) rename_operand(o, rename_operand);
        }
        rename_operand(i.callee, rename_operand);
      }
    }
  }

  Status CheckDefined() const {
    std::vector<std::string> missing;
    std::unordered_set<std::string> told;
    for (const ParsedUnit& unit : units_) {
      for (const Variable& v : unit.module.variables) {
        if (IsDefinition(v) || IsDynamicShared(v) || symbols_.contains(v.name) || !told.insert(v.name).second) continue;
        missing.push_back(fmt::format("the {} variable {} (used in {})", NameOf(v.space), Demangle(v.name), unit.name));
      }
      for (const Function& f : unit.module.functions) {
        const std::string& name = f.prototype.name;
        if (f.has_body || IsDeviceFunction(name) || symbols_.contains(name) || HasBody(unit.module, name)) continue;
        if (told.insert(name).second) {
          missing.push_back(fmt::format("the device function {} (used in {})", Demangle(name), unit.name));
        }
      }
    }
    if (missing.empty()) return {};
    std::string all;
    for (size_t k = 0; k < std::min(missing.size(), kMaxUndefined); ++k) all += (k == 0 ? "" : ", ") + missing[k];
    if (missing.size() > kMaxUndefined) all += fmt::format(" and {} more", missing.size() - kMaxUndefined);
    return Error{ErrorKind::kSubmission,
                 fmt::format("no unit of the program defines {}; name the file that defines it in the command that "
                             "links the program, and compile that file with -rdc=true, too",
                             all)};
  }

  static bool HasBody(const ptx::Module& module, const std::string& name) {
    return std::any_of(module.functions.begin(), module.functions.end(),
                       [&name](const Function& f) { return f.has_body && f.prototype.name == name; });
  }

  // True if the program's symbol `name` is that of another unit than `u`.
  bool IsOfAnother(const std::string& name, bool is_visible, size_t u) const {
    const auto found = is_visible ? symbols_.find(name) : symbols_.end();
    return found != symbols_.end() && found->second.unit != u;
  }

  void Append(size_t u) {
    ptx::Module& module = units_[u].module;
    if (linked_.target < module.target) linked_.target = module.target;
    linked_.version_major = std::max(linked_.version_major, module.version_major);
    linked_.version_minor = std::max(linked_.version_minor, module.version_minor);
    for (Variable& v : module.variables) {
      const bool is_dynamic = IsDynamicShared(v);
      if (is_dynamic ? !dynamic_.insert(v.name).second : !IsDefinition(v)) continue;
      if (!IsOfAnother(v.name, v.is_visible, u)) linked_.variables.push_back(std::move(v));
    }
    const auto file_base = static_cast<int32_t>(linked_.files.size());
    const auto location_base = static_cast<int32_t>(linked_.locations.size());
    std::move(module.files.begin(), module.files.end(), std::back_inserter(linked_.files));
    for (std::vector<ptx::SourceFrame>& chain : module.locations) {
      for (ptx::SourceFrame& frame : chain) {
        if (frame.file >= 0) frame.file += file_base;
      }
      linked_.locations.push_back(std::move(chain));
    }
    for (Function& f : module.functions) {
      if (!f.has_body && symbols_.contains(f.prototype.name)) continue;
      if (IsOfAnother(f.prototype.name, f.is_visible || f.is_entry, u)) continue;
      for (ptx::Instruction& i : f.body) {
        if (i.location >= 0) i.location += location_base;
      }
      linked_.functions.push_back(std::move(f));
    }
  }

  std::vector<ParsedUnit> units_;
  std::unordered_map<std::string, Symbol> symbols_;
  std::unordered_set<std::string> taken_;    // by what belongs to a unit
  std::unordered_set<std::string> dynamic_;  // shared arrays that are in linked_
  ptx::Module linked_;
};

}  // namespace

Result<ptx::Module> LinkUnits(std::vector<ParsedUnit> units) { return Linker(std::move(units)).Run(); }

}  // namespace warpgrade::emulator
