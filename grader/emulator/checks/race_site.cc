#include "grader/emulator/checks/race_site.h"

namespace warpgrade::emulator {

RaceSite SiteOf(const Program& program, uint32_t inst_a, uint32_t inst_b) {
  RaceSite site;
  const InstOrigin& a = program.origins[inst_a];
  const InstOrigin& b = program.origins[inst_b];
  if (a.instruction == nullptr || b.instruction == nullptr || a.function != b.function) return site;
  const ptx::Function* function = program.functions[static_cast<size_t>(a.function)].function;
  if (function == nullptr) return site;
  const ptx::Instruction* body = function->body.data();
  const auto inside = [&](const ptx::Instruction* i) { return i >= body && i < body + function->body.size(); };
  if (!inside(a.instruction) || !inside(b.instruction)) return site;
  site.function = function;
  site.a = static_cast<int32_t>(a.instruction - body);
  site.b = static_cast<int32_t>(b.instruction - body);
  return site;
}

}  // namespace warpgrade::emulator
