// Which steps of a graph are in one branch, and what the device is told of them.
#include "grader/cudart/graph_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::cudart {
namespace {

using testing::ElementsAre;

GraphStep After(std::vector<size_t> after) {
  GraphStep step;
  step.after = std::move(after);
  return step;
}

TEST(GraphBranchesTest, AChainIsOneBranch) {
  EXPECT_THAT(BranchesOf({After({}), After({0}), After({1})}), ElementsAre(0, 0, 0));
}

TEST(GraphBranchesTest, AForkBeginsABranchAndAJoinEndsOne) {
  EXPECT_THAT(BranchesOf({After({}), After({0}), After({0}), After({1, 2})}), ElementsAre(0, 0, 1, 0));
}

TEST(GraphBranchesTest, StepsThatWaitForNothingHaveBranchesOfTheirOwn) {
  EXPECT_THAT(BranchesOf({After({}), After({}), After({}), After({1})}), ElementsAre(0, 1, 2, 1));
}

DeviceWork Nothing() {
  return [](Runtime&) { return cudaSuccess; };
}

GraphStep Step() { return {nullptr, cudaGraphNodeTypeMemset, Nothing(), nullptr, {}}; }

TEST(GraphFlattenTest, SaysWhatEachStepWaitsFor) {
  Graph graph;
  GraphNode* a = graph.Add(cudaGraphNodeTypeMemset, {}, Step());
  GraphNode* b = graph.Add(cudaGraphNodeTypeMemset, {a}, Step());
  GraphNode* c = graph.Add(cudaGraphNodeTypeMemset, {a}, Step());
  GraphNode* join = graph.Add(cudaGraphNodeTypeEmpty, {b, c}, {});
  graph.Add(cudaGraphNodeTypeMemset, {join}, Step());
  std::vector<GraphStep> steps;
  ASSERT_TRUE(graph.Flatten(&steps));
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_THAT(steps[0].after, ElementsAre());
  EXPECT_THAT(steps[1].after, ElementsAre(0));
  EXPECT_THAT(steps[2].after, ElementsAre(0));
  EXPECT_THAT(steps[3].after, ElementsAre(1, 2));
}

TEST(GraphFlattenTest, AChildGraphWaitsAsAWholeAndIsWaitedForAsAWhole) {
  Graph child;
  GraphNode* first = child.Add(cudaGraphNodeTypeMemset, {}, Step());
  child.Add(cudaGraphNodeTypeMemset, {first}, Step());
  child.Add(cudaGraphNodeTypeMemset, {}, Step());
  Graph graph;
  GraphNode* a = graph.Add(cudaGraphNodeTypeMemset, {}, Step());
  GraphNode* inner = graph.Add(cudaGraphNodeTypeGraph, {a}, {});
  ASSERT_TRUE(child.Flatten(&inner->steps));
  graph.Add(cudaGraphNodeTypeMemset, {inner}, Step());
  std::vector<GraphStep> steps;
  ASSERT_TRUE(graph.Flatten(&steps));
  ASSERT_EQ(steps.size(), 5u);
  EXPECT_THAT(steps[1].after, ElementsAre(0));
  EXPECT_THAT(steps[2].after, ElementsAre(1));
  EXPECT_THAT(steps[3].after, ElementsAre(0));
  EXPECT_THAT(steps[4].after, ElementsAre(2, 3));
}

}  // namespace
}  // namespace warpgrade::cudart
