// libFuzzer target: any bytes are a list of entries or an error.
#include <cstddef>
#include <cstdint>
#include <span>

#include "grader/emulator/fatbin/fatbin.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace warpgrade::fatbin;
  const auto entries = Read(std::as_bytes(std::span(data, size)));
  if (!entries.ok()) {
    WARPGRADE_CHECK(!entries.error().message.empty());
    return 0;
  }
  // What it read it also claims, and the choice among the entries is one of them.
  WARPGRADE_CHECK(ClaimedSize(data) <= size);
  for (int arch : {75, 90}) {
    const auto chosen = SelectPtx(*entries, arch);
    if (chosen.ok()) WARPGRADE_CHECK(chosen->kind == Entry::Kind::kPtx && chosen->arch <= arch);
  }
  return 0;
}
