// When figures are drawn anew.
#include "gui/panels/figure_cache.h"

namespace attn::gui {

LookedAt::LookedAt(const AppState& state)
    : document_(state.result_document.get()),
      result_(shown_result(state)),
      derivations_(state.derivations) {
  if (attentions_of(*document_).size() == 1) return;
  of_attention_ = attended(*document_, focused_view(state).options.attention);
  document_ = &*of_attention_;
}

const Result<Figure>* FigureCache::figure(const AppState& state, const PlotEntry& plot,
                                          const PlotOptions& options, const TextMetrics& metrics) {
  if (!state.result) return key_ ? &figure_ : nullptr;
  is_older_ = !state.deriving.empty() || state.result_revision != state.revision;
  // Another plot's figure is no older one of this.
  if (!state.deriving.empty()) return key_ && key_->plot == &plot ? &figure_ : nullptr;
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
