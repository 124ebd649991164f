// The device runtime: what kernels call to launch kernels, and to make streams and events for them. Kernels of a linked
// program may do so (nvcc -rdc=true). The launches wait in LaunchShared::children.
#pragma once

#include "grader/emulator/machine/handlers/table.h"

namespace warpgrade::emulator {

// The handlers of "call.__cudaCDP2LaunchDeviceV2" and its like.
HandlerSpan ChildLaunchHandlers();

}  // namespace warpgrade::emulator
