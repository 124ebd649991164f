// Warp-wide instructions, once every thread of the member mask is there: PTX ISA 9.0, "shfl.sync", "vote.sync",
// "match.sync", "redux.sync".
#include <algorithm>

#include "tests/emulator/oracle/machine_state.h"

namespace warpgrade::oracle {

using ptx::Instruction;
using ptx::Type;

void Machine::Collective(const Instruction& i, const std::vector<Thread*>& group) {
  if (i.opcode == "shfl") return Shuffle(i, group);
  if (i.opcode == "vote") return Vote(i, group);
  if (i.opcode == "match") return Match(i, group);
  if (i.opcode == "redux") return Reduce(i, group);
}

void Machine::Shuffle(const Instruction& i, const std::vector<Thread*>& group) {
  const size_t first = i.pair ? 2 : 1;
  std::vector<uint64_t> values;
  for (Thread* t : group) values.push_back(Value(*t, i.operands[first], Type::kB32));
  std::vector<uint64_t> results;
  std::vector<bool> in_range;
  for (Thread* t : group) {
    int lane = static_cast<int>(t->index % 32);
    int b = static_cast<int>(Value(*t, i.operands[first + 1], Type::kB32) & 31);
    uint64_t c = Value(*t, i.operands[first + 2], Type::kB32);
    int segment = static_cast<int>(c >> 8 & 31), clamp = static_cast<int>(c & 31);
    int highest = (lane & segment) | (clamp & ~segment), lowest = lane & segment;
    int source = Has(i, "up")     ? lane - b
                 : Has(i, "down") ? lane + b
                 : Has(i, "bfly") ? lane ^ b
                                  : lowest | (b & ~segment);
    bool good = Has(i, "up") ? source >= highest : source <= highest;
    if (!good) source = lane;
    size_t position = group.size();
    for (size_t k = 0; k < group.size(); ++k) {
      if (static_cast<int>(group[k]->index % 32) == source) position = k;
    }
    if (position == group.size()) return FailAt(i, "reads a lane that does not take part");
    results.push_back(values[position]);
    in_range.push_back(good);
  }
  for (size_t k = 0; k < group.size(); ++k) {
    Write(*group[k], i.operands[0], results[k]);
    if (i.pair) Write(*group[k], i.operands[1], in_range[k] ? 1 : 0);
  }
}

void Machine::Vote(const Instruction& i, const std::vector<Thread*>& group) {
  uint64_t ballot = 0;
  for (Thread* t : group) ballot |= Value(*t, i.operands[1], Type::kPred) << (t->index % 32);
  size_t yes = 0;
  for (uint64_t rest = ballot; rest != 0; rest >>= 1) yes += rest & 1;
  bool all = yes == group.size(), any = yes != 0;
  uint64_t result = Has(i, "ballot") ? ballot : Has(i, "all") ? all : Has(i, "any") ? any : all || !any;
  for (Thread* t : group) Write(*t, i.operands[0], result);
}

void Machine::Match(const Instruction& i, const std::vector<Thread*>& group) {
  const size_t first = i.pair ? 2 : 1;
  std::vector<uint64_t> values;
  for (Thread* t : group) values.push_back(Value(*t, i.operands[first], TypeFromEnd(i, 0)));
  std::vector<uint64_t> same(group.size(), 0);
  uint64_t everybody = 0;
  for (size_t k = 0; k < group.size(); ++k) {
    everybody |= uint64_t{1} << (group[k]->index % 32);
    for (size_t other = 0; other < group.size(); ++other) {
      if (values[other] == values[k]) same[k] |= uint64_t{1} << (group[other]->index % 32);
    }
  }
  bool all = same[0] == everybody;
  for (size_t k = 0; k < group.size(); ++k) {
    Write(*group[k], i.operands[0], Has(i, "any") ? same[k] : all ? everybody : 0);
    if (i.pair) Write(*group[k], i.operands[1], all ? 1 : 0);
  }
}

void Machine::Reduce(const Instruction& i, const std::vector<Thread*>& group) {
  const Type type = TypeFromEnd(i, 0);
  uint64_t result = 0;
  for (size_t k = 0; k < group.size(); ++k) {
    uint64_t v = Value(*group[k], i.operands[1], type) & 0xFFFFFFFF;
    bool less = Number(v, 32, IsSigned(type)) < Number(result, 32, IsSigned(type));
    if (k == 0) {
      result = v;
    } else if (Has(i, "add")) {
      result += v;
    } else if (Has(i, "and")) {
      result &= v;
    } else if (Has(i, "or")) {
      result |= v;
    } else if (Has(i, "xor")) {
      result ^= v;
    } else if (less == Has(i, "min")) {
      result = v;
    }
  }
  for (Thread* t : group) Write(*t, i.operands[0], result);
}

}  // namespace warpgrade::oracle
