#include "gui/panels/figure_cache.h"

namespace attn::gui {
LookedAt::LookedAt(const AppState& state)
    : document_(state.result_document.get()), result_(shown_result(state)) {
  if (attentions_of(*document_).size() == 1) return;
  of_attention_ = attended(*document_, focused_view(state).options.attention);
  document_ = &*of_attention_;
}

const Result<Figure>* FigureCache::figure(const AppState& state, const PlotEntry& plot,
                                          const PlotOptions& options, const TextMetrics& metrics) {
  if (!state.result) return key_ ? &figure_ : nullptr;
  const PlotOptions fitted = fitted_to(options, *state.result);
  if (key_ && key_->result == state.result && key_->revision == state.result_revision &&
      key_->plot == &plot && key_->options == fitted) {
    return &figure_;
  }
  figure_ = draw_plot(plot, {*state.result_document, *state.result}, fitted, metrics);
  key_ = Key{state.result, state.result_revision, &plot, fitted};
  ++draw_count_;
  return &figure_;
}

}  // namespace attn::gui
