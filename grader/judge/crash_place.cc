// Looks up the addresses that the worker sent, confined as the worker was, and takes the first line of the student's
// own file. Tests: tests/judge/crash_place_test.cc.
#include "grader/judge/crash_place.h"

#include <csignal>
#include <cstdio>
#include <optional>

#include "grader/sandbox/confinement.h"

namespace warpgrade::judge {
namespace {

constexpr uint64_t kNullBytes = 1 << 16;  // up to here, an address is an offset from a null pointer

std::string Hexadecimal(uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace

std::string AskAbout(const CrashSearch& search, std::span<const uint64_t> addresses) {
  std::optional<sandbox::Confinement> confinement;
  if (search.isolation.confine) {
    confinement.emplace();
    confinement->read_only = {search.executable};
    confinement->hidden = search.isolation.hidden;
    confinement->namespaces = search.isolation.namespaces;
  }
  return host_lines::AskAddr2line(search.executable, addresses, confinement);
}

host_lines::SourceLine FirstLineOf(const std::string& source, const std::string& printed) {
  for (const host_lines::SourceLine& line : host_lines::LinesIn(printed)) {
    if (line.file.substr(line.file.rfind('/') + 1) == source) return {source, line.line};
  }
  return {};
}

std::string FindCrashLine(const CrashSearch& search, const protocol::Crashed& crashed) {
  if (crashed.code_count <= 0 || crashed.code_count > protocol::kMaxCrashCode) return "";
  const std::string printed = AskAbout(search, std::span(crashed.code).first(static_cast<size_t>(crashed.code_count)));
  const host_lines::SourceLine line = FirstLineOf(search.source, printed);
  return line.file.empty() ? "" : line.file + ":" + std::to_string(line.line);
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
