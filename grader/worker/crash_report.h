// Lets a program that crashes say where, before the signal ends it as it would have anyway.
#pragma once

namespace warpgrade::worker {

// From now on a segmentation fault, bus error, division by zero or illegal instruction sends protocol::Crashed to
// `control` first. To be called once, on the main thread, from the function that everything else is called from.
void ReportCrashes(int control);

}  // namespace warpgrade::worker
