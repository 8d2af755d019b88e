// Rows of numbers, as far as they have arrived.
#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "plot/charts/story.h"

namespace attn {
namespace {

void add_cell(StoryScene& scene, const Rect& rect, const StoryCell& cell, double share,
              double strength) {
  constexpr double kFaint = 0.07, kDeep = 0.4;
  const FigureTheme& theme = scene.theme;
  const double depth = std::isnan(share) ? 0.0 : std::clamp(share, 0.0, 1.0);
  const Color tint = cell.hidden ? theme.hatch_background
                                 : mix(theme.background, cell.tint, kFaint + kDeep * depth);
  const Color under = faded(scene, tint, strength);
  scene.body.add(RectItem{.rect = rect.grown(-1.0),
                          .fill = under,
                          .stroke = cell.hidden ? faded(scene, theme.hatch, strength) : Color{},
                          .stroke_width = cell.hidden ? 1.0 : 0.0,
                          .radius = 2.0,
                          .hit = cell.hit});
  const FontStyle font = scene.number_font(cell.own || cell.hidden);
  std::string text = scene.number(cell.number);
  const bool is_tiny = std::abs(cell.number) < 1.0;  // rounded to 0 where its digits do not fit
  if (is_tiny && scene.metrics.measure(text, font).width > rect.width) {
    text = with_minus(fixed_text(cell.number, scene.options.decimals));
  }
  add_text(scene, rect, text, font, mix(under, theme.ink, strength), cell.hit);
}

}  // namespace

double eased(double part) {
  const double t = std::clamp(part, 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

void add_text(StoryScene& scene, const Rect& rect, const std::string& text, const FontStyle& font,
              Color color, const HitId& hit) {
  scene.body.add(text_in(rect, fitted(scene.metrics, text, font, rect.width), font, color, hit));
}

void add_word(StoryScene& scene, const Pen& pen, const Rect& rect, const std::string& text,
              Color color, const HitId& hit) {
  if (pen.strength <= 0.0) return;
  FontStyle font = scene.number_font();
  font.formula = std::holds_alternative<std::monostate>(hit);
  if (!font.formula) scene.body.add(RectItem{.rect = rect, .hit = hit});
  add_text(scene, rect.grown(-1.0), text, font, faded(scene, color, pen.strength), hit);
}

void add_label(StoryScene& scene, const Pen& pen, const std::string& text, double rows) {
  if (pen.strength <= 0.0) return;
  FontStyle font = scene.number_font();
  font.formula = true;
  const std::string label = fitted(scene.metrics, text, font, scene.gutter - 4.0 * kStoryMark);
  scene.body.add(text_item({3.0 * kStoryMark, scene.y + (rows - 0.5) * scene.row}, label, font,
                           pen.is_current ? scene.theme.ink : scene.theme.muted, HAlign::Left,
                           VAlign::Middle));
}

double largest_number(std::span<const double> numbers) {
  double most = 1e-30;
  for (const double number : numbers) {
    if (std::isfinite(number)) most = std::max(most, std::abs(number));
  }
  return most;
}

void add_row(StoryScene& scene, const Pen& pen, const StoryRow& row) {
  add_label(scene, pen, row.label);
  std::vector<double> numbers;
  for (const StoryCell& cell : row.cells) numbers.push_back(cell.number);
  const double most = largest_number(numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double own = pen.glide * static_cast<double>(numbers.size() + 1) - static_cast<double>(i);
    const double turn = eased(row.in_turn ? own : pen.glide);
    Rect rect = scene.place(row.first + i);
    rect.y += (1.0 - turn) * row.from * scene.row;
    if (row.cells[i].hidden) rect = rect.grown((1.0 - turn) * 0.4 * scene.row);
    if (pen.strength * turn > 0.0) {
      add_cell(scene, rect, row.cells[i], std::abs(numbers[i]) / most, pen.strength * turn);
    }
  }
  const Rect after = scene.place(row.first + numbers.size());
  if (row.goes_on) add_word(scene, pen, after, "…", scene.theme.muted);
  scene.y += scene.row;
}

}  // namespace attn
