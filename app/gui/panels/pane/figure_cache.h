// Cache of the figure on screen, valid until its inputs change.
#pragma once

#include <optional>

#include "figure/text.h"
#include "plot/all_plots.h"
#include "session/figure_file.h"
#include "session/state.h"

namespace attn::gui {

// The shown result and the document it was computed from. Lives for a frame, as it borrows from the
// state. Precondition: there is a result.
struct LookedAt {
  // Tokens are spelled as in the focused pane, or as written if given.
  explicit LookedAt(const AppState& state);
  LookedAt(const AppState& state, bool spelled);
  LookedAt(const LookedAt&) = delete;
  LookedAt& operator=(const LookedAt&) = delete;

  const std::optional<Document> as_written;
  const PlotInput input;
};

// One per canvas.
class FigureCache {
 public:
  // Draws only if result, document, plot, options or derivations differ from the last call. Returns
  // the plot's error when it has nothing to show. While derivations are pending, returns the figure
  // of the latest numbers that have them; null without one.
  const Result<Figure>* figure(const AppState& state, const PlotEntry& plot,
                               const PlotOptions& options, const TextMetrics& metrics);

  // The figure of an export, of one plot or several; null while one of them is computed.
  const Result<Figure>* figure(const AppState& state, const FigureSpec& spec,
                               const TextMetrics& metrics);

  // True if the figure shows an older state: a result or a derivation is still being computed.
  bool is_outdated() const { return is_outdated_; }

  // Why the cells of the figure cannot show numbers, whether or not the option is on; empty if they
  // can.
  std::string_view why_no_numbers() const { return why_no_numbers_; }

  // Number of times that a plot was drawn, for tests.
  int draw_count() const { return draw_count_; }

 private:
  void draw(const ResultPtr& result, std::uint64_t revision, const PlotInput& input,
            const PlotEntry& plot, const PlotOptions& options, const TextMetrics& metrics);

  struct Key {
    ResultPtr result;
    std::uint64_t revision = 0;
    const PlotEntry* plot = nullptr;
    PlotOptions options;
    std::uint64_t derivations = 0;      // version of the derivations
    std::optional<Layout> layout = {};  // of several plots
    friend bool operator==(const Key&, const Key&) = default;
  };
  std::optional<Key> key_;
  Result<Figure> figure_ = Figure{};
  std::string_view why_no_numbers_;
  bool is_outdated_ = false;
  int draw_count_ = 0;
};

}  // namespace attn::gui
