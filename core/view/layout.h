// Panes of a document: a tree whose leaves are panes, each with a view, and the parts that a pane
// has shown. Values; all functions are pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "view/options.h"

namespace attn {

inline constexpr std::string_view kUsualPlot = "heatmap";

struct View {
  std::string plot{kUsualPlot};  // name in the list of plots
  ViewOptions options;
  friend bool operator==(const View&, const View&) = default;
};

// Id of a pane or a split, unique while its document is open; never 0, never reused.
using PaneId = std::uint64_t;

struct Pane {
  PaneId id = 1;
  View view;
  bool linked = true;  // follows the attention, layer, sample and head of the other linked panes
  std::string opened_from = {};  // plot whose head or pair was clicked to open this map; "": none
  friend bool operator==(const Pane& a, const Pane& b) {
    return a.id == b.id && a.view == b.view && a.linked == b.linked;
  }
};

enum class SplitDirection { Right, Down };

struct Part;

// Parts side by side or stacked; at least two. Shares are positive and sum to 1.
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

struct Panes {
  Layout layout = Pane{};
  PaneId focus = 1;        // a pane of the layout
  bool maximised = false;  // only the focused pane is shown
  friend bool operator==(const Panes&, const Panes&) = default;
};

inline constexpr std::size_t kMostPanes = 16;
inline constexpr double kLeastShare = 0.08;

// Size of a pane or of all panes, units.
struct PaneSize {
  double width = 0.0, height = 0.0;
  friend bool operator==(const PaneSize&, const PaneSize&) = default;
};
inline constexpr PaneSize kLeastPane{220.0, 160.0};  // of a pane that is made by splitting

// Panes in reading order; never empty. Borrowed.
std::vector<const Pane*> panes_of(const Layout& layout);
std::vector<Pane*> panes_of(Layout& layout);

// Null when there is none with that id.
const Pane* pane_of(const Layout& layout, PaneId id);
Pane* pane_of(Layout& layout, PaneId id);

// Size of a pane where all panes have `space`; nothing when there is none with that id.
std::optional<PaneSize> size_of(const Layout& layout, PaneId id, const PaneSize& space);

// Side of a head, with its gap, at which it can be read, and the width of a pane for that many of
// them and the names of layers.
inline constexpr double kReadableHead = 46.0;
inline double readable_width(std::size_t heads) {
  constexpr double kLayerNames = 60.0;
  return kLayerNames + kReadableHead * static_cast<double>(heads);
}

// The usual view of a document and all its heads: below it, or at the right if they can be read
// there alone or are drawn larger. One pane for one head, or if two do not fit.
Panes panes_with_heads(std::size_t layers, std::size_t heads, const PaneSize& space);

const View& focused_view(const Panes& panes);
View& focused_view(Panes& panes);

// Splits the space of `at` in halves and puts `added` into the second. No effect without `at`.
void split_pane(Layout& layout, PaneId at, SplitDirection direction, PaneId split, Pane added);

// Gives the space of a pane to its neighbour. The last pane stays.
void close_pane(Layout& layout, PaneId id);

// Moves the edge behind part `edge` of the split so that the part gets `share`; both parts at the
// edge keep at least kLeastShare.
void move_edge(Layout& layout, PaneId split, std::size_t edge, double share);

// The pane `by` places after `id` in reading order, cyclically.
PaneId neighbour(const Layout& layout, PaneId id, int by);

inline constexpr std::size_t kPartsKept = 100;  // before the current part, and after it

// First visible tokens of each side in a plot of lines.
struct FirstTokens {
  std::size_t query = 0, key = 0;
  friend bool operator==(const FirstTokens&, const FirstTokens&) = default;
};

// Part of the cells, or of the tokens.
using ShownPart = std::variant<CellWindow, FirstTokens>;

// Extent of a matrix whose parts are shown, as cells or as tokens.
struct PartsOf {
  std::size_t rows = 0, cols = 0;
  bool tokens = false;
  friend bool operator==(const PartsOf&, const PartsOf&) = default;
};

struct Trail {
  PartsOf of;
  std::vector<ShownPart> past;    // the newest last
  std::vector<ShownPart> future;  // left by going back, the nearest last
  std::uint64_t gesture = 0;      // gesture that added the newest past part; 0: none
  friend bool operator==(const Trail&, const Trail&) = default;
};

// State of a pane that is not part of its view; not saved.
struct PaneMemory {
  Trail trail;
  std::string colormap_before;  // replaced by the safe colours; empty: none
};

// The part in view; the options have both kinds.
ShownPart part_of(const ViewOptions& options, const PartsOf& of);

// Records that `left` is no longer in view. Changes of one gesture record one part; drops parts of
// another extent than `of`, and the parts to go forward to.
void leave_part(Trail& trail, const ShownPart& left, const PartsOf& of, std::uint64_t gesture);

// The part `by` steps from `shown`: back (below 0) or forward, as far as recorded.
ShownPart stepped(Trail& trail, ShownPart shown, int by);
}  // namespace attn
