// The lines of the student's file from which host calls were made. The worker tells the addresses of the calls, and
// they may be any numbers. They only become lines in messages, and only lines of the student's own file.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "grader/host_lines/host_lines.h"
#include "grader/judge/crash_place.h"

namespace warpgrade::judge {

// Gives the line of a call, whose `file` is "" if the line is not known.
using LineOfCall = std::function<host_lines::SourceLine(uint64_t address)>;

class StudentLines {
 public:
  // However many addresses a worker invents, no more than this many are looked up.
  static constexpr size_t kMostLookedUp = 32;

  explicit StudentLines(CrashSearch search) : search_(std::move(search)) {}

  // Takes milliseconds for a new address.
  host_lines::SourceLine Of(uint64_t address);

 private:
  const CrashSearch search_;
  bool failed_ = false;  // addr2line did not end
  std::map<uint64_t, host_lines::SourceLine> known_;
};

}  // namespace warpgrade::judge
