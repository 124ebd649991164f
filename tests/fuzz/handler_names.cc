// Stands in for the table of lane-wise handlers when the decoder is fuzzed: every key has one, and it does nothing.
#include "grader/emulator/handlers/table.h"

namespace warpgrade::emulator {

Handler FindHandler(const char*) {
  return [](Exec&, const Inst&) {};
}
bool IsLaneWise(Handler) { return true; }
const char* const* AllHandlerKeys(size_t* count) {
  *count = 0;
  return nullptr;
}

}  // namespace warpgrade::emulator
