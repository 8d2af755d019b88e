// The start page: what was open, and the examples by what they are about.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "document/open.h"
#include "gui/shell/windows/thumbnails.h"
#include "gui/ui/context.h"
#include "session/state.h"

namespace attn::gui {

struct StartView {
  bool was_open = false;
  std::string search;
  std::size_t selected = 0;  // of the cards that are shown
  bool scroll_to_selected = false;
  Thumbnails thumbnails;
};

// Up to the first full stop.
std::string_view first_sentence(std::string_view text);

// Those with every word of `search` in what they say of themselves; in their titles first.
std::vector<const Example*> matching_examples(std::string_view search);

// Where a card stands: rows are counted over all groups, each of which begins a row.
struct CardPlace {
  std::size_t row = 0, column = 0;
  friend bool operator==(const CardPlace&, const CardPlace&) = default;
};
std::vector<CardPlace> card_places(std::span<const Example* const> examples, std::size_t columns);

// The card `by` rows below `from`, in its column or the last of the row; `from` where there is
// none.
std::size_t card_below(std::span<const CardPlace> places, std::size_t from, int by);

// Probe names: "start", "start/search", "start/new", "start/open", "start/recent/0", …,
// "start/guide", "start/shortcuts", "start/example/NAME", "start/close".
void start_window(Ui& ui, const AppState& state, StartView& view);

}  // namespace attn::gui
