// The two pipes between us and bubblewrap. The confined program never gets them.
//
//   bubblewrap -> us   status: {"child-pid": 4711} when the sandbox's first process exists; that process then waits
//   us -> bubblewrap   filter: the compiled system call filter, then the end of the pipe; then the sandbox is set up
//   bubblewrap -> us   status: {"exit-code": 0} when the program has ended; nothing when it was never reached
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "grader/sandbox/descriptor.h"

namespace warpgrade::sandbox {

// Movable; thread-compatible.
class BubblewrapLink {
 public:
  // Makes both pipes. nullopt, with errno set, when we are out of descriptors.
  static std::optional<BubblewrapLink> Open();

  // Bubblewrap's ends.
  int filter_fd() const { return filter_for_it_.get(); }
  int status_fd() const { return status_from_it_.get(); }

  // Closes our copies of bubblewrap's ends and sends the filter. Without process numbers of its own, the filter
  // contains the program's number, so this waits for that number first. False when the wait is longer than `patience`;
  // a bubblewrap that has ended counts as success. REQUIRES: bubblewrap was started.
  bool SendFilter(bool own_processes, std::chrono::milliseconds patience);

  // True when bubblewrap saw the program end. Otherwise the sandbox failed before the program was reached, or
  // bubblewrap was killed, which a confined program cannot do. REQUIRES: bubblewrap has ended.
  bool ProgramHasEnded();

 private:
  // Adds to told_ what can be read without waiting. False at the end of the pipe.
  bool ReadStatus();

  Descriptor filter_for_it_, filter_;
  Descriptor status_from_it_, status_;
  std::string told_;  // what bubblewrap has written so far
};

}  // namespace warpgrade::sandbox
