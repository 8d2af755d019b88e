// When figures are drawn anew.
#include "gui/panels/pane/figure_cache.h"

#include <algorithm>

#include "plot/needs.h"

namespace attn::gui {
namespace {

// Something that this plot needs is on its way, whatever others wait for.
bool is_waiting(const AppState& state, const PlotEntry& plot, const PlotOptions& options) {
  if (state.deriving.empty()) return false;
  const PlotInput input{*state.result_document, *state.result, &state.derivations};
  return std::ranges::any_of(needs_of(plot, input, options), [&](const Need& need) {
    return need.awaited && std::ranges::find(state.deriving, need.key) != state.deriving.end();
  });
}

}  // namespace

LookedAt::LookedAt(const AppState& state, AttentionPart attention)
    : document_(state.result_document.get()),
      result_(state.result->attended(attention)),
      derivations_(state.derivations) {
  if (attentions_of(*document_).size() == 1) return;
  of_attention_ = attended(*document_, attention);
  document_ = &*of_attention_;
}

const Result<Figure>* FigureCache::figure(const AppState& state, const PlotEntry& plot,
                                          const PlotOptions& options, const TextMetrics& metrics) {
  if (!state.result) return key_ ? &figure_ : nullptr;
  const bool waits = is_waiting(state, plot, options);
  is_older_ = waits || state.result_revision != state.revision;
  // Another plot's figure is no older one of this.
  if (waits) return key_ && key_->plot == &plot ? &figure_ : nullptr;
  const PlotOptions fitted = fitted_to(options, *state.result);
  if (key_ && key_->result == state.result && key_->revision == state.result_revision &&
      key_->plot == &plot && key_->options == fitted &&
      key_->derivations == state.derivations.version()) {
    return &figure_;
  }
  figure_ =
      draw_plot(plot, {*state.result_document, *state.result, &state.derivations}, fitted, metrics);
  key_ = Key{state.result, state.result_revision, &plot, fitted, state.derivations.version()};
  ++draw_count_;
  return &figure_;
}

}  // namespace attn::gui
