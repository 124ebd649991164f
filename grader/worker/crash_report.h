// When the program crashes, tells the judge where. The signal then ends the program as it would have anyway.
#pragma once

namespace warpgrade::worker {

// Sends protocol::Crashed to the socket `control` at each later segmentation fault, bus error, division by zero or
// illegal instruction. REQUIRES: called once, on the main thread, by the function that calls all the rest.
void ReportCrashes(int control);

}  // namespace warpgrade::worker
