// Finds the functions that a kernel may call, gives shared variables and parameters their offsets, and checks the size
// of constant memory. Tested by shared_access_test.cc, control_test.cc, limits_test.cc and wave_test.cc in
// tests/emulator/exec, and by tests/emulator/hostile_decode_test.cc.
#include "grader/emulator/program/program_layout.h"

#include <fmt/format.h>

#include <cstring>
#include <set>
#include <string>
#include <utility>

#include "grader/emulator/program/decode.h"

namespace warpgrade::emulator {

using ptx::Operand;
using ptx::OperandKind;
using ptx::Space;

uint64_t AlignmentOf(const ptx::Variable& v) {
  uint64_t natural = static_cast<uint64_t>(std::max(1, ptx::SizeOf(v.type)));
  return std::max<uint64_t>(v.alignment, natural);
}

uint32_t Place(const ptx::Variable& v, uint64_t* at) {
  const uint64_t alignment = AlignmentOf(v);
  // Sizes are at most 2^40, so this cannot overflow.
  const uint64_t begin = (*at + alignment - 1) / alignment * alignment;
  *at = begin + v.size;
  return Saturated(begin);
}

// ptxas lays out the variables in their order.
Status CheckConstants(const ptx::Module& module, const std::string& name, uint64_t most) {
  uint64_t bytes = 0;
  const ptx::Variable* largest = nullptr;
  for (const ptx::Variable& v : module.variables) {
    if (v.space != Space::kConst) continue;
    Place(v, &bytes);
    if (largest == nullptr || v.size > largest->size) largest = &v;
  }
  if (bytes <= most) return {};
  return Error{ErrorKind::kSubmission,
               fmt::format("{}: its __constant__ variables need {} bytes, but CUDA allows at most {}; move the largest "
                           "of them, {} ({} bytes), to global memory",
                           name, bytes, most, largest->name, largest->size)};
}

void LayOutShared(Program& program, const std::vector<int32_t>& functions) {
  const ptx::Module& module = *program.module;
  uint64_t at = 0;
  std::vector<std::pair<std::string, const ptx::Variable*>> dynamic;
  auto place = [&](const std::string& name, const ptx::Variable& v) {
    if (v.size == 0) {
      dynamic.emplace_back(name, &v);
      return;
    }
    const uint32_t offset = Place(v, &at);
    program.shared_variables.push_back({name, offset, Saturated(v.size)});
  };
  // Variables at module scope count only if they are used.
  std::set<std::string> used;
  auto visit = [&used](const Operand& o, auto&& self) -> void {
    if (o.variable < 0 && !o.name.empty()) used.insert(o.name);
    for (const Operand& e : o.elements) self(e, self);
  };
  for (int32_t f : functions) {
    const ptx::Function& function = *program.functions[static_cast<size_t>(f)].function;
    for (const ptx::Instruction& i : function.body) {
      for (const Operand& o : i.operands) visit(o, visit);
    }
    for (size_t k = 0; k < function.variables.size(); ++k) {
      if (function.variables[k].space == Space::kShared) place(fmt::format("{}:{}", f, k), function.variables[k]);
    }
  }
  for (const ptx::Variable& v : module.variables) {
    if (v.space == Space::kShared && used.count(v.name) > 0) place(v.name, v);
  }
  uint64_t dynamic_at = at;
  for (const auto& [name, v] : dynamic) {
    const uint64_t alignment = std::max<uint64_t>(AlignmentOf(*v), 16);
    dynamic_at = (dynamic_at + alignment - 1) / alignment * alignment;
  }
  for (const auto& [name, v] : dynamic) program.shared_variables.push_back({name, Saturated(dynamic_at), 0});
  program.static_shared_bytes = Saturated(dynamic.empty() ? at : dynamic_at);
  for (const Program::SharedVariable& v : program.shared_variables) program.shared_offsets.emplace(v.name, v.offset);
}

std::vector<int32_t> Reachable(const Program& program, const ptx::Module& module, const ptx::Function& kernel) {
  std::vector<int32_t> found = {0}, stack;
  std::vector<char> seen(module.functions.size(), 0);
  std::vector<const ptx::Function*> work = {&kernel};
  bool all = false;
  auto add = [&](int32_t f) {
    const ptx::Function& function = module.functions[static_cast<size_t>(f)];
    if (seen[static_cast<size_t>(f)] || !function.has_body || function.is_entry) return;
    seen[static_cast<size_t>(f)] = 1;
    found.push_back(f + 1);
    work.push_back(&function);
  };
  while (!work.empty()) {
    const ptx::Function* f = work.back();
    work.pop_back();
    for (const ptx::Instruction& i : f->body) {
      if (!i.Is(ptx::kCalls)) continue;
      if (i.callee.kind == OperandKind::kRegister) {
        if (!all) {
          all = true;
          for (size_t k = 0; k < module.functions.size(); ++k) add(static_cast<int32_t>(k));
        }
      } else if (auto it = program.function_index.find(i.callee.name); it != program.function_index.end()) {
        add(it->second - 1);
      }
    }
  }
  return found;
}

bool UsesLocalMemory(const Program& program) {
  for (const FunctionCode& f : program.functions) {
    if (f.function == nullptr) continue;
    for (const ptx::Variable& v : f.function->variables) {
      if (v.space == ptx::Space::kLocal) return true;
    }
  }
  return false;
}

Result<int> WaveLanesOf(const ptx::Module& module, bool runs_wave64) {
  for (const ptx::Variable& v : module.variables) {
    if (v.name != "warpgrade_wavefront_lanes") continue;
    uint32_t lanes = 0;
    if (v.initial.size() == sizeof lanes) std::memcpy(&lanes, v.initial.data(), sizeof lanes);
    if (lanes != kWaveLanes) {
      return Error{ErrorKind::kUnsupported,
                   fmt::format("warpgrade_wavefront_lanes is {}; only wavefronts of 64 lanes are emulated, and this "
                               "variable belongs to hip/hip_runtime.h",
                               lanes)};
    }
    if (!runs_wave64) {
      return Error{ErrorKind::kUnsupported,
                   "this program asks for wavefronts of 64 lanes, as HIP programs do; what is graded runs in warps of "
                   "32 lanes: do not include hip/hip_runtime.h"};
    }
    return kWaveLanes;
  }
  return kLanes;
}

}  // namespace warpgrade::emulator
