// libFuzzer target: whatever compilers say of a student's text (its own names and lines are in it), what is passed on
// is printable and bounded. The first byte decides whose words they are.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "grader/build/diagnostics.h"
#include "grader/result/result.h"

namespace {

constexpr size_t kLongestText = 64 << 10;

void CheckText(const std::string& text) {
  WARPGRADE_CHECK(text.size() <= kLongestText);
  WARPGRADE_CHECK(std::none_of(text.begin(), text.end(),
                               [](unsigned char c) { return (c < ' ' && c != '\n' && c != '\t') || c == 0x7F; }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view output(reinterpret_cast<const char*>(data + 1), size - 1);
  if (data[0] % 2 == 0) {
    CheckText(warpgrade::build::CompilerDiagnostics(output, "/tmp/work", "v1.cu(17)", 3));
  } else {
    CheckText(warpgrade::build::LinkDiagnostics(output, "v1_naive.cu", "/tmp/work/v1_naive.o", "labs/lab1/lab1.h", 3));
  }
  return 0;
}
