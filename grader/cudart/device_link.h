// The device behind the API: opened at its first use, with the stream that the current work is in and the emulated time
// that has passed on it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "grader/cudart/device/backend.h"
#include "grader/cudart/device/timeline.h"
#include "grader/cudart/host_guard.h"

namespace warpgrade::cudart {

// Thread-compatible: Runtime::mutex guards it.
class DeviceLink {
 public:
  // `open` makes the device; it is called once, at the first use. Tests give a device of their own.
  explicit DeviceLink(std::function<std::unique_ptr<Backend>()> open) : open_(std::move(open)) {}

  Backend& backend();
  // What kind of device it is. A device that is lost has the default GPU's facts.
  const DeviceFacts& facts();
  // Asks for the facts again, because some of them may change.
  void AskForFacts();

  // The place in the program of the API call that runs now (call_site.h). The work and the steps that follow are of
  // this call.
  void EnterCall(uint64_t place) { call_ = place; }
  uint64_t call() const { return call_; }
  // Tells the device that this call failed, if there is a device yet.
  void CallFailed(cudaError_t error, std::string_view why) {
    if (backend_) backend().CallFailed(error, why);
  }

  // Tells the device which stream the work that follows is in (Backend::UseStream).
  void UseStream(const StreamUse& use);
  // The value of the last UseStream call.
  const StreamUse& use() const { return use_; }
  // Tells the device of a call that orders streams or the host (Backend::Order). A program that never had a stream but
  // the default one, nor memory that the host reaches too, has nothing to order, and costs nothing here.
  void Order(OrderOp op, uint64_t stream = 0, uint64_t object = 0);

  // There is memory that the host reaches too, or a stream beside the default one: then others may write what a kernel
  // waits for.
  bool orders() const { return orders_; }

  // Work in `stream` that is done later has its place in the order here. `ticket`: its number, or 0 if the device has
  // reserved its place.
  Moment Reserve(uint64_t stream, uint64_t ticket);
  // What is done up to Done is part of that work.
  void Do(uint64_t ticket, const Moment& moment);
  void Done(uint64_t ticket, bool over);

  // Memory that is mapped at its device address, and is to be guarded from accesses that come too early (host_guard.h).
  void AddHostVisible(DevicePtr base, uint64_t bytes);
  void RemoveHostVisible(DevicePtr base);
  bool IsHostVisible(DevicePtr address) const { return guard_.Has(address); }
  // The work that was just done in the current stream used these bytes, and the host does not wait for it.
  void Guard(const std::vector<HostVisibleBytes>& used);
  // The same for work that has its place in the order, and is done later.
  void GuardReserved(uint64_t stream, const Moment& moment, const std::vector<HostVisibleBytes>& used) {
    guard_.Guard(stream, moment, used);
  }
  bool HasHostVisible() const { return guard_.HasMemory(); }
  // Memory of the program's own that kernels see a copy of (registered_memory.h). It is not guarded.
  void AddSharedWithHost() { orders_ = host_may_signal_ = true; }
  // The host may wait for a kernel, or a kernel for the host, without a call.
  bool host_may_signal() const { return host_may_signal_; }
  // The host waited for it, as a synchronous copy does.
  void HostWaited();
  // Tells the device of the accesses that came too early.
  void TellEarlyAccesses();

  // The device's clock. Each launch and each copy moves it on by the time of time_model.h.
  uint64_t clock_ns() const { return clock_ns_; }
  void Advance(uint64_t ns) { clock_ns_ += ns; }

 private:
  std::function<std::unique_ptr<Backend>()> open_;
  std::unique_ptr<Backend> backend_;
  DeviceFacts facts_;
  StreamUse use_;
  uint64_t call_ = 0;
  bool orders_ = false;  // there has been a stream, or memory that the host reaches too
  bool host_may_signal_ = false;
  HostGuard guard_;
  std::optional<Moment> doing_;  // the moment of work that is done later
  uint64_t clock_ns_ = 0;
};

}  // namespace warpgrade::cudart
