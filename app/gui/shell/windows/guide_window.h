// The guide for users as a window: its headings, its text, and a search in it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gui/ui/context.h"
#include "gui/ui/markdown.h"
#include "session/state.h"

namespace attn::gui {

struct GuideView {
  bool was_open = false;
  std::string search;
  std::size_t match = 0;              // which of those found is looked at
  std::optional<double> scroll_to{};  // units from the top of the text
  std::vector<TextBlock> blocks;      // read when it is opened for the first time
  PlacedText text;                    // for `width`
  double width = 0.0;                 // units
  std::vector<std::string> folded{};  // of the items of `text`, for the search
  std::vector<std::size_t> found{};   // items with what is searched
  std::string found_for{};            // the search that they are of
};

// Probe names: "guide", "guide/search", "guide/found", "guide/previous", "guide/next",
// "guide/heading/0", …, "guide/item/0", … of what is in view, "guide/link/TARGET", "guide/close".
void guide_window(Ui& ui, const AppState& state, GuideView& view);

}  // namespace attn::gui
