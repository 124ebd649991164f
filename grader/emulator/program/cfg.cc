// Computes post-dominators by the algorithm of Lengauer and Tarjan ("A Fast Algorithm for Finding Dominators in a
// Flowgraph", 1979) with path compression, on the reversed graph of basic blocks. No shape of loops makes it slow.
// Tested by tests/emulator/exec/cfg_test.cc and tests/emulator/hostile_decode_test.cc.
#include "grader/emulator/program/cfg.h"

#include <algorithm>
#include <string>

namespace warpgrade::emulator {
namespace {

using ptx::Function;
using ptx::Instruction;

using Graph = FlowGraph;

// The targets of a brx.idx: its second operand's `target` is the table's index.
const std::vector<ptx::Operand>* TableOf(const Function& f, const Instruction& i) {
  if (i.operands.size() < 2) return nullptr;
  int32_t table = i.operands[1].target;
  if (table < 0 || static_cast<size_t>(table) >= f.branch_targets.size()) return nullptr;
  return &f.branch_targets[static_cast<size_t>(table)].second;
}

bool EndsFunction(const Instruction& i) { return i.Is(ptx::kEndsFunction); }

// Appends the instructions to which control can go after instruction `at`; body.size() is the exit.
void Targets(const Function& f, int32_t at, std::vector<int32_t>* out) {
  const Instruction& i = f.body[static_cast<size_t>(at)];
  const int32_t exit = static_cast<int32_t>(f.body.size());
  if (i.Is(ptx::kBranches)) {
    for (const ptx::Operand& o : i.operands) {
      if (o.kind == ptx::OperandKind::kLabel) out->push_back(o.target);
    }
    if (i.guard >= 0) out->push_back(at + 1);
  } else if (i.Is(ptx::kBranchesByIndex)) {
    if (const auto* table = TableOf(f, i)) {
      for (const ptx::Operand& o : *table) out->push_back(o.target);
    }
    if (i.guard >= 0) out->push_back(at + 1);
  } else if (EndsFunction(i)) {
    out->push_back(exit);
    if (i.guard >= 0) out->push_back(at + 1);
  } else {
    out->push_back(at + 1);
  }
}

bool EndsBlock(const Instruction& i) { return i.Is(ptx::kBranches | ptx::kBranchesByIndex | ptx::kEndsFunction); }

Graph BuildGraph(const Function& f) {
  const size_t n = f.body.size();
  std::vector<char> leader(n + 1, 0);
  leader[0] = 1;
  std::vector<int32_t> targets;
  for (size_t k = 0; k < n; ++k) {
    if (!EndsBlock(f.body[k])) continue;
    targets.clear();
    Targets(f, static_cast<int32_t>(k), &targets);
    for (int32_t t : targets) leader[static_cast<size_t>(t)] = 1;
    leader[k + 1] = 1;
  }
  Graph g;
  g.block_of.resize(n + 1);
  for (size_t k = 0; k < n; ++k) {
    if (leader[k]) g.block_start.push_back(static_cast<int32_t>(k));
    g.block_of[k] = static_cast<int32_t>(g.block_start.size()) - 1;
  }
  const int32_t exit_block = static_cast<int32_t>(g.block_start.size());
  g.block_of[n] = exit_block;
  g.successors.resize(static_cast<size_t>(exit_block) + 1);
  for (int32_t b = 0; b < exit_block; ++b) {
    size_t last = (b + 1 < exit_block ? static_cast<size_t>(g.block_start[static_cast<size_t>(b) + 1]) : n) - 1;
    targets.clear();
    Targets(f, static_cast<int32_t>(last), &targets);
    for (int32_t t : targets) g.successors[static_cast<size_t>(b)].push_back(g.block_of[static_cast<size_t>(t)]);
  }
  return g;
}

// True if this block does nothing but end the function.
bool OnlyLeaves(const Function& f, const Graph& g, int32_t block) {
  if (static_cast<size_t>(block) >= g.block_start.size()) return true;
  const Instruction& first = f.body[static_cast<size_t>(g.block_start[static_cast<size_t>(block)])];
  return first.guard < 0 && EndsFunction(first);
}

// Nobody waits for lanes that leave the function by a guarded exit or a branch to a bare return, so the other lanes may
// meet before that. Such exits therefore do not count for post-dominance. A loop that has no other end keeps one of
// them: the last in program order.
void DropEarlyExits(const Function& f, Graph& g) {
  const size_t n = g.successors.size();
  std::vector<std::vector<int32_t>> predecessors(n), dropped(n);
  for (size_t b = 0; b < n; ++b) {
    std::vector<int32_t>& to = g.successors[b];
    auto stays = std::stable_partition(to.begin(), to.end(), [&](int32_t s) { return !OnlyLeaves(f, g, s); });
    if (stays != to.begin()) {
      dropped[b].assign(stays, to.end());
      to.erase(stays, to.end());
    }
    for (int32_t s : to) predecessors[static_cast<size_t>(s)].push_back(static_cast<int32_t>(b));
  }
  std::vector<char> ends(n, 0);  // true if some path leads to the exit
  std::vector<int32_t> work;
  auto mark = [&](int32_t block) {
    work.assign(1, block);
    while (!work.empty()) {
      size_t b = static_cast<size_t>(work.back());
      work.pop_back();
      if (ends[b]) continue;
      ends[b] = 1;
      work.insert(work.end(), predecessors[b].begin(), predecessors[b].end());
    }
  };
  mark(static_cast<int32_t>(n) - 1);
  for (size_t b = n; b-- > 0;) {
    if (ends[b] || dropped[b].empty()) continue;
    g.successors[b].insert(g.successors[b].end(), dropped[b].begin(), dropped[b].end());
    mark(static_cast<int32_t>(b));
  }
}

// Dominators of a graph from its root. Nodes are numbered in depth-first order while it works; "semi" is the
// semidominator, and `best` the node of smallest semi on the compressed path to the root of the forest.
class Dominators {
 public:
  using Edges = std::vector<std::vector<int32_t>>;

  // `to` and `from` are the edges out of and into each node. Returns each node's immediate dominator: for the root the
  // root itself, and -1 for a node that the root does not reach.
  static std::vector<int32_t> Find(const Edges& to, const Edges& from, int32_t root) {
    Dominators d(to.size());
    d.Number(to, root);
    d.Settle(from);
    std::vector<int32_t> immediate(to.size(), -1);
    for (size_t k = 0; k < d.node_.size(); ++k) immediate[At(d.node_[k])] = d.node_[At(d.dominator_[k])];
    return immediate;
  }

 private:
  static size_t At(int32_t i) { return static_cast<size_t>(i); }

  explicit Dominators(size_t nodes) : number_(nodes, -1) {}

  void Number(const Edges& to, int32_t root) {
    std::vector<std::pair<int32_t, size_t>> stack;
    auto visit = [&](int32_t node, int32_t parent) {
      number_[At(node)] = static_cast<int32_t>(node_.size());
      node_.push_back(node);
      parent_.push_back(parent);
      stack.emplace_back(node, 0);
    };
    visit(root, 0);
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      if (next == to[At(node)].size()) {
        stack.pop_back();
        continue;
      }
      const int32_t here = number_[At(node)], other = to[At(node)][next++];
      if (number_[At(other)] < 0) visit(other, here);
    }
  }

  void Settle(const Edges& from) {
    const size_t n = node_.size();
    ancestor_.assign(n, -1);
    dominator_.assign(n, 0);
    for (size_t k = 0; k < n; ++k) semi_.push_back(static_cast<int32_t>(k));
    best_ = semi_;
    std::vector<std::vector<int32_t>> bucket(n);
    for (size_t w = n; w-- > 1;) {
      for (int32_t node : from[At(node_[w])]) {
        if (number_[At(node)] >= 0) semi_[w] = std::min(semi_[w], semi_[At(BestOf(number_[At(node)]))]);
      }
      bucket[At(semi_[w])].push_back(static_cast<int32_t>(w));
      ancestor_[w] = parent_[w];
      for (int32_t v : bucket[At(parent_[w])]) {
        const int32_t u = BestOf(v);
        dominator_[At(v)] = semi_[At(u)] < semi_[At(v)] ? u : parent_[w];
      }
      bucket[At(parent_[w])].clear();
    }
    for (size_t w = 1; w < n; ++w) {
      if (dominator_[w] != semi_[w]) dominator_[w] = dominator_[At(dominator_[w])];
    }
  }

  int32_t BestOf(int32_t v) {
    std::vector<int32_t> path;  // from v up to the child of the forest's root
    for (int32_t u = v; ancestor_[At(u)] >= 0; u = ancestor_[At(u)]) path.push_back(u);
    // From the top down: each node takes over the best of the node above it.
    for (size_t k = path.size(); k-- > 1;) {
      const size_t below = At(path[k - 1]), above = At(path[k]);
      if (semi_[At(best_[above])] < semi_[At(best_[below])]) best_[below] = best_[above];
      ancestor_[below] = ancestor_[above];
    }
    return best_[At(v)];
  }

  std::vector<int32_t> number_;                                              // by node; -1: not reached
  std::vector<int32_t> node_, parent_, semi_, best_, ancestor_, dominator_;  // by number
};

Dominators::Edges PredecessorsOf(const Graph& g) {
  Dominators::Edges predecessors(g.successors.size());
  for (size_t b = 0; b < g.successors.size(); ++b) {
    for (int32_t s : g.successors[b]) predecessors[static_cast<size_t>(s)].push_back(static_cast<int32_t>(b));
  }
  return predecessors;
}

}  // namespace

FlowGraph BuildFlowGraph(const ptx::Function& f) { return BuildGraph(f); }

FlowGraph BuildFlowGraphWithoutEarlyExits(const ptx::Function& f) {
  Graph g = BuildGraph(f);
  DropEarlyExits(f, g);
  return g;
}

std::vector<int32_t> ImmediateDominators(const FlowGraph& g) {
  return Dominators::Find(g.successors, PredecessorsOf(g), 0);
}

std::vector<int32_t> ImmediatePostDominators(const FlowGraph& g) {
  return Dominators::Find(PredecessorsOf(g), g.successors, static_cast<int32_t>(g.successors.size()) - 1);
}

std::vector<int32_t> ReconvergencePoints(const Function& f) {
  std::vector<int32_t> points(f.body.size(), -1);
  if (f.body.empty()) return points;
  Graph g = BuildGraph(f);
  DropEarlyExits(f, g);
  std::vector<int32_t> idom = ImmediatePostDominators(g);
  const int32_t exit_block = static_cast<int32_t>(g.block_start.size());
  for (size_t k = 0; k < f.body.size(); ++k) {
    const Instruction& i = f.body[k];
    bool diverges = (i.Is(ptx::kBranches) && i.guard >= 0) || i.Is(ptx::kBranchesByIndex);
    if (!diverges || g.successors[static_cast<size_t>(g.block_of[k])].size() < 2) continue;
    int32_t meet = idom[static_cast<size_t>(g.block_of[k])];
    if (meet < 0 || meet == exit_block) continue;
    int32_t at = g.block_start[static_cast<size_t>(meet)];
    // Nobody waits at a bare return for other lanes. Otherwise lanes that left early would be missing at a barrier.
    if (!OnlyLeaves(f, g, meet)) points[k] = at;
  }
  return points;
}

}  // namespace warpgrade::emulator
