// What passes between us and bubblewrap beside its command line, over two pipes that the confined program never has:
//
//   bubblewrap -> us   status: {"child-pid": 4711} once the sandbox's first process is there, which then waits
//   us -> bubblewrap   filter: the compiled system call filter, and the end of the pipe; the sandbox is set up
//   bubblewrap -> us   status: {"exit-code": 0} when the program has ended; not when it was never reached
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "grader/sandbox/descriptor.h"

namespace warpgrade::sandbox {

// Movable; thread-compatible.
class BubblewrapLink {
 public:
  // nullopt with errno when we are out of descriptors.
  static std::optional<BubblewrapLink> Open();

  // Bubblewrap's ends.
  int filter_fd() const { return filter_for_it_.get(); }
  int status_fd() const { return status_from_it_.get(); }

  // Once bubblewrap runs: closes our copies of its ends and sends the filter. Where the program has no process numbers
  // of its own, its number is waited for, as the filter holds it. False when that takes longer than `patience`; a
  // bubblewrap that ended instead is no failure of this.
  bool SendFilter(bool own_processes, std::chrono::milliseconds patience);

  // Whether bubblewrap saw the program end. If not, the sandbox failed before the program was reached, or bubblewrap
  // was killed, which no program can do. REQUIRES: bubblewrap has ended.
  bool ProgramHasEnded();

 private:
  // Adds what can be read without waiting. False at the end of the pipe.
  bool ReadStatus();

  Descriptor filter_for_it_, filter_;
  Descriptor status_from_it_, status_;
  std::string told_;  // by bubblewrap so far
};

}  // namespace warpgrade::sandbox
