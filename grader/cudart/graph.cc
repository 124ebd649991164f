// Keeps a graph's nodes and makes a list of their steps, in which each step names those that it waits for. Only a
// graph's edges order its nodes: Flatten hands them on as they are. Tests: tests/cudart/graph_order_test.cc.
#include "grader/cudart/graph.h"

#include <algorithm>
#include <set>
#include <utility>

namespace warpgrade::cudart {

GraphNode* Graph::Add(cudaGraphNodeType type, std::vector<GraphNode*> dependencies, GraphStep step) {
  auto node = std::make_unique<GraphNode>();
  node->type = type;
  node->dependencies = std::move(dependencies);
  if (step.device || step.host) node->steps.push_back(std::move(step));
  nodes.push_back(std::move(node));
  return nodes.back().get();
}

GraphNode* Graph::Find(cudaGraphNode_t node) const {
  const auto found = std::find_if(nodes.begin(), nodes.end(), [node](const auto& own) {
    return reinterpret_cast<cudaGraphNode_t>(own.get()) == node;
  });
  return found == nodes.end() ? nullptr : found->get();
}

namespace {

// Appends a node's steps, which wait for `before` unless they wait for each other. Gives those that a later node waits
// for; an empty node's are those that it waits for itself.
std::vector<size_t> AppendNode(const GraphNode& node, const std::vector<size_t>& before,
                               std::vector<GraphStep>* steps) {
  if (node.steps.empty()) return before;
  const size_t base = steps->size();
  std::vector<bool> is_last(node.steps.size(), true);
  for (GraphStep step : node.steps) {
    for (size_t& earlier : step.after) {
      is_last[earlier] = false;
      earlier += base;
    }
    if (step.after.empty()) step.after = before;
    steps->push_back(std::move(step));
  }
  std::vector<size_t> last;
  for (size_t i = 0; i < is_last.size(); ++i) {
    if (is_last[i]) last.push_back(base + i);
  }
  return last;
}

}  // namespace

bool Graph::Flatten(std::vector<GraphStep>* steps) const {
  std::map<const GraphNode*, std::vector<size_t>> last_of;  // of the nodes that are done
  while (last_of.size() < nodes.size()) {
    const size_t done = last_of.size();
    for (const auto& node : nodes) {
      const bool ready =
          !last_of.contains(node.get()) && std::all_of(node->dependencies.begin(), node->dependencies.end(),
                                                       [&](const GraphNode* e) { return last_of.contains(e); });
      if (!ready) continue;
      std::vector<size_t> before;
      for (const GraphNode* earlier : node->dependencies) {
        before.insert(before.end(), last_of[earlier].begin(), last_of[earlier].end());
      }
      last_of[node.get()] = AppendNode(*node, before, steps);
    }
    if (last_of.size() == done) return false;
  }
  return true;
}

bool Graph::IsReachable(const std::vector<GraphNode*>& heads) const {
  std::set<const GraphNode*> seen;
  std::vector<const GraphNode*> left(heads.begin(), heads.end());
  while (!left.empty()) {
    const GraphNode* node = left.back();
    left.pop_back();
    if (seen.insert(node).second) left.insert(left.end(), node->dependencies.begin(), node->dependencies.end());
  }
  return seen.size() == nodes.size();
}

}  // namespace warpgrade::cudart
