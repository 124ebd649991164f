// A branch is a stream to the check of order (order/clocks.h), made at the launch and gone after it. A graph without
// branches costs nothing. Tested by tests/cudart/graph_order_test.cc, and by tests/programs/faulty and tricky.
#include "grader/cudart/graph_order.h"

#include <algorithm>
#include <atomic>

#include "grader/cudart/device_link.h"
#include "grader/cudart/runtime.h"
#include "grader/cudart/streams.h"

namespace warpgrade::cudart {
namespace {

constexpr size_t kMostOrdered = 1000;  // steps of a graph; a larger one counts as one chain

uint64_t TakeNumbers(size_t count) {
  static std::atomic<uint64_t> next{kFirstBranch};
  return next.fetch_add(count);
}

}  // namespace

std::vector<size_t> BranchesOf(const std::vector<GraphStep>& steps) {
  std::vector<size_t> branches(steps.size(), 0);
  if (steps.size() > kMostOrdered) return branches;
  std::vector<bool> goes_on(steps.size(), false);
  size_t count = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    const std::vector<size_t>& after = steps[i].after;
    const auto end = std::find_if(after.begin(), after.end(), [&](size_t earlier) { return !goes_on[earlier]; });
    if (end == after.end()) {
      branches[i] = count++;
    } else {
      branches[i] = branches[*end];
      goes_on[*end] = true;
    }
  }
  return branches;
}

GraphOrder::GraphOrder(Runtime& runtime, cudaStream_t stream, uint64_t exec, const std::vector<GraphStep>& steps)
    : stream_(runtime.streams.IdOf(stream)),
      exec_(exec),
      steps_(steps),
      branches_(BranchesOf(steps)),
      is_awaited_(steps.size(), false) {
  std::vector<size_t> last_of_branch;
  for (size_t i = 0; i < steps.size(); ++i) {
    for (const size_t earlier : steps[i].after) {
      if (branches_[earlier] != branches_[i]) is_awaited_[earlier] = true;
    }
    last_of_branch.resize(std::max(last_of_branch.size(), branches_[i] + 1));
    last_of_branch[branches_[i]] = i;
  }
  runtime.device.Order(OrderOp::kWaitEvent, stream_, exec_);
  count_ = last_of_branch.size();
  if (count_ <= 1) return;
  for (const size_t last : last_of_branch) is_awaited_[last] = true;
  first_branch_ = TakeNumbers(count_);
  first_event_ = TakeNumbers(steps.size() + 1);
  runtime.device.Order(OrderOp::kRecord, stream_, first_event_);
  for (size_t branch = 1; branch < count_; ++branch) {
    runtime.device.Order(OrderOp::kStreamMade, first_branch_ + branch, 0);
    runtime.device.Order(OrderOp::kWaitEvent, first_branch_ + branch, first_event_);
  }
}

uint64_t GraphOrder::Branch(size_t step) const {
  return branches_[step] == 0 ? stream_ : first_branch_ + branches_[step];
}

void GraphOrder::Begin(Runtime& runtime, size_t step) {
  if (count_ <= 1) return;
  for (const size_t earlier : steps_[step].after) {
    if (branches_[earlier] == branches_[step]) continue;
    runtime.device.Order(OrderOp::kWaitEvent, Branch(step), EventOf(earlier));
  }
  runtime.device.Order(OrderOp::kBranch, stream_, branches_[step] == 0 ? 0 : Branch(step));
}

void GraphOrder::End(Runtime& runtime, size_t step, bool on_host) {
  if (on_host) runtime.device.Order(OrderOp::kHostWaitsStream, Branch(step));
  if (count_ > 1 && is_awaited_[step]) runtime.device.Order(OrderOp::kRecord, Branch(step), EventOf(step));
}

void GraphOrder::Finish(Runtime& runtime) {
  if (count_ > 1) {
    runtime.device.Order(OrderOp::kBranch, stream_, 0);
    for (size_t i = 0; i < steps_.size(); ++i) {
      if (!is_awaited_[i]) continue;
      runtime.device.Order(OrderOp::kWaitEvent, stream_, EventOf(i));
      runtime.device.Order(OrderOp::kEventGone, 0, EventOf(i));
    }
    runtime.device.Order(OrderOp::kEventGone, 0, first_event_);
    for (size_t branch = 1; branch < count_; ++branch) {
      runtime.device.Order(OrderOp::kStreamGone, first_branch_ + branch);
    }
  }
  runtime.device.Order(OrderOp::kRecord, stream_, exec_);
}

}  // namespace warpgrade::cudart
