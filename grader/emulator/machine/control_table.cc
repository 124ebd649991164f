#include "grader/emulator/machine/control_table.h"

#include <iterator>

#include "grader/emulator/checks/happens_before.h"
#include "grader/emulator/machine/barrier.h"
#include "grader/emulator/machine/collectives.h"
#include "grader/emulator/machine/control.h"
#include "grader/emulator/machine/device_heap.h"
#include "grader/emulator/machine/wait_loop.h"

namespace warpgrade::emulator {

HandlerSpan ControlHandlers() {
  static constexpr HandlerEntry kEntries[] = {
      {"bra", Branch},
      {"brx.idx", BranchIndexed},
      {"reconverge", ReconvergenceMarker},
      {"call", Call},
      {"call.indirect", CallIndirect},
      {"ret", Return},
      {"exit", Exit},
      {"trap", Trap},
      {"nanosleep", Yield},
      {"nothing", Nothing},
      {"unsupported", Unsupported},
      {"call.vprintf", Vprintf},
      {"call.__assertfail", AssertFail},
      {"call.malloc", DeviceMalloc},
      {"call.free", DeviceFree},
      {"fence", Fence},
      {"bra.wait", WaitLoop},
      {"bar.sync", BarrierSync},
      {"bar.arrive", BarrierArrive},
      {"bar.red", BarrierReduce},
      {"bar.warp.sync", WarpSync},
  };
  return {kEntries, std::size(kEntries)};
}

}  // namespace warpgrade::emulator
