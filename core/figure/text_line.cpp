// Conversion between byte offsets and Pango's units and trailing counts.
#include "figure/text_line.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/utf8.h"
#include "figure/letters.h"
#include "figure/pango_layout.h"

namespace attn {
namespace {

constexpr double kPangoUnit = PANGO_SCALE;

PangoLayoutLine* only_line(PangoLayout* layout) {
  return pango_layout_get_line_readonly(layout, 0);
}

// Pango reports a code point and the number of `trailing` ones.
std::size_t offset_of(PangoLayout* layout, int index, int trailing) {
  const std::string_view text = pango_layout_get_text(layout);
  auto at = static_cast<std::size_t>(index);
  for (; trailing > 0 && at < text.size(); --trailing) at += code_point_at(text, at).length;
  return at;
}

// Adjacent letters of one direction and font.
struct TextRun {
  std::size_t first, end;  // bytes
  double left, right;
  bool right_to_left;
  double begin_x() const { return right_to_left ? right : left; }
  double end_x() const { return right_to_left ? left : right; }
};

// In visual order.
std::vector<TextRun> runs_of(PangoLayout* layout) {
  std::vector<TextRun> runs;
  PangoLayoutIter* const iter = pango_layout_get_iter(layout);
  do {
    const PangoLayoutRun* const run = pango_layout_iter_get_run_readonly(iter);
    if (run == nullptr) continue;
    PangoRectangle logical;
    pango_layout_iter_get_run_extents(iter, nullptr, &logical);
    const auto first = static_cast<std::size_t>(run->item->offset);
    runs.push_back({first, first + static_cast<std::size_t>(run->item->length),
                    logical.x / kPangoUnit, (logical.x + logical.width) / kPangoUnit,
                    run->item->analysis.level % 2 != 0});
  } while (pango_layout_iter_next_run(iter) != FALSE);
  pango_layout_iter_free(iter);
  return runs;
}

double leading_x(PangoLayout* layout, std::size_t at) {
  int x = 0;
  pango_layout_line_index_to_x(only_line(layout), static_cast<int>(at), FALSE, &x);
  return x / kPangoUnit;
}

void add_range(std::vector<XRange>& ranges, XRange range) {
  const bool touches = !ranges.empty() && range.left <= ranges.back().right;
  if (touches) {
    ranges.back().right = range.right;
  } else if (range.left < range.right) {
    ranges.push_back(range);
  }
}

}  // namespace

void TextLine::Release::operator()(_PangoLayout* layout) const { g_object_unref(layout); }

TextLine::TextLine(std::string_view text, const FontStyle& font)
    : layout_(make_layout(same_length_utf8(text), font).release()) {}

double TextLine::width() const {
  PangoRectangle logical;
  pango_layout_get_extents(layout_.get(), nullptr, &logical);
  return logical.width / kPangoUnit;
}

bool TextLine::right_to_left() const {
  return pango_layout_line_get_resolved_direction(only_line(layout_.get())) == PANGO_DIRECTION_RTL;
}

double TextLine::caret_x(std::size_t at) const {
  PangoRectangle strong;
  pango_layout_get_cursor_pos(layout_.get(), static_cast<int>(at), &strong, nullptr);
  return strong.x / kPangoUnit;
}

std::size_t TextLine::nearest_of_all(double x) const {
  const std::vector<std::size_t> borders = letter_borders(pango_layout_get_text(layout_.get()));
  const auto distance = [&](std::size_t at) { return std::abs(caret_x(at) - x); };
  return *std::min_element(borders.begin(), borders.end(),
                           [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
}

std::size_t TextLine::caret_near(double x) const {
  const int x_units = static_cast<int>(std::lround(std::clamp(x, 0.0, width()) * kPangoUnit));
  int index = 0, trailing = 0;
  pango_layout_xy_to_index(layout_.get(), x_units, 0, &index, &trailing);
  const std::size_t at = offset_of(layout_.get(), index, trailing);
  PangoRectangle strong, weak;
  pango_layout_get_cursor_pos(layout_.get(), static_cast<int>(at), &strong, &weak);
  // Where directions meet, the caret of the hit edge is drawn elsewhere.
  return strong.x == weak.x ? at : nearest_of_all(x);
}

std::size_t TextLine::caret_beside(std::size_t at, int direction) const {
  int index = 0, trailing = 0;
  pango_layout_move_cursor_visually(layout_.get(), TRUE, static_cast<int>(at), 0, direction, &index,
                                    &trailing);
  const bool beyond = index < 0 || index == std::numeric_limits<int>::max();
  return beyond ? at : offset_of(layout_.get(), index, trailing);
}

std::size_t TextLine::caret_left(std::size_t at) const { return caret_beside(at, -1); }
std::size_t TextLine::caret_right(std::size_t at) const { return caret_beside(at, 1); }

// Pango's ranges end before the last vowel sign of a run; the edges of runs, and of letters within
// them, are correct.
std::vector<XRange> TextLine::ranges(std::size_t first, std::size_t end) const {
  std::vector<XRange> ranges;
  for (const TextRun& run : runs_of(layout_.get())) {
    if (end <= run.first || first >= run.end) continue;
    const double from = first <= run.first ? run.begin_x() : leading_x(layout_.get(), first);
    const double to = end >= run.end ? run.end_x() : leading_x(layout_.get(), end);
    add_range(ranges, {std::min(from, to), std::max(from, to)});
  }
  return ranges;
}

}  // namespace attn
