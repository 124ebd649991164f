// libFuzzer target: whatever parses decodes, every kernel of it, to a program or to instructions that say what is
// missing. Branches stay inside of the code and rows inside of the frame; nothing runs.
#include <cstddef>
#include <cstdint>
#include <string_view>

#ifdef FUZZ_REAL_HANDLERS
#include "grader/emulator/machine/handlers/table.h"
#endif
#include "grader/emulator/program/decode.h"
#include "grader/emulator/ptx/parser.h"

namespace {

using warpgrade::emulator::FunctionCode;
using warpgrade::emulator::Inst;

void CheckCode(const FunctionCode& f) {
  const auto size = static_cast<int32_t>(f.code.size());
  for (const Inst& i : f.code) {
    WARPGRADE_CHECK(i.handler != nullptr);
    WARPGRADE_CHECK(i.reconverge < size);
    WARPGRADE_CHECK(i.dst < f.frame_bytes && i.a < f.frame_bytes && i.b < f.frame_bytes && i.c < f.frame_bytes);
    WARPGRADE_CHECK(i.guard < static_cast<int64_t>(f.frame_bytes));
  }
  for (const auto& table : f.branch_tables) {
    for (int32_t target : table) WARPGRADE_CHECK(target >= 0 && target < size);
  }
  WARPGRADE_CHECK(f.constants.size() <= f.frame_bytes);
}

#ifdef FUZZ_REAL_HANDLERS
const warpgrade::emulator::HandlerTable& Handlers() { return warpgrade::emulator::MachineHandlers(); }
#else
// Every key has a handler, and it does nothing: decoding needs the names of handlers, not what they do.
class EveryKey : public warpgrade::emulator::HandlerTable {
  warpgrade::emulator::Handler Find(const char*) const override {
    return [](warpgrade::emulator::Exec&, const Inst&) {};
  }
  warpgrade::emulator::RunRole RoleOf(warpgrade::emulator::Handler) const override {
    return warpgrade::emulator::RunRole::kInside;
  }
};

const warpgrade::emulator::HandlerTable& Handlers() {
  static const EveryKey handlers;
  return handlers;
}
#endif

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpgrade;
  const auto module = ptx::Parse(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!module.ok()) return 0;
  emulator::SymbolAddresses symbols;
  for (const ptx::Variable& v : module->variables) {
    if (v.space != ptx::Space::kShared) symbols[v.name] = 0x1000000 + 256 * symbols.size();
  }
  int kernels = 0;
  for (const ptx::Function& f : module->functions) {
    // A launch decodes one kernel, so a module of a thousand that all call the same function costs nothing at once.
    if (!f.is_entry || ++kernels > 16) continue;
    const auto program = emulator::Decode(*module, f, symbols, Handlers());
    for (const FunctionCode& code : program->functions) CheckCode(code);
    (void)emulator::UnsupportedInstructions(*program);
  }
  return 0;
}
