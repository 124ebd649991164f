// Tells the device of streams and order, but only once a program has something to order, and keeps the host's guard
// informed of the same steps. Tested by tests/cudart/programs_test.cc and, with programs, by tests/programs.
#include "grader/cudart/device_link.h"

#include "grader/cudart/call_site.h"

namespace warpgrade::cudart {

Backend& DeviceLink::backend() {
  if (!backend_) {
    backend_ = open_();
    static_cast<void>(backend_->Facts(&facts_));  // if the connection is lost, every later call says so
  }
  backend_->NoteCall(call_);
  return *backend_;
}

const DeviceFacts& DeviceLink::facts() {
  backend();
  return facts_;
}

void DeviceLink::AskForFacts() { static_cast<void>(backend().Facts(&facts_)); }

void DeviceLink::Order(OrderOp op, uint64_t stream, uint64_t object) {
  orders_ = orders_ || stream != StreamUse::kLegacy;
  if (!orders_) return;
  TellEarlyAccesses();
  const OrderStep step{op, stream, object, call_};
  guard_.Apply(step);
  backend().Order(step);
}

void DeviceLink::AddHostVisible(DevicePtr base, uint64_t bytes) {
  AddSharedWithHost();
  guard_.Add(base, bytes);
}

void DeviceLink::RemoveHostVisible(DevicePtr base) {
  TellEarlyAccesses();
  guard_.Remove(base);
}

void DeviceLink::Guard(const std::vector<HostVisibleBytes>& used) {
  if (!guard_.HasMemory() || used.empty()) return;
  if (doing_) {
    guard_.Guard(use_.stream, *doing_, used);
  } else {
    guard_.Guard(use_.stream, used);
  }
}

Moment DeviceLink::Reserve(uint64_t stream, uint64_t ticket) {
  if (ticket != 0) Order(OrderOp::kReserve, stream, ticket);
  return guard_.Reserve(stream);
}

void DeviceLink::Do(uint64_t ticket, const Moment& moment) {
  doing_ = moment;
  if (ticket != 0) Order(OrderOp::kDo, use_.stream, ticket);
}

void DeviceLink::Done(uint64_t ticket, bool over) {
  doing_.reset();
  if (ticket == 0) return;
  if (over) {
    Order(OrderOp::kDone, use_.stream, ticket);
  } else {
    Order(OrderOp::kDo, use_.stream, 0);
  }
}

void DeviceLink::HostWaited() {
  if (orders_) guard_.Apply({OrderOp::kHostWaitsStream, use_.stream, 0});
}

void DeviceLink::TellEarlyAccesses() {
  for (const EarlyAccess& access : guard_.Take()) {
    const OrderOp op = access.writes ? OrderOp::kHostWrites : OrderOp::kHostReads;
    backend().Order({op, access.stream, access.address, PlaceOfAccess(access.instruction, access.top_of_stack)});
  }
}

void DeviceLink::UseStream(const StreamUse& use) {
  TellEarlyAccesses();
  use_ = use;
  orders_ = orders_ || use.stream != StreamUse::kLegacy;
  backend().UseStream(use);
}

}  // namespace warpgrade::cudart
