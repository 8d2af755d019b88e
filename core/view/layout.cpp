// Tree of panes: traversal, splitting, closing, moving of edges; and two stacks of shown parts.
#include "view/layout.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace attn {

namespace {

// Calls visit(pane) for each pane in reading order.
template <class AnyLayout, class Visit>
void each_pane(AnyLayout& layout, const Visit& visit) {
  if (auto* pane = std::get_if<Pane>(&layout)) return visit(*pane);
  for (auto& part : std::get<Split>(layout).parts) each_pane(part.layout, visit);
}

template <class Found, class AnyLayout>
std::vector<Found*> collected(AnyLayout& layout) {
  std::vector<Found*> panes;
  each_pane(layout, [&](Found& pane) { panes.push_back(&pane); });
  return panes;
}

template <class Found, class AnyLayout>
Found* found(AnyLayout& layout, PaneId id) {
  Found* with_id = nullptr;
  each_pane(layout, [&](Found& pane) {
    if (pane.id == id) with_id = &pane;
  });
  return with_id;
}

bool is_pane(const Layout& layout, PaneId id) {
  const auto* pane = std::get_if<Pane>(&layout);
  return pane != nullptr && pane->id == id;
}

// The innermost split that contains the pane, and its index there. Null for a single pane.
std::pair<Split*, std::size_t> parent_of(Layout& layout, PaneId id) {
  auto* split = std::get_if<Split>(&layout);
  if (split == nullptr) return {nullptr, 0};
  for (std::size_t i = 0; i < split->parts.size(); ++i) {
    if (is_pane(split->parts[i].layout, id)) return {split, i};
    if (const auto inner = parent_of(split->parts[i].layout, id); inner.first) return inner;
  }
  return {nullptr, 0};
}

Split* split_of(Layout& layout, PaneId id) {
  auto* split = std::get_if<Split>(&layout);
  if (split == nullptr || split->id == id) return split;
  for (Part& part : split->parts) {
    if (Split* inner = split_of(part.layout, id)) return inner;
  }
  return nullptr;
}

// Replaces splits of one part by that part.
void simplify(Layout& layout) {
  auto* split = std::get_if<Split>(&layout);
  if (split == nullptr) return;
  for (Part& part : split->parts) simplify(part.layout);
  if (split->parts.size() != 1) return;
  Layout only = std::move(split->parts.front().layout);
  layout = std::move(only);
}

void insert_after(Split& split, std::size_t place, Pane added) {
  split.parts[place].share /= 2.0;
  Part part{split.parts[place].share, std::move(added)};
  split.parts.insert(split.parts.begin() + static_cast<std::ptrdiff_t>(place) + 1, std::move(part));
}

Split halves(PaneId id, SplitDirection direction, Layout first, Pane second) {
  Split split{id, direction, {}};
  split.parts.push_back({0.5, std::move(first)});
  split.parts.push_back({0.5, std::move(second)});
  return split;
}

}  // namespace

bool operator==(const Split& a, const Split& b) {
  return a.id == b.id && a.direction == b.direction && a.parts == b.parts;
}

std::vector<const Pane*> panes_of(const Layout& layout) { return collected<const Pane>(layout); }
std::vector<Pane*> panes_of(Layout& layout) { return collected<Pane>(layout); }

const Pane* pane_of(const Layout& layout, PaneId id) { return found<const Pane>(layout, id); }
Pane* pane_of(Layout& layout, PaneId id) { return found<Pane>(layout, id); }

const View& focused_view(const Panes& panes) { return pane_of(panes.layout, panes.focus)->view; }
View& focused_view(Panes& panes) { return pane_of(panes.layout, panes.focus)->view; }

void split_pane(Layout& layout, PaneId at, SplitDirection direction, PaneId split, Pane added) {
  if (is_pane(layout, at)) {
    layout = halves(split, direction, std::move(layout), std::move(added));
    return;
  }
  const auto [parent, place] = parent_of(layout, at);
  if (parent == nullptr) return;
  if (parent->direction == direction) return insert_after(*parent, place, std::move(added));
  Layout& there = parent->parts[place].layout;
  there = halves(split, direction, std::move(there), std::move(added));
}

std::optional<PaneSize> size_of(const Layout& layout, PaneId id, const PaneSize& space) {
  if (is_pane(layout, id)) return space;
  const auto* split = std::get_if<Split>(&layout);
  if (split == nullptr) return std::nullopt;
  for (const Part& part : split->parts) {
    PaneSize own = space;
    (split->direction == SplitDirection::Right ? own.width : own.height) *= part.share;
    if (const auto size = size_of(part.layout, id, own)) return size;
  }
  return std::nullopt;
}

Panes panes_with_heads(std::size_t layers, std::size_t heads, const PaneSize& space) {
  constexpr double kBelow = 0.3, kBeside = 0.4;  // shares of the heads
  constexpr double kWords = 100.0;               // height around all heads: bar, names, notes
  constexpr double kLeastMap = 400.0;            // a map with less width is left out
  const auto side = [&](double width, double height) {
    return std::min((width - readable_width(0)) / static_cast<double>(heads),
                    (height - kWords) / static_cast<double>(layers));
  };
  const double below = side(space.width, kBelow * space.height);
  const bool beside = below < kReadableHead && side(kBeside * space.width, space.height) > below;
  const double length = beside ? space.width : space.height;
  const double least = beside ? kLeastPane.width : kLeastPane.height;
  const bool fits = length >= 2.0 * least &&
                    (beside ? space.height >= kLeastPane.height : space.width >= kLeastPane.width);
  if (layers * heads < 2 || !fits) return {};
  double share = std::max(beside ? kBeside : kBelow, least / length);
  const double readable = readable_width(heads) / space.width;
  if (beside && readable > share) {
    share = readable;
    if ((1.0 - share) * space.width < kLeastMap) return {Pane{1, {"heads", {}}}};
  }
  Split split{3, beside ? SplitDirection::Right : SplitDirection::Down, {}};
  split.parts.push_back({1.0 - share, Pane{}});
  split.parts.push_back({share, Pane{2, {"heads", {}}}});
  return {std::move(split)};
}

void close_pane(Layout& layout, PaneId id) {
  const auto [parent, place] = parent_of(layout, id);
  if (parent == nullptr) return;
  const double freed = parent->parts[place].share;
  parent->parts.erase(parent->parts.begin() + static_cast<std::ptrdiff_t>(place));
  parent->parts[place > 0 ? place - 1 : 0].share += freed;
  simplify(layout);
}

void move_edge(Layout& layout, PaneId id, std::size_t edge, double share) {
  Split* split = split_of(layout, id);
  if (split == nullptr || edge + 1 >= split->parts.size() || !(share == share)) return;
  double& before = split->parts[edge].share;
  double& after = split->parts[edge + 1].share;
  const double both = before + after;
  const double least = std::min(kLeastShare, both / 2.0);
  before = std::clamp(share, least, both - least);
  after = both - before;
}

PaneId neighbour(const Layout& layout, PaneId id, int by) {
  const std::vector<const Pane*> panes = panes_of(layout);
  const auto count = static_cast<std::int64_t>(panes.size());
  std::int64_t at = 0;
  while (at < count && panes[static_cast<std::size_t>(at)]->id != id) ++at;
  const std::int64_t next = ((at + by) % count + count) % count;
  return panes[static_cast<std::size_t>(next)]->id;
}

ShownPart part_of(const ViewOptions& options, const PartsOf& of) {
  if (of.tokens) return FirstTokens{options.first_query, options.first_key};
  return options.window;
}

void leave_part(Trail& trail, const ShownPart& left, const PartsOf& of, std::uint64_t gesture) {
  if (trail.of != of) trail = {of, {}, {}, 0};
  trail.future.clear();
  const bool same_gesture = std::exchange(trail.gesture, gesture) == gesture && gesture != 0;
  if (same_gesture) return;
  trail.past.push_back(left);
  if (trail.past.size() > kPartsKept) trail.past.erase(trail.past.begin());
}

ShownPart stepped(Trail& trail, ShownPart shown, int by) {
  std::vector<ShownPart>& from = by < 0 ? trail.past : trail.future;
  std::vector<ShownPart>& to = by < 0 ? trail.future : trail.past;
  for (int steps = std::abs(by); steps > 0 && !from.empty(); --steps) {
    to.push_back(std::exchange(shown, from.back()));
    from.pop_back();
  }
  trail.gesture = 0;
  return shown;
}
}  // namespace attn
