// Tested by tests/emulator/copy_traffic_test.cc and tests/cudart/device/local_backend_test.cc.
#include "grader/emulator/counters/copy_traffic.h"

namespace warpgrade::emulator {
namespace {

constexpr uint64_t kSectorBytes = 32, kRequestBytes = 128;

}  // namespace

void CopyTraffic::Side::Add(uint64_t address, uint64_t row_bytes) {
  bytes += row_bytes;
  sectors += (address + row_bytes - 1) / kSectorBytes - address / kSectorBytes + 1;
}

void CopyTraffic::Add(const CopyTraffic& other) {
  for (Side CopyTraffic::*side : {&CopyTraffic::loads_, &CopyTraffic::stores_}) {
    (this->*side).bytes += (other.*side).bytes;
    (this->*side).sectors += (other.*side).sectors;
  }
}

Counters CopyTraffic::AsCounters() const {
  Counters c;
  c.global_load_requests = (loads_.bytes + kRequestBytes - 1) / kRequestBytes;
  c.global_load_sectors = loads_.sectors;
  c.global_load_bytes = loads_.bytes;
  c.global_store_requests = (stores_.bytes + kRequestBytes - 1) / kRequestBytes;
  c.global_store_sectors = stores_.sectors;
  c.global_store_bytes = stores_.bytes;
  return c;
}

}  // namespace warpgrade::emulator
