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

const Document* document_of_result(const AppState& state) {
  if (!state.result) return nullptr;
  if (state.result_revision == state.revision) return &state.document;
  for (const auto* snapshots : {&state.history.past, &state.history.future}) {
    for (auto at = snapshots->rbegin(); at != snapshots->rend(); ++at) {
      if (at->revision == state.result_revision) return &at->document;
    }
  }
  return nullptr;
}

LookedAt::LookedAt(const AppState& state)
    : document_(document_of_result(state)), result_(shown_result(state)) {
  if (!shows_self(state)) return;
  of_self_ = attended(*document_, AttentionPart::Self);
  document_ = &*of_self_;
}

const Result<Figure>* FigureCache::figure(const AppState& state, const PlotEntry& plot,
                                          const PlotOptions& options, const TextMetrics& metrics) {
  const Document* document = document_of_result(state);
  if (document == nullptr) return key_ ? &figure_ : nullptr;
  const PlotOptions fitted = fitted_to(options, *state.result);
  if (key_ && key_->result == state.result && key_->revision == state.result_revision &&
      key_->plot == &plot && same_options(key_->options, fitted)) {
    return &figure_;
  }
  figure_ = draw_plot(plot, {*document, *state.result}, fitted, metrics);
  key_ = Key{state.result, state.result_revision, &plot, fitted};
  ++draw_count_;
  return &figure_;
}

}  // namespace attn::gui
