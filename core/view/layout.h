// How the panes of a document share the room: a tree whose leaves are panes, each with its view. A
// value; every function here is pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "view/options.h"

namespace attn {

inline constexpr std::string_view kUsualPlot = "heatmap";

// What a pane shows: a plot by its name, and all that is set of it.
struct View {
  std::string plot{kUsualPlot};  // name in the list of plots
  ViewOptions options;
  friend bool operator==(const View&, const View&) = default;
};

// Names a pane or a split for as long as its document is open; never 0, and never given again.
using PaneId = std::uint64_t;

struct Pane {
  PaneId id = 1;
  View view;
  bool linked = true;  // follows the attention, layer, sample and head of the other linked panes
  friend bool operator==(const Pane&, const Pane&) = default;
};

enum class SplitDirection { Right, Down };

struct Part;

// Parts side by side, or one below the other; at least two. Shares are above 0 and sum to 1.
struct Split {
  PaneId id = 0;
  SplitDirection direction = SplitDirection::Right;
  std::vector<Part> parts;
  friend bool operator==(const Split&, const Split&);
};

using Layout = std::variant<Pane, Split>;

struct Part {
  double share = 1.0;
  Layout layout;
  friend bool operator==(const Part&, const Part&) = default;
};

// A layout with the pane that is at work.
struct Panes {
  Layout layout = Pane{};
  PaneId focus = 1;        // a pane of the layout
  bool maximised = false;  // it is shown alone
  friend bool operator==(const Panes&, const Panes&) = default;
};

inline constexpr std::size_t kMostPanes = 16;
inline constexpr double kLeastShare = 0.08;

// From left to right and from top to bottom; never none. Borrowed.
std::vector<const Pane*> panes_of(const Layout& layout);
std::vector<Pane*> panes_of(Layout& layout);

// Null when there is none of that name.
const Pane* pane_of(const Layout& layout, PaneId id);
Pane* pane_of(Layout& layout, PaneId id);

// The view of the pane at work.
const View& focused_view(const Panes& panes);
View& focused_view(Panes& panes);

// Halves the room of `at` and puts `added` into the second half. Nothing when `at` is not there.
void split_pane(Layout& layout, PaneId at, SplitDirection direction, PaneId split, Pane added);

// Gives its room to its neighbours. The last pane stays.
void close_pane(Layout& layout, PaneId id);

// Moves the edge behind part `edge` of the split so that this part has `share` of it; both parts
// beside the edge keep at least kLeastShare.
void move_edge(Layout& layout, PaneId split, std::size_t edge, double share);

// The pane that comes `by` places after `id` in reading order, round and round.
PaneId neighbour(const Layout& layout, PaneId id, int by);

}  // namespace attn
