// Loads modules: parses their PTX, lays out their variables, and decodes each kernel once. Tested by every test in
// tests/emulator/exec; linked programs by tests/programs/units.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "grader/demangle/demangle.h"
#include "grader/device_model/gpu_limits.h"
#include "grader/emulator/device_impl.h"
#include "grader/emulator/link_units.h"
#include "grader/emulator/machine/handlers/table.h"
#include "grader/emulator/machine/wave.h"
#include "grader/emulator/program/guarded_locals.h"
#include "grader/emulator/program/program_layout.h"
#include "grader/emulator/ptx/parser.h"

namespace warpgrade::emulator {
namespace {

std::string NameOfKernel(const std::string& mangled) {
  const std::string name = Demangle(mangled);
  return name.starts_with("void ") ? name.substr(5) : name;
}

}  // namespace

Status Device::Impl::LoadVariables(LoadedModule& m) {
  if (Status fits = CheckConstants(m.module, m.name, gpu_limits::kConstantBytes); !fits) return fits;
  for (const ptx::Variable& v : m.module.variables) {
    bool constant = v.space == ptx::Space::kConst;
    if (v.space != ptx::Space::kGlobal && !constant) continue;
    if (v.is_extern && v.initial.empty()) {
      return Error{ErrorKind::kUnsupported,
                   fmt::format("{}: variable {} is only declared (extern), and no unit of the program defines it; "
                               "define it, or compile all of the program's files with -rdc=true",
                               m.name, v.name)};
    }
    const uint64_t bytes = std::max<uint64_t>(v.size, 1);
    Result<uint64_t> at = v.is_managed ? memory.AllocateShared(bytes, MemoryKind::kManaged, v.name)
                                       : memory.Allocate(bytes, v.name, constant);
    if (!at) return at.error();
    m.allocations.push_back(*at);
    m.symbols[v.name] = *at;
    m.variables[v.name] = Describe(*memory.Find(*at));
    m.variables[v.name].bytes = v.size;
    std::memset(memory.Host(*at), 0, v.size);
    memory.MarkWritten(*at, std::max<uint64_t>(v.size, 1));
    std::copy_n(v.initial.begin(), std::min<uint64_t>(v.initial.size(), v.size), memory.Host(*at));
  }
  return Relocate(m);
}

Status Device::Impl::Relocate(LoadedModule& m) {
  for (const ptx::Variable& v : m.module.variables) {
    for (const ptx::Relocation& r : v.relocations) {
      uint64_t value = 0;
      if (auto it = m.symbols.find(r.symbol); it != m.symbols.end()) {
        value = it->second;
      } else {
        for (size_t f = 0; f < m.module.functions.size(); ++f) {
          if (m.module.functions[f].prototype.name == r.symbol) value = kFunctionBase + 16 * (f + 1);
        }
      }
      if (value == 0) {
        return Error{
            ErrorKind::kUnsupported,
            fmt::format("{}: the initialiser of {} names {}, which is not defined here", m.name, v.name, r.symbol)};
      }
      value += static_cast<uint64_t>(r.addend);
      if (r.mask != 0) {
        value = (value & r.mask) >> __builtin_ctzll(r.mask);
      }
      auto at = m.symbols.find(v.name);
      if (at == m.symbols.end() || r.size > 8 || r.offset + static_cast<uint64_t>(r.size) > v.size) continue;
      std::memcpy(memory.Host(at->second + r.offset), &value, static_cast<size_t>(r.size));
    }
  }
  return {};
}

Result<ModuleId> Device::LoadModule(std::string_view ptx, std::string_view name) {
  Result<ptx::Module> parsed = ptx::Parse(ptx);
  if (!parsed) return Error{parsed.error().kind, fmt::format("{}: {}", name, parsed.error().message)};
  return impl_->AddModule(std::move(*parsed), name);
}

Result<ModuleId> Device::LoadProgram(const std::vector<PtxUnit>& units, std::string_view name) {
  std::vector<ParsedUnit> parsed;
  for (const PtxUnit& unit : units) {
    Result<ptx::Module> module = ptx::Parse(unit.ptx);
    if (!module) return Error{module.error().kind, fmt::format("{}: {}", unit.name, module.error().message)};
    parsed.push_back({unit.name, std::move(*module)});
  }
  Result<ptx::Module> linked = LinkUnits(std::move(parsed));
  if (!linked) return linked.error();
  return impl_->AddModule(std::move(*linked), name);
}

Result<ModuleId> Device::Impl::AddModule(ptx::Module parsed, std::string_view name) {
  auto module = std::make_unique<LoadedModule>();
  module->module = std::move(parsed);
  GuardLocals(&module->module);
  module->name = name;
  const Result<int> wave_lanes = WaveLanesOf(module->module, options.runs_wave64);
  if (!wave_lanes) return Error{wave_lanes.error().kind, fmt::format("{}: {}", name, wave_lanes.error().message)};
  module->wave_lanes = *wave_lanes;
  Status loaded = LoadVariables(*module);
  if (!loaded) {
    for (uint64_t a : module->allocations) (void)memory.Free(a);
    return loaded.error();
  }
  modules.push_back(std::move(module));
  return static_cast<ModuleId>(modules.size() - 1);
}

int Device::WaveLanes(ModuleId module) const { return impl_->modules[module]->wave_lanes; }

void Device::UnloadModule(ModuleId id) {
  if (id >= impl_->modules.size() || !impl_->modules[id]->live) return;
  LoadedModule& m = *impl_->modules[id];
  for (uint64_t a : m.allocations) (void)impl_->Free(a);
  m.allocations.clear();
  m.live = false;
}

Result<KernelId> Device::Impl::FindKernel(ModuleId id, std::string_view mangled_name) {
  if (id >= modules.size() || !modules[id]->live) {
    return Error{ErrorKind::kSubmission, "no such module is loaded"};
  }
  for (size_t k = 0; k < kernels.size(); ++k) {
    if (kernels[k].module == id && kernels[k].info.name == mangled_name) return static_cast<KernelId>(k);
  }
  const LoadedModule& m = *modules[id];
  for (const ptx::Function& f : m.module.functions) {
    if (!f.is_entry || !f.has_body || f.prototype.name != mangled_name) continue;
    LoadedKernel kernel;
    kernel.module = id;
    kernel.function = &f;
    kernel.layout = LayOutParameters(f);
    kernel.info.name = f.prototype.name;
    kernel.info.demangled = NameOfKernel(f.prototype.name);
    kernel.info.parameter_sizes = kernel.layout.sizes;
    kernel.info.parameter_offsets = kernel.layout.offsets;
    kernel.info.parameter_bytes = kernel.layout.bytes;
    const bool is_wave = m.wave_lanes == kWaveLanes;
    kernel.program = Decode(m.module, f, m.symbols, is_wave ? WaveHandlers() : MachineHandlers());
    kernel.program->wave_lanes = m.wave_lanes;
    kernel.info.static_shared_bytes = kernel.program->static_shared_bytes;
    const FunctionCode& code = kernel.program->functions[0];
    kernel.info.local_bytes = code.local_bytes - std::min(code.local_bytes, code.guards);
    uint64_t declared = uint64_t{1} * static_cast<uint32_t>(std::max(1, f.max_threads[0])) *
                        static_cast<uint32_t>(std::max(1, f.max_threads[1])) *
                        static_cast<uint32_t>(std::max(1, f.max_threads[2]));
    if (f.max_threads[0] > 0)
      kernel.info.max_threads_per_block = static_cast<uint32_t>(std::min<uint64_t>(1024, declared));
    kernels.push_back(std::move(kernel));
    return static_cast<KernelId>(kernels.size() - 1);
  }
  return Error{ErrorKind::kSubmission, fmt::format("{}: there is no kernel {}", m.name, mangled_name)};
}

Result<KernelId> Device::FindKernel(ModuleId id, std::string_view mangled_name) {
  return impl_->FindKernel(id, mangled_name);
}

const KernelInfo& Device::Kernel(KernelId kernel) const {
  WARPGRADE_CHECK(kernel < impl_->kernels.size());
  return impl_->kernels[kernel].info;
}

Result<AllocationInfo> Device::FindVariable(ModuleId id, std::string_view name) {
  if (id < impl_->modules.size() && impl_->modules[id]->live) {
    const auto& variables = impl_->modules[id]->variables;
    if (auto it = variables.find(std::string(name)); it != variables.end()) return it->second;
  }
  return Error{ErrorKind::kSubmission, fmt::format("there is no device variable {}", name)};
}

}  // namespace warpgrade::emulator
