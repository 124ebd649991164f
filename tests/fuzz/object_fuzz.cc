// libFuzzer target: whatever an object file holds that a student's text was compiled to, reading its symbols ends, in
// names that lie within it or in an error; and so does reading them as C++ names, against the list of what is allowed.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "grader/build/allowance.h"
#include "grader/build/object_symbols.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view object(reinterpret_cast<const char*>(data), size);
  const auto symbols = warpgrade::build::ReadObjectSymbols(object);
  if (!symbols) {
    WARPGRADE_CHECK(!symbols.error().message.empty());
    return 0;
  }
  for (const auto* names : {&symbols->undefined, &symbols->defined}) {
    for (const std::string& name : *names) WARPGRADE_CHECK(object.find(name) != std::string_view::npos);
  }
  if (const auto forbidden = warpgrade::build::FindForbiddenSymbol(*symbols, {})) {
    static_cast<void>(warpgrade::build::LineWithWord(object, forbidden->name));
  }
  return 0;
}
