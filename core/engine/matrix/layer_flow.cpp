// Maximum flow through layers along shortest augmenting paths (Dinic 1970).
#include "engine/matrix/layer_flow.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/number_text.h"
#include "engine/kernels/parallel.h"

namespace attn {
namespace {

constexpr double kNothing = 1e-12;  // smaller capacities are rounding errors
constexpr std::size_t kFar = std::numeric_limits<std::size_t>::max();

}  // namespace

LayerFlow::LayerFlow(std::size_t layers, std::size_t n, const std::vector<double>& capacities)
    : layers_(layers),
      n_(n),
      capacities_(capacities),
      flow_(capacities.size()),
      depths_((layers + 1) * n),
      next_(depths_.size()),
      ends_(depths_.size(), RowSpan{kFar, 0}),
      between_(layers + 1),
      left_(layers + 1),
      reached_(layers + 1),
      fed_(depths_.size()),
      feeding_(depths_.size()) {
  for (std::size_t node = 0; node < n; ++node) ends_[node] = {node, node + 1};
  for (std::size_t upper = n; upper < depths_.size(); ++upper) {
    RowSpan& span = ends_[upper];
    const std::size_t below = (upper / n - 1) * n;
    for (std::size_t lower = below; lower < below + n; ++lower) {
      if (residual(upper, lower) <= kNothing) continue;
      span = {std::min(span.begin, ends_[lower].begin), std::max(span.end, ends_[lower].end)};
    }
  }
}

// Nodes between source and sink; few if a mask hides much.
void LayerFlow::find_between(std::size_t source, std::size_t sink) {
  between_[layers_].assign(1, source);
  for (std::size_t level = layers_ - 1; level > 0; --level) {
    between_[level].clear();
    for (std::size_t node = level * n_; node < (level + 1) * n_; ++node) {
      const auto feeds = [&](std::size_t upper) { return residual(upper, node) > kNothing; };
      const bool ends = ends_[node].begin <= sink && sink < ends_[node].end;
      if (ends && std::ranges::any_of(between_[level + 1], feeds)) between_[level].push_back(node);
    }
  }
}

double LayerFlow::largest(std::size_t source, std::size_t sink) {
  clear();
  const std::size_t top = layers_ * n_ + source;
  find_between(top, sink);
  double total = 0.0;
  while (find_depths(top, sink)) {
    std::fill(next_.begin(), next_.end(), 0);
    total += send(top, sink, std::numeric_limits<double>::infinity());
  }
  return total;
}

void LayerFlow::clear() {
  for (std::size_t node = 0; node < fed_.size(); ++node) {
    for (const std::size_t lower : fed_[node]) flow_[edge(node, lower)] = 0.0;
    fed_[node].clear();
    feeding_[node].clear();
  }
}

void LayerFlow::push(std::size_t from, std::size_t to, double amount) {
  if (from < to) {
    flow_[edge(to, from)] -= amount;
    return;
  }
  double& flow = flow_[edge(from, to)];
  if (flow == 0.0) {
    fed_[from].push_back(to);
    feeding_[to].push_back(from);
  }
  flow += amount;
}

void LayerFlow::reach(std::size_t node, std::size_t from) {
  depths_[node] = depths_[from] + 1;
  reached_[node / n_].push_back(node);
  queue_.push_back(node);
}

// Breadth-first search from the sink. Nodes once reached are skipped, so few edges of dense layers
// are visited.
bool LayerFlow::find_depths(std::size_t source, std::size_t sink) {
  std::fill(depths_.begin(), depths_.end(), kFar);
  for (std::size_t level = 1; level < layers_; ++level) left_[level] = between_[level];
  left_[layers_].assign(1, source);
  for (std::vector<std::size_t>& reached : reached_) reached.clear();
  depths_[sink] = 0;
  reached_[0].assign(1, sink);
  queue_.assign(1, sink);
  for (std::size_t at = 0; at < queue_.size() && depths_[source] == kFar; ++at) {
    const std::size_t node = queue_[at];
    const auto is_reached = [&](std::size_t upper) {
      if (depths_[upper] == kFar && residual(upper, node) > kNothing) reach(upper, node);
      return depths_[upper] != kFar;
    };
    std::erase_if(left_[node / n_ + 1], is_reached);
    for (const std::size_t lower : fed_[node]) {
      if (depths_[lower] == kFar && flow_[edge(node, lower)] > kNothing) reach(lower, node);
    }
  }
  return depths_[source] != kFar;
}

// Pushes up to `amount` along shortest paths. Nodes start with different neighbours, so that few
// find them saturated.
double LayerFlow::send(std::size_t node, std::size_t sink, double amount) {
  if (node == sink) return amount;
  const std::vector<std::size_t>& below = reached_[node / n_ - 1];
  double sent = 0.0;
  for (std::size_t& e = next_[node]; e < below.size() + feeding_[node].size(); ++e) {
    const bool down = e < below.size();
    const std::size_t to =
        down ? below[(node + e) % below.size()] : feeding_[node][e - below.size()];
    if (depths_[to] != depths_[node] - 1) continue;
    const double open = down ? residual(node, to) : flow_[edge(to, node)];
    if (open <= kNothing) continue;
    const double part = send(to, sink, std::min(amount - sent, open));
    if (part > 0.0) push(node, to, part);
    sent += part;
    if (amount - sent <= kNothing) return sent;
  }
  depths_[node] = kFar;  // saturated
  return sent;
}

// Measured without a mask, the slowest case. Through two layers there is one path per token.
double flow_nanoseconds(const AttentionShape& shape) {
  constexpr double kNanosecondsOfAPath = 48.0, kNanosecondsOfAnEdge = 24.0;
  const auto n = static_cast<double>(shape.n_q), layers = static_cast<double>(shape.layers);
  return layers * (shape.layers <= 2 ? kNanosecondsOfAPath * n * n * n
                                     : kNanosecondsOfAnEdge * std::pow(n, 3.5));
}

double flow_seconds(const AttentionShape& shape) {
  return 1e-9 * flow_nanoseconds(shape) / std::min(threads_in_use(), kFlowThreads);
}

Status check_flow_time(const AttentionShape& shape) {
  constexpr double kHour = 3600.0;
  const double seconds = flow_seconds(shape);
  if (seconds <= kHour) return ok_status();
  Error error = usage_error("Attention flow would take about " + duration_text(seconds),
                            "use fewer tokens or layers, or `attnscope export` with --long");
  error.found = std::to_string(shape.layers) + " layers of " + grouped_text(shape.n_q) + " tokens";
  error.expected = "at most an hour";
  return error;
}

}  // namespace attn
