// Decides when figures are drawn again.
#include "gui/panels/pane/figure_cache.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "gui/panels/pane/zoom.h"
#include "plot/kit/cells.h"

namespace attn::gui {
namespace {

// True if a derivation that this plot needs is pending or will be requested.
bool is_waiting(const AppState& state, const PlotEntry& plot, const PlotOptions& options) {
  const bool outdated = state.result_revision != state.revision;
  if (!has_layers(plot, *state.result, options)) return true;
  if (state.deriving.empty() && !outdated) return false;
  const PlotInput input{*state.result_document, *state.result, &state.derivations};
  return std::ranges::any_of(needs_of(plot, input, options), [&](const Need& need) {
    if (!need.awaited) return false;
    const bool under_way = std::ranges::find(state.deriving, need.key) != state.deriving.end();
    return under_way || state.derivations.find(need.key) == nullptr;
  });
}

bool has_needs(const PlotInput& input, const PlotEntry& plot, const PlotOptions& options) {
  return std::ranges::all_of(needs_of(plot, input, options), [&](const Need& need) {
    return need.only_for_files || input.derivations->find(need.key) != nullptr;
  });
}

// True if one of several matrices shows a text in its cells.
bool has_text_in_cells(const Figure& figure, const std::vector<const MatrixItem*>& matrices) {
  for (const FigureItem& item : figure.items) {
    const auto* text = std::get_if<TextItem>(&item);
    for (const MatrixItem* matrix : matrices) {
      if (text != nullptr && matrix->rect.contains(text->anchor)) return true;
    }
  }
  return false;
}

std::string_view why_without_numbers(const Result<Figure>& figure, const PlotEntry& plot,
                                     PlotOptions options, const TextMetrics& metrics) {
  if (!uses(plot, Option::Values)) return "";
  if (!figure) return "Nothing is drawn";
  const bool asks = std::exchange(options.values, true);
  std::vector<const MatrixItem*> all = model_matrices(*figure);
  const bool is_one = all.size() == 1;
  const MatrixItem* composed = find_matrix(*figure);  // of rows from several matrices
  if (all.empty() && composed != nullptr) all.push_back(composed);
  const bool can = is_one ? why_no_numbers(*figure, options, metrics).empty()
                          : !asks || all.empty() || has_text_in_cells(*figure, all);
  return can ? "" : "The cells are too small for their numbers";
}

}  // namespace

LookedAt::LookedAt(const AppState& state)
    : LookedAt(state, focused_view(state).options.tokens_as_written) {}

LookedAt::LookedAt(const AppState& state, bool spelled)
    : as_written(spelled ? std::optional(with_spelling(*state.result_document)) : std::nullopt),
      input{as_written ? *as_written : *state.result_document, *state.result, &state.derivations} {}

void FigureCache::draw(const ResultPtr& result, std::uint64_t revision, const PlotInput& input,
                       const PlotEntry& plot, const PlotOptions& options,
                       const TextMetrics& metrics) {
  const PlotOptions fitted = fitted_to(options, *result);
  const Key key{result, revision, &plot, fitted, input.derivations->version()};
  if (key_ == key) return;
  figure_ = draw_plot(plot, input, fitted, metrics);
  why_no_numbers_ = why_without_numbers(figure_, plot, fitted, metrics);
  key_ = key;
  ++draw_count_;
}

const Result<Figure>* FigureCache::figure(const AppState& state, const PlotEntry& plot,
                                          const PlotOptions& options, const TextMetrics& metrics) {
  if (!state.result) return key_ ? &figure_ : nullptr;
  const bool waits = is_waiting(state, plot, options);
  is_outdated_ = waits || state.result_revision != state.revision;
  if (!waits) {
    draw(state.result, state.result_revision,
         {*state.result_document, *state.result, &state.derivations}, plot, options, metrics);
    return &figure_;
  }
  if (state.older) {
    const OlderNumbers& older = *state.older;
    const PlotInput input{*older.document, *older.result, &older.derivations};
    if (has_needs(input, plot, options)) {
      draw(older.result, older.revision, input, plot, options, metrics);
    }
  }
  // A figure of another plot does not count as an older one.
  return key_ && key_->plot == &plot ? &figure_ : nullptr;
}

const Result<Figure>* FigureCache::figure(const AppState& state, const FigureSpec& spec,
                                          const TextMetrics& metrics) {
  const PlotEntry* plot = plot_named(spec.plot);
  if (!spec.layout) return plot == nullptr ? nullptr : figure(state, *plot, spec.options, metrics);
  if (!state.result) return nullptr;
  bool waits = false;
  const PlotInput input{*state.result_document, *state.result, &state.derivations};
  const auto draw = [&](const PlotEntry& one, const PlotOptions& options) {
    waits = waits || is_waiting(state, one, options);
    return draw_plot(one, input, options, metrics);
  };
  const Key key{state.result, state.result_revision,       plot,
                spec.options, state.derivations.version(), spec.layout};
  if (key_ != key) {
    figure_ = draw_layout(*spec.layout, input, spec.options, metrics, draw);
    key_ = key;
    if (waits) key_.reset();
  }
  return waits ? nullptr : &figure_;
}

}  // namespace attn::gui
