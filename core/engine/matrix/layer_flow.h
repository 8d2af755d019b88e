// Attention flow of one token through layers, and its predicted time.
#pragma once

#include <cstddef>
#include <vector>

#include "attention/mask.h"
#include "base/result.h"

namespace attn {

// A graph of layers + 1 levels with n nodes each. Edge (i, j) of layer l leads from node i of level
// l + 1 down to node j of level l.
class LayerFlow {
 public:
  // `capacities` (layers, n, n), finite and not negative; borrowed.
  LayerFlow(std::size_t layers, std::size_t n, const std::vector<double>& capacities);

  // Maximum flow from node `source` of the last level to node `sink` of level 0 (Dinic).
  double largest(std::size_t source, std::size_t sink);

 private:
  // Nodes are numbered level · n + i; `upper` is one level above `lower`.
  std::size_t edge(std::size_t upper, std::size_t lower) const {
    return (upper - n_) * n_ + lower % n_;
  }
  double residual(std::size_t upper, std::size_t lower) const {
    const std::size_t at = edge(upper, lower);
    return capacities_[at] - flow_[at];
  }

  void find_between(std::size_t source, std::size_t sink);
  void clear();
  void reach(std::size_t node, std::size_t from);
  bool find_depths(std::size_t source, std::size_t sink);
  void push(std::size_t from, std::size_t to, double amount);
  double send(std::size_t node, std::size_t sink, double amount);

  std::size_t layers_, n_;
  const std::vector<double>& capacities_;
  std::vector<double> flow_;                // per edge
  std::vector<std::size_t> depths_, next_;  // per node: distance to the sink, first open neighbour
  std::vector<RowSpan> ends_;               // per node: range of sinks that it may reach
  std::vector<std::size_t> queue_;
  // Per level: nodes between source and sink, those without a known path to the sink, and those
  // with one.
  std::vector<std::vector<std::size_t>> between_, left_, reached_;
  // Per node: nodes below that it sent flow to, and nodes above that sent flow to it.
  std::vector<std::vector<std::size_t>> fed_, feeding_;
};

// Each thread has its own flow along all edges.
inline constexpr unsigned kFlowThreads = 8;

// Predicted nanoseconds of the flow through all layers, on one thread and on this machine's.
double flow_nanoseconds(const AttentionShape& shape);
double flow_seconds(const AttentionShape& shape);

// Errors: Usage if it would take more than an hour.
Status check_flow_time(const AttentionShape& shape);

}  // namespace attn
