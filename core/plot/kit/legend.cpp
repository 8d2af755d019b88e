// Drawing of legends, and the key of the hatching of maps.
#include "plot/kit/legend.h"

#include <algorithm>
#include <memory>

#include "base/special_numbers.h"
#include "engine/matrix/derived.h"
#include "plot/kit/cells.h"

namespace attn {
namespace {

constexpr double kSwatch = 1.6;          // width, in font sizes
constexpr std::size_t kLegendLines = 8;  // per entry

// Scale of swatches that have only hatching.
ColorScale any_scale() { return {&all_colormaps().front(), 0.0F, 1.0F}; }

// A cell with the pattern of these rules.
void add_swatch(Figure& figure, const Drawing& drawing, HiddenRules rules, const ColorScale& scale,
                Point at) {
  const Rect rect{at.x, at.y, kSwatch * drawing.font(), 0.95 * drawing.font()};
  auto cell = std::make_shared<const MatrixCells>(MatrixCells{1, 1, {kNaN}, {rules}, {}});
  figure.add(whole_item(rect, std::move(cell), scale, drawing.theme));
  figure.add(RectItem{.rect = rect, .stroke = drawing.theme.muted, .stroke_width = 0.5});
}

// The rules that hide cells in view.
HiddenRules rules_in(const Figure& maps) {
  HiddenRules rules = kVisible;
  for (const FigureItem& item : maps.items) {
    const auto* m = std::get_if<MatrixItem>(&item);
    if (m == nullptr || !has_cells(*m) || m->cells->hidden.empty()) continue;
    each_shown(*m, [&](std::size_t i) { rules |= m->cells->hidden[i]; });
  }
  return rules;
}

}  // namespace

Figure legend_figure(const Drawing& drawing, std::span<const LegendEntry> legend,
                     const ColorScale& scale, double width, bool offers) {
  const double size = drawing.font(), line = words_line(size);
  const FontStyle font = words_font(size);
  Figure figure{.width = width};
  Point at;
  for (const LegendEntry& entry : legend) {
    const bool opens = entry.range && offers;
    const std::string text = entry.text + (opens ? "\u00A0▾" : "");
    const double swatch = entry.look == CellLook::Mapped ? 0.0 : kSwatch * size + 0.5 * size;
    const double length = swatch + drawing.metrics.measure(text, font).width;
    if (at.x > 0.0 && at.x + length > width) at = {0.0, at.y + line};
    if (swatch > 0.0) add_swatch(figure, drawing, entry.rules, scale, at);
    const auto lines = wrapped(drawing.metrics, text, font, width - at.x - swatch, kLegendLines);
    TextItem first = text_item({at.x + swatch, at.y + 0.8 * size}, "", font, drawing.theme.muted);
    if (opens) {
      first.hit = ColorBarHit{true};
      const double height = static_cast<double>(lines.size()) * line;
      figure.add(
          RectItem{.rect = {at.x, at.y, std::min(length, width - at.x), height}, .hit = first.hit});
    }
    add_lines(figure, lines, std::move(first), line);
    // The next entry begins below one of several lines.
    at.x = lines.size() > 1 ? width : at.x + length + 1.8 * size;
    at.y += lines.empty() ? 0.0 : static_cast<double>(lines.size() - 1) * line;
  }
  figure.height = legend.empty() ? 0.0 : at.y + line;
  return figure;
}

std::vector<LegendEntry> hatching_entries(const MatrixId& id, HiddenRules rules) {
  std::vector<LegendEntry> entries;
  for (const Hatch& hatch : all_hatches()) {
    const auto of_it = static_cast<HiddenRules>(rules & hatch.rules);
    if (of_it != kVisible) {
      entries.push_back({CellLook::Hidden, hidden_words(id, of_it), false, of_it});
    }
  }
  return entries;
}

void add_legend(Page& page, std::span<const LegendEntry> legend, bool offers) {
  if (legend.empty()) return;
  page.add_part(legend_figure(page.drawing(), legend, any_scale(), page.width(), offers));
  page.add_space(-0.4 * page.drawing().font());  // words follow as after other words
}

void add_hatching_key(Page& page, const Figure& maps) {
  add_legend(page, hatching_entries({}, rules_in(maps)));
}

double hatching_height(const Drawing& drawing, double width) {
  const HeadAddress& at = drawing.options.at;
  const MatrixPtr weights = stage_matrix(borrowed(drawing.result), {Stage::Weights, at});
  if (weights == nullptr) return 0.0;
  return legend_figure(drawing, hatching_entries({}, weights->rules()), any_scale(), width).height;
}

}  // namespace attn
