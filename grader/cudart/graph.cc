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

bool Graph::Flatten(std::vector<GraphStep>* steps) const {
  std::set<const GraphNode*> done;
  while (done.size() < nodes.size()) {
    const size_t before = done.size();
    for (const auto& node : nodes) {
      const bool ready =
          !done.contains(node.get()) && std::all_of(node->dependencies.begin(), node->dependencies.end(),
                                                    [&](const GraphNode* earlier) { return done.contains(earlier); });
      if (!ready) continue;
      done.insert(node.get());
      steps->insert(steps->end(), node->steps.begin(), node->steps.end());
    }
    if (done.size() == before) return false;
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
