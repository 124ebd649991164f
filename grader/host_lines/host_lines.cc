// Tests: tests/host_lines/host_lines_test.cc.
#include "grader/host_lines/host_lines.h"

#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <sstream>
#include <utility>

#include "grader/result/result.h"
#include "grader/sandbox/process.h"

namespace warpgrade::host_lines {
namespace {

constexpr char kAddr2line[] = "/usr/bin/addr2line";  // comes with the linker that made the program

std::string Hexadecimal(uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace

std::string AskAddr2line(const std::string& program, std::span<const uint64_t> addresses,
                         const std::optional<sandbox::Confinement>& confinement) {
  if (addresses.empty() || access(kAddr2line, X_OK) != 0) return "";
  sandbox::ProcessOptions process;
  process.argv = {kAddr2line, "-i", "-e", program};
  for (const uint64_t address : addresses) process.argv.push_back(Hexadecimal(address));
  process.working_directory = std::string("/");  // GCC 12 at -O3 warns if a literal is assigned directly
  process.environment.push_back("LANG=C");
  // Debug information may be crafted so that it keeps addr2line busy. That costs processor time, and waiting on a busy
  // machine does not. So processor time is the real limit here.
  process.limits.wall_ms = 60'000;
  process.limits.cpu_s = 5;
  process.limits.memory_bytes = int64_t{512} << 20;
  process.limits.processes = 1;
  process.confinement = confinement;
  const Result<sandbox::ProcessResult> ran = sandbox::RunProcess(process);
  return ran && ran->succeeded() ? ran->output : "";
}

std::vector<SourceLine> LinesIn(const std::string& printed) {
  std::vector<SourceLine> found;
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {  // "/folder/v1_naive.cu:23 (discriminator 2)", or "??:0"
    const size_t colon = line.rfind(':');
    if (colon == std::string::npos || colon == 0) continue;
    int number = 0;
    std::from_chars(line.data() + colon + 1, line.data() + line.size(), number);
    if (number > 0) found.push_back({line.substr(0, colon), number});
  }
  return found;
}

}  // namespace warpgrade::host_lines
