#include "grader/cudart/device_link.h"

namespace warpgrade::cudart {

Backend& DeviceLink::backend() {
  if (!backend_) {
    backend_ = open_();
    static_cast<void>(backend_->Facts(&facts_));  // if the connection is lost, every later call says so
  }
  return *backend_;
}

const DeviceFacts& DeviceLink::facts() {
  backend();
  return facts_;
}

void DeviceLink::Order(OrderOp op, uint64_t stream, uint64_t object) {
  orders_ = orders_ || stream != StreamUse::kLegacy;
  if (orders_) backend().Order({op, stream, object});
}

void DeviceLink::UseStream(const StreamUse& use) {
  use_ = use;
  orders_ = orders_ || use.stream != StreamUse::kLegacy;
  backend().UseStream(use);
}

}  // namespace warpgrade::cudart
