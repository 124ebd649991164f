// Runs addr2line on the addresses that the worker sent, in the sandbox and confined as the worker was, and takes the
// first line of the student's own file. Tests: tests/judge/crash_place_test.cc.
#include "grader/judge/crash_place.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <sstream>
#include <string_view>

#include "grader/sandbox/process.h"

namespace warpgrade::judge {
namespace {

constexpr char kAddr2line[] = "/usr/bin/addr2line";  // comes with the linker that made the executable
constexpr uint64_t kNullBytes = 1 << 16;             // up to here, an address is an offset from a null pointer

std::string Hexadecimal(uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

sandbox::ProcessOptions MakeProcess(const CrashSearch& search, const protocol::Crashed& crashed) {
  sandbox::ProcessOptions process;
  process.argv = {kAddr2line, "-i", "-e", search.executable};
  for (int i = 0; i < crashed.code_count; ++i) process.argv.push_back(Hexadecimal(crashed.code[i]));
  process.working_directory = std::string("/");  // GCC 12 at -O3 warns if a literal is assigned directly
  process.environment.push_back("LANG=C");
  // The student could craft debug information that keeps addr2line busy. That costs processor time, and waiting on a
  // busy machine does not. So processor time is the real limit here.
  process.limits.wall_ms = 60'000;
  process.limits.cpu_s = 5;
  process.limits.memory_bytes = int64_t{512} << 20;
  process.limits.processes = 1;
  if (search.isolation.confine) {
    process.confinement.emplace();
    process.confinement->read_only = {search.executable};
    process.confinement->hidden = search.isolation.hidden;
  }
  return process;
}

}  // namespace

std::string FirstLineOf(const std::string& source, const std::string& printed) {
  std::istringstream lines(printed);
  for (std::string line; std::getline(lines, line);) {  // "/folder/v1_naive.cu:23 (discriminator 2)", or "??:0"
    const size_t colon = line.rfind(':');
    if (colon == std::string::npos) continue;
    std::string_view file = std::string_view(line).substr(0, colon);
    if (const size_t slash = file.rfind('/'); slash != std::string_view::npos) file.remove_prefix(slash + 1);
    int number = 0;
    std::from_chars(line.data() + colon + 1, line.data() + line.size(), number);
    if (file == source && number > 0) return source + ":" + std::to_string(number);
  }
  return "";
}

std::string FindCrashLine(const CrashSearch& search, const protocol::Crashed& crashed) {
  const bool sensible = crashed.code_count > 0 && crashed.code_count <= protocol::kMaxCrashCode;
  if (!sensible || access(kAddr2line, X_OK) != 0) return "";
  const Result<sandbox::ProcessResult> ran = sandbox::RunProcess(MakeProcess(search, crashed));
  return ran && ran->succeeded() ? FirstLineOf(search.source, ran->output) : "";
}

std::string ExplainCrash(const protocol::Crashed& crashed, const std::string& line, const std::string& device_memory) {
  const std::string who = line.empty() ? "it" : line;
  if (crashed.signal == SIGFPE) return line.empty() ? "" : who + ": is a size or a block count 0 for some n?";
  if (crashed.signal != SIGSEGV) return line.empty() ? "" : "in " + who;
  if (crashed.address == protocol::kNoAddress) {
    return line.empty() ? "" : who + " uses a pointer that was never set, or was overwritten";
  }
  const std::string access =
      who + (crashed.writes != 0 ? " writes to " : " reads ") + Hexadecimal(crashed.address) + ", ";
  if (!device_memory.empty()) {
    return access + "which lies in device memory (" + device_memory +
           "): host code cannot access device memory; access it in a kernel, or copy it with cudaMemcpy";
  }
  if (crashed.address < kNullBytes) {
    return access + "a null pointer, or a little beyond one: is a pointer null for some n?";
  }
  if (line.empty()) return "";
  return access +
         "which is not in host memory: does host code use a device pointer, or an index past the end of an array?";
}

}  // namespace warpgrade::judge
