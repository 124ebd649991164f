// Goes through what was recorded in the order in which it happened. For each thread it keeps the values that it has
// read, by the instruction that read them; a write has those as sources from which the code may compute its value.
// Tested by tests/emulator/exec/steps_test.cc.
#include "grader/emulator/recorders/block_steps.h"

#include <algorithm>
#include <tuple>

#include "grader/emulator/recorders/value_flow.h"

namespace warpgrade::emulator {
namespace {

class StepsBuilder {
 public:
  StepsBuilder(const RequestedBy& launch, const NameOfPlace& name_of)
      : launch_(launch), name_of_(name_of), flow_(FlowOf(launch.program)) {}

  BlockSteps Build(const RecordedSteps& recorded) {
    steps_.kernel = launch_.kernel;
    steps_.grid = launch_.grid;
    steps_.block_size = launch_.block_size;
    steps_.block = launch_.BlockAt(recorded.block);
    steps_.left_out = recorded.left_out;
    for (const auto& [number, counts] : recorded.counts) {
      index_[number] = steps_.steps.size();
      Step& step = steps_.steps.emplace_back();
      step.number = number;
      step.counts = counts;
    }
    for (const StepAccess& access : recorded.accesses) Add(access, &steps_.steps[index_.at(access.step)]);
    return std::move(steps_);
  }

 private:
  struct Known {
    StepNumber step;
    uint64_t sequence = 0;
    bool is_first = true;  // of those that one execution of the instruction has read
    StepValue value;
  };
  // What one instruction of a thread has read. A value that a write has used is forgotten with the end of its step:
  // from then on the thread has it in a register, together with what it was added to.
  struct OfInst {
    std::vector<Known> values;
    size_t used = 0;  // the first ones, which a write has used
    void ForgetBefore(const StepNumber& step) {
      size_t old = 0;
      while (old < used && values[old].step < step) ++old;
      values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(old));
      used -= old;
    }
  };
  using OfThread = std::map<uint32_t, OfInst>;  // by the instruction that read

  ptx::Type TypeOf(const StepAccess& access) const {
    const auto known = flow_.types.find(access.inst);
    return known == flow_.types.end() ? ptx::Type::kNone : known->second;
  }

  StepValue ValueAt(const StepAccess& access, StepSpace space, uint64_t at, uint64_t value) {
    const StepArray array = space == StepSpace::kRegisters ? StepArray{"registers", 0, 0} : name_of_(space, at);
    const ptx::Type type = TypeOf(access);
    // Registers of another type are other values. An array of floats is one array, also where 0 is stored as an
    // integer.
    const ptx::Type of_key = space == StepSpace::kRegisters ? type : ptx::Type::kNone;
    const auto key = std::tuple(space, array.base, uint32_t{access.bytes}, of_key);
    const auto [known, added] = columns_.try_emplace(key, static_cast<uint32_t>(steps_.columns.size()));
    if (added) steps_.columns.push_back({array.name, space, type, access.bytes, array.bytes / access.bytes});
    if (StepColumn& column = steps_.columns[known->second]; TellsMore(type, column.type)) column.type = type;
    const uint64_t element = space == StepSpace::kRegisters ? at : (at - array.base) / access.bytes;
    return {known->second, element, value};
  }

  // What the thread has read for the value that this instruction writes.
  std::vector<StepValue> SourcesOf(const StepAccess& access, uint64_t* more) {
    const auto sources = flow_.sources.find(access.inst);
    if (sources == flow_.sources.end()) return {};
    OfThread& of_thread = known_[access.thread];
    std::vector<Known> first;  // enough of each instruction
    size_t count = 0;
    for (const ValueSource& source : sources->second) {
      const auto found = of_thread.find(source.inst);
      if (found == of_thread.end()) continue;
      OfInst& of_inst = found->second;
      of_inst.ForgetBefore(access.step);
      auto from = of_inst.values.begin();
      if (!source.adds_up && !of_inst.values.empty()) {
        from = std::prev(of_inst.values.end());
        while (!from->is_first && from != of_inst.values.begin()) --from;
      }
      of_inst.used = of_inst.values.size();
      const auto values = static_cast<size_t>(of_inst.values.end() - from);
      count += values;
      first.insert(first.end(), from, from + static_cast<std::ptrdiff_t>(std::min(values, BlockSteps::kMostSources)));
    }
    std::sort(first.begin(), first.end(), [](const Known& a, const Known& b) { return a.sequence < b.sequence; });
    first.resize(std::min(first.size(), BlockSteps::kMostSources));
    std::vector<StepValue> values;
    values.reserve(first.size());
    for (const Known& known : first) values.push_back(known.value);
    *more = count - values.size();
    return values;
  }

  void Remember(const StepAccess& access, const StepValue& value) {
    OfInst& of_inst = known_[access.thread][access.inst];
    of_inst.ForgetBefore(access.step);
    of_inst.values.push_back({access.step, sequence_, access.element == 0, value});
  }

  void AddLine(const StepAccess& access, Step* step) const {
    const InstOrigin& origin = launch_.program.origins[access.inst];
    const std::string file = launch_.FileOf(origin);
    for (size_t i = 0; i < step->lines.size(); ++i) {
      if (step->lines[i] == origin.line && step->files[i] == file) return;
    }
    step->lines.push_back(origin.line);
    step->files.push_back(file);
  }

  void Add(const StepAccess& access, Step* step) {
    AddLine(access, step);
    ++sequence_;
    if (access.does == StepDoes::kRead) {
      const StepValue value = ValueAt(access, access.space, access.at, access.value);
      step->reads.push_back({access.thread, value});
      Remember(access, value);
      return;
    }
    StepWrite write;
    write.thread = access.thread;
    write.does = access.does;
    write.sources = SourcesOf(access, &write.more_sources);
    if (access.does == StepDoes::kShuffle) {
      step->reads.push_back({access.thread, ValueAt(access, StepSpace::kRegisters, access.thread, access.other)});
      write.sources = {ValueAt(access, StepSpace::kRegisters, access.at, access.value)};
      write.more_sources = 0;
      write.what = ValueAt(access, StepSpace::kRegisters, access.thread, access.value);
    } else {
      write.what = ValueAt(access, access.space, access.at, access.value);
      if (access.does == StepDoes::kAtomic && access.space == StepSpace::kShared) {
        write.sources.push_back(ValueAt(access, access.space, access.at, access.other));
      }
    }
    if (access.does != StepDoes::kWrite) Remember(access, write.what);
    step->writes.push_back(std::move(write));
  }

  const RequestedBy& launch_;
  const NameOfPlace& name_of_;
  const ValueFlow flow_;
  BlockSteps steps_;
  std::map<StepNumber, size_t> index_;
  std::map<std::tuple<StepSpace, uint64_t, uint32_t, ptx::Type>, uint32_t> columns_;
  std::map<uint32_t, OfThread> known_;  // by thread
  uint64_t sequence_ = 0;
};

}  // namespace

BlockSteps StepsOf(const RequestedBy& launch, const RecordedSteps& recorded, const NameOfPlace& name_of) {
  return StepsBuilder(launch, name_of).Build(recorded);
}

void StepsOfLaunches::Add(const RequestedBy& launch, const RecordedSteps& recorded, const NameOfPlace& name_of) {
  ++launches_;
  if (!recorded.ran) return;
  StepCounts all;
  for (const auto& [number, counts] : recorded.counts) all.Add(counts);
  const bool has_tree =
      all.shared_load_requests + all.shared_store_requests + all.shared_atomic_requests + all.shuffles > 0;
  const uint64_t threads = launch.grid.Count() * launch.block_size.Count();
  const bool is_better = recorded.wanted_launch != 0 ? launches_ == recorded.wanted_launch
                         : chosen_.empty()           ? true
                                                     : std::tuple(has_tree, threads) > std::tuple(has_tree_, threads_);
  if (!is_better) return;
  chosen_ = {StepsOf(launch, recorded, name_of)};
  chosen_[0].launch = launches_;
  threads_ = threads;
  has_tree_ = has_tree;
}

}  // namespace warpgrade::emulator
