// Finds the largest flow through layers by pushing it along shortest ways (Dinic 1970).
#include "engine/matrix/layer_flow.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace attn {
namespace {

constexpr double kNothing = 1e-12;  // less room than this is a rounding error
constexpr std::size_t kFar = std::numeric_limits<std::size_t>::max();

}  // namespace

LayerFlow::LayerFlow(std::size_t layers, std::size_t n, std::vector<double> capacities)
    : layers_(layers), n_(n), capacities_(std::move(capacities)) {
  flow_.resize(capacities_.size());
  depths_.resize((layers + 1) * n);
  next_.resize(depths_.size());
}

double LayerFlow::largest(std::size_t source, std::size_t sink) {
  std::fill(flow_.begin(), flow_.end(), 0.0);
  const std::size_t top = layers_ * n_ + source;
  double total = 0.0;
  while (find_depths(top, sink)) {
    std::fill(next_.begin(), next_.end(), 0);
    const auto send_all = [&] { return send(top, sink, std::numeric_limits<double>::max()); };
    for (double sent = send_all(); sent != 0.0; sent = send_all()) total += sent;
  }
  return total;
}

bool LayerFlow::has_neighbour(std::size_t node, std::size_t e) const {
  return e < n_ ? node >= n_ : node < layers_ * n_;
}

std::size_t LayerFlow::neighbour(std::size_t node, std::size_t e) const {
  const std::size_t level = node / n_;
  return e < n_ ? (level - 1) * n_ + e : (level + 1) * n_ + e - n_;
}

// The edge between a node and its neighbour belongs to the upper of the two.
std::size_t LayerFlow::edge_below(std::size_t node, std::size_t e) const {
  return e < n_ ? (node - n_) * n_ + e : (neighbour(node, e) - n_) * n_ + node % n_;
}

double LayerFlow::room(std::size_t node, std::size_t e) const {
  const std::size_t edge = edge_below(node, e);
  return e < n_ ? capacities_[edge] - flow_[edge] : flow_[edge];
}

void LayerFlow::push(std::size_t node, std::size_t e, double amount) {
  flow_[edge_below(node, e)] += e < n_ ? amount : -amount;
}

bool LayerFlow::find_depths(std::size_t source, std::size_t sink) {
  std::fill(depths_.begin(), depths_.end(), kFar);
  depths_[source] = 0;
  queue_.assign(1, source);
  for (std::size_t at = 0; at < queue_.size() && depths_[sink] == kFar; ++at) {
    const std::size_t node = queue_[at];
    for (std::size_t e = 0; e < 2 * n_; ++e) {
      if (!has_neighbour(node, e) || room(node, e) <= kNothing) continue;
      const std::size_t to = neighbour(node, e);
      if (depths_[to] != kFar) continue;
      depths_[to] = depths_[node] + 1;
      queue_.push_back(to);
    }
  }
  return depths_[sink] != kFar;
}

// Sends up to `amount` along one path that gets nearer with every step; 0 when there is none left.
double LayerFlow::send(std::size_t node, std::size_t sink, double amount) {
  if (node == sink) return amount;
  for (std::size_t& e = next_[node]; e < 2 * n_; ++e) {
    if (!has_neighbour(node, e) || room(node, e) <= kNothing) continue;
    const std::size_t to = neighbour(node, e);
    if (depths_[to] != depths_[node] + 1) continue;
    const double sent = send(to, sink, std::min(amount, room(node, e)));
    if (sent > 0.0) {
      push(node, e, sent);
      return sent;
    }
  }
  return 0.0;
}

}  // namespace attn
