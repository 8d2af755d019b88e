#include "gui/panels/figure_cache.h"

#include <tuple>

namespace attn::gui {
namespace {

auto parts(const PlotOptions& o) {
  return std::tie(o.view, o.window, o.theme, o.width, o.height, o.font_size, o.decimals,
                  o.range_low, o.range_high, o.pooling, o.pixel_budget, o.step, o.kernel, o.derived,
                  o.residual, o.title, o.pins, o.highlight);
}

}  // namespace

bool same_options(const PlotOptions& a, const PlotOptions& b) { return parts(a) == parts(b); }

LookedAt::LookedAt(const AppState& state)
    : document_(state.result_document.get()), result_(shown_result(state)) {
  if (!shows_self(state)) return;
  of_self_ = attended(*document_, AttentionPart::Self);
  document_ = &*of_self_;
}

const Result<Figure>* FigureCache::figure(const AppState& state, const PlotEntry& plot,
                                          const PlotOptions& options, const TextMetrics& metrics) {
  if (!state.result) return key_ ? &figure_ : nullptr;
  const PlotOptions fitted = fitted_to(options, *state.result);
  if (key_ && key_->result == state.result && key_->revision == state.result_revision &&
      key_->plot == &plot && same_options(key_->options, fitted)) {
    return &figure_;
  }
  figure_ = draw_plot(plot, {*state.result_document, *state.result}, fitted, metrics);
  key_ = Key{state.result, state.result_revision, &plot, fitted};
  ++draw_count_;
  return &figure_;
}

}  // namespace attn::gui
