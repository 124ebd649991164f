// Says "done" for a question that was not asked yet.
#include <sys/socket.h>

#include <cstdlib>

#include "grader/worker/protocol.h"
#include "tests/judge/students/student.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  namespace protocol = warpgrade::protocol;
  Double(call);
  const int control = std::atoi(std::getenv(protocol::kControlFdVariable));
  const protocol::Message done = protocol::Encode(protocol::Done(), 1);
  if (send(control, &done, done.bytes(), 0) < 0) std::abort();
}
