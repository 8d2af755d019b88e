// Attention flow of one token through layers. Internal to the engine.
#pragma once

#include <cstddef>
#include <vector>

namespace attn {

// A graph of layers + 1 levels with n nodes each. Edge (i, j) of layer l leads from node i of level
// l + 1 down to node j of level l.
class LayerFlow {
 public:
  // `capacities` (layers, n, n), finite and not negative.
  LayerFlow(std::size_t layers, std::size_t n, std::vector<double> capacities);

  // The largest flow from node `source` of the last level to node `sink` of level 0 (Dinic).
  double largest(std::size_t source, std::size_t sink);

 private:
  // Nodes are numbered level · n + i. Neighbour e < n is below, e − n above.
  std::size_t neighbour(std::size_t node, std::size_t e) const;
  bool has_neighbour(std::size_t node, std::size_t e) const;
  double room(std::size_t node, std::size_t e) const;
  void push(std::size_t node, std::size_t e, double amount);
  std::size_t edge_below(std::size_t node, std::size_t e) const;

  bool find_depths(std::size_t source, std::size_t sink);
  double send(std::size_t node, std::size_t sink, double amount);

  std::size_t layers_, n_;
  std::vector<double> capacities_, flow_;   // per edge
  std::vector<std::size_t> depths_, next_;  // per node: steps from the source, first open neighbour
  std::vector<std::size_t> queue_;
};

}  // namespace attn
