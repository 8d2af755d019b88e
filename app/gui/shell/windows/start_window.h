// Start page: recent files and examples as cards with thumbnails, which a job draws.
#pragma once

#include <cstddef>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "document/load/open.h"
#include "engine/job_queue.h"
#include "figure/figure.h"
#include "gui/ui/context.h"
#include "session/state.h"

namespace attn::gui {

struct Thumbnail {
  Figure figure;  // without text
  Rect part;      // the part to show, in units; may be empty
};

// Opens, computes and draws the example, which takes milliseconds. Thread-safe.
Thumbnail thumbnail_of(const Example& example, ThemeKind theme);

// Draws requested thumbnails one after the other on its own thread and caches them. UI thread only.
class Thumbnails {
 public:
  // Null until it is drawn. Thumbnails of one theme only are cached.
  const Thumbnail* of(const Example& example, ThemeKind theme);

  bool is_drawing() const;

 private:
  ThemeKind theme_ = ThemeKind::Dark;
  std::unordered_map<std::string_view, std::shared_future<Thumbnail>> by_name_;
  std::unique_ptr<JobQueue> jobs_;  // created on demand; last, so that it stops first
};

struct StartView {
  std::string search;
  std::size_t selected = 0;  // index among the shown cards
  bool scroll_to_selected = false;
  Thumbnails thumbnails;
};

// Up to the first full stop.
std::string_view first_sentence(std::string_view text);

// Examples with every word of `search` in their texts; matches in titles first.
std::vector<const Example*> matching_examples(std::string_view search);

// Row of each card, counted over all groups, each of which begins a row.
std::vector<std::size_t> card_rows(std::span<const Example* const> examples, std::size_t columns);

// The card `by` rows below `from`, in its column or the last of the row; `from` if there is none.
std::size_t card_below(std::span<const std::size_t> rows, std::size_t from, std::ptrdiff_t by);

// Explains attention in one sentence and, next to it, as a formula whose parts lead to the stages.
// Probe names: "start/attention", "start/formula/STAGE" for each part of the formula.
void attention_formula(Ui& ui, const AppState& state);

// Probe names: "start", "start/search", "start/new", "start/open", "start/recent/0", …,
// "start/guide", "start/shortcuts", "start/example/NAME", "start/close".
void start_window(Ui& ui, const AppState& state, StartView& view);

}  // namespace attn::gui
