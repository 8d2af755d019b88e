// The figure on screen, kept until something that it shows has changed.
#pragma once

#include <optional>

#include "figure/text.h"
#include "plot/all_plots.h"
#include "session/state.h"

namespace attn::gui {

// The result that is looked at and the document it was computed from. Lives for a frame: it borrows
// from the state. Precondition: there is a result.
class LookedAt {
 public:
  // Tokens are spelt as in the pane with the focus, or as it is said.
  explicit LookedAt(const AppState& state);
  LookedAt(const AppState& state, bool as_written);
  LookedAt(const LookedAt&) = delete;
  LookedAt& operator=(const LookedAt&) = delete;

  PlotInput input() const { return {*document_, result_, &derivations_}; }

 private:
  std::optional<Document> as_written_;
  const Document* document_;
  const AttentionResult& result_;
  const Derivations& derivations_;
};

// One per canvas.
class FigureCache {
 public:
  // Draws only when result, document, plot, options or what was derived for it differ from the last
  // call. The plot's refusal where it has nothing to show. While what it needs is on its way, the
  // figure of the newest numbers for which it is there; null as long as there is none.
  const Result<Figure>* figure(const AppState& state, const PlotEntry& plot,
                               const PlotOptions& options, const TextMetrics& metrics);

  // The figure is of an older state: a result or what the plot needs is still being computed.
  bool is_older() const { return is_older_; }

  // Why the cells of the figure have no numbers, whether or not they are asked for; empty where
  // they have, or could.
  std::string_view why_no_numbers() const { return why_no_numbers_; }

  // How often a plot was drawn, for tests.
  int draw_count() const { return draw_count_; }

 private:
  // Numbers that a figure can be of. Borrowed.
  struct Numbers {
    const ResultPtr& result;
    const Document& document;
    std::uint64_t revision;
    const Derivations& derivations;
  };
  static bool has_needs(const Numbers& numbers, const PlotEntry& plot, const PlotOptions& options);
  void draw(const Numbers& numbers, const PlotEntry& plot, const PlotOptions& options,
            const TextMetrics& metrics);

  struct Key {
    ResultPtr result;
    std::uint64_t revision = 0;
    const PlotEntry* plot = nullptr;
    PlotOptions options;
    std::uint64_t derivations = 0;  // their version
  };
  std::optional<Key> key_;
  Result<Figure> figure_ = Figure{};
  std::string_view why_no_numbers_;
  bool is_older_ = false;
  int draw_count_ = 0;
};

}  // namespace attn::gui
