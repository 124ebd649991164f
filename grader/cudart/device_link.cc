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

void DeviceLink::UseStream(const StreamUse& use) {
  use_ = use;
  backend().UseStream(use);
}

}  // namespace warpgrade::cudart
