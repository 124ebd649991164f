// Collects the handlers of one instruction set and those that are compiled once in one table by key. Tested by
// tests/emulator/isa_test.cc and tests/emulator/exec/completeness_test.cc.
#include "grader/emulator/machine/handlers/table.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grader/emulator/machine/async_copy.h"
#include "grader/emulator/machine/child_launch.h"
#include "grader/emulator/machine/collectives.h"
#include "grader/emulator/machine/control_table.h"
#include "grader/emulator/machine/handlers/isa.h"
#include "grader/emulator/machine/rounding.h"
#include "grader/emulator/machine/stack.h"
#include "grader/result/result.h"

namespace warpgrade::emulator {
namespace {

class Table : public HandlerTable {
 public:
  std::unordered_map<std::string_view, Handler> handlers;
  std::vector<const char*> keys;
  std::unordered_map<Handler, RunRole> roles;  // those that have one

  Handler Find(const char* key) const override {
    const auto it = handlers.find(key);
    return it == handlers.end() ? nullptr : it->second;
  }
  RunRole RoleOf(Handler handler) const override {
    const auto it = roles.find(handler);
    return it == roles.end() ? RunRole::kNone : it->second;
  }

  // `tested`: a test of the instruction's forms must cover these keys (AllHandlerKeys).
  void Add(HandlerSpan span, bool tested = true) {
    for (size_t k = 0; k < span.count; ++k) {
      bool added = handlers.emplace(span.entries[k].key, span.entries[k].handler).second;
      WARPGRADE_CHECK(added);  // no key is listed twice
      if (tested) keys.push_back(span.entries[k].key);
    }
  }
};

#define WARPGRADE_ADD_ALL(table, isa)       \
  do {                                      \
    table.Add(isa::IntegerHandlers());      \
    table.Add(isa::BitHandlers());          \
    table.Add(isa::FloatHandlers());        \
    table.Add(isa::HalfHandlers());         \
    table.Add(isa::CompareHandlers());      \
    table.Add(isa::ConvertHandlers());      \
    table.Add(isa::NarrowHandlers());       \
    table.Add(isa::VideoHandlers());        \
    table.Add(isa::MatrixHandlers());       \
    table.Add(isa::MoveHandlers());         \
    table.Add(isa::GlobalAccessHandlers()); \
    table.Add(isa::SharedAccessHandlers()); \
    table.Add(isa::LocalAccessHandlers());  \
  } while (false)

#if defined(__x86_64__)
// The instruction sets that this build contains.
IsaSet BuildIsas() {
  IsaSet build;
#ifdef WARPGRADE_HAS_AVX2
  build.avx2 = true;
#endif
#ifdef WARPGRADE_HAS_AVX512
  build.avx512 = true;
#endif
  return build;
}

// Adds the widest set that the machine has and this build contains. WARPGRADE_EMULATOR_ISA asks for another one, which
// lets the tests run each of them.
void AddBest(Table& table) {
  const char* wanted = std::getenv("WARPGRADE_EMULATOR_ISA");
  const Result<Isa> isa =
      ChooseIsa(wanted != nullptr ? wanted : "", MachineIsas(), BuildIsas(), WARPGRADE_BUILD_FOLDER);
  if (!isa) {
    std::fprintf(stderr, "warpgrade: %s\n", isa.error().message.c_str());
    std::exit(3);
  }
#ifdef WARPGRADE_HAS_AVX512
  if (*isa == Isa::kAvx512) WARPGRADE_ADD_ALL(table, avx512);
#endif
#ifdef WARPGRADE_HAS_AVX2
  if (*isa == Isa::kAvx2) WARPGRADE_ADD_ALL(table, avx2);
#endif
}
#endif

Table MakeTable() {
  Table table;
#if defined(__x86_64__)
  AddBest(table);
#else
  WARPGRADE_ADD_ALL(table, portable);
#endif
  for (const auto& [key, handler] : table.handlers) table.roles.emplace(handler, RunRole::kInside);
  table.Add(ControlHandlers(), false);
  table.Add(ChildLaunchHandlers(), false);
  table.roles.emplace(table.Find("reconverge"), RunRole::kInside);
  for (const char* last : {"bra", "bra.wait", "bar.sync", "ret", "exit"}) {
    table.roles.emplace(table.Find(last), RunRole::kLast);
  }
  table.Add(CollectiveHandlers());
  table.Add(RoundingHandlers());
  table.Add(AsyncHandlers());
  table.Add(StackHandlers());
  std::sort(table.keys.begin(), table.keys.end(), [](const char* a, const char* b) { return std::string_view(a) < b; });
  return table;
}

const Table& TheTable() {
  static const Table* table = new Table(MakeTable());
  return *table;
}

}  // namespace

const HandlerTable& MachineHandlers() { return TheTable(); }

const char* const* AllHandlerKeys(size_t* count) {
  *count = TheTable().keys.size();
  return TheTable().keys.data();
}

}  // namespace warpgrade::emulator
