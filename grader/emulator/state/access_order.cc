#include "grader/emulator/state/access_order.h"

namespace warpgrade::emulator {

void WarpOrder::Start() {
  tick = full_sync = 0;
  partial_count = 0;
  fenced = fresh[0] = fresh[1] = 0;
}

void WarpOrder::NextEpoch() {
  tick = full_sync = 0;
  partial_count = 0;
}

void BlockOrder::Start() {
  if (partial_used) {
    for (auto& row : seen) row.fill(0);
    for (auto& row : arriving) row.fill(0);
  }
  partial_used = false;
  fence_in_epoch[0] = fence_in_epoch[1] = fenced_before[0] = fenced_before[1] = 0;
  acquired = nullptr;
  unfenced.clear();
}

}  // namespace warpgrade::emulator
