// Borders of letters and words from Pango's attributes of code points, and conversion between byte
// offsets and Pango's units and trailing counts.
#include "figure/letters.h"

#include <pango/pango.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/utf8.h"
#include "figure/pango_layout.h"

namespace attn {
namespace {

// One entry per code point and one for the end.
struct Breaks {
  std::vector<std::size_t> offsets;
  std::vector<PangoLogAttr> attributes;
};

Breaks breaks_of(std::string_view text) {
  const std::string valid = same_length_utf8(text);
  Breaks breaks;
  for (std::size_t at = 0; at < valid.size(); at += code_point_at(valid, at).length) {
    breaks.offsets.push_back(at);
  }
  breaks.offsets.push_back(valid.size());
  breaks.attributes.resize(breaks.offsets.size());
  // A fixed language makes the result independent of the locale.
  pango_get_log_attrs(valid.c_str(), static_cast<int>(valid.size()), -1,
                      pango_language_from_string("en"), breaks.attributes.data(),
                      static_cast<int>(breaks.attributes.size()));
  return breaks;
}

using IsBorder = bool (*)(const PangoLogAttr&);

bool is_letter_border(const PangoLogAttr& a) { return a.is_cursor_position != 0; }
// A word that begins at the end of another (Thai) has both flags.
bool is_word_start(const PangoLogAttr& a) { return a.is_word_start != 0; }
bool is_word_end(const PangoLogAttr& a) { return a.is_word_end != 0; }
bool is_typed_in_parts(const PangoLogAttr& a) { return a.backspace_deletes_character != 0; }
bool is_any(const PangoLogAttr& /*a*/) { return true; }
bool is_boundary(const PangoLogAttr& a) { return a.is_word_boundary != 0; }

std::size_t border_after(const Breaks& breaks, std::size_t at, IsBorder is_border) {
  for (std::size_t i = 0; i < breaks.offsets.size(); ++i) {
    if (breaks.offsets[i] > at && is_border(breaks.attributes[i])) return breaks.offsets[i];
  }
  return breaks.offsets.back();
}

std::size_t border_before(const Breaks& breaks, std::size_t at, IsBorder is_border) {
  for (std::size_t i = breaks.offsets.size(); i-- > 0;) {
    if (breaks.offsets[i] < at && is_border(breaks.attributes[i])) return breaks.offsets[i];
  }
  return 0;
}

bool is_border_at(const Breaks& breaks, std::size_t at, IsBorder is_border) {
  const auto here = std::lower_bound(breaks.offsets.begin(), breaks.offsets.end(), at);
  return is_border(breaks.attributes[static_cast<std::size_t>(here - breaks.offsets.begin())]);
}

constexpr double kPangoUnit = PANGO_SCALE;

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

// Returns the runs in visual order.
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

std::string folded(std::string_view text) {
  const std::string valid = same_length_utf8(text);
  const std::unique_ptr<char, decltype(&g_free)> cased(
      g_utf8_casefold(valid.data(), static_cast<gssize>(valid.size())), &g_free);
  const std::unique_ptr<char, decltype(&g_free)> composed(
      g_utf8_normalize(cased.get(), -1, G_NORMALIZE_NFKC), &g_free);
  return composed ? composed.get() : valid;
}

std::vector<std::size_t> line_breaks(std::string_view text) {
  const Breaks breaks = breaks_of(text);
  const auto is_ideograph = [&](std::size_t i) {
    const std::size_t at = breaks.offsets[i];
    return letter_kind(code_point_at(text, at).value) == LetterKind::Ideograph;
  };
  std::vector<std::size_t> all;
  bool beside = false;  // an ideograph since the last place
  for (std::size_t i = 1; i + 1 < breaks.offsets.size(); ++i) {
    beside = beside || is_ideograph(i - 1);
    if (breaks.attributes[i].is_line_break == 0) continue;
    if (beside || is_ideograph(i)) all.push_back(breaks.offsets[i]);
    beside = false;
  }
  return all;
}

LetterKind letter_kind(char32_t code_point) {
  constexpr char32_t kZeroWidthSpace = 0x200B, kByteOrderMark = 0xFEFF;
  constexpr char32_t kFirstKana = 0x3041, kLastKana = 0x30FF;
  const auto character = static_cast<gunichar>(code_point);
  const bool no_width = code_point == kZeroWidthSpace || code_point == kByteOrderMark;
  if (no_width || g_unichar_isspace(character) != FALSE) return LetterKind::Blank;
  if (g_unichar_ispunct(character) != FALSE || g_unichar_iscntrl(character) != FALSE) {
    return LetterKind::Sign;
  }
  const bool kana = code_point >= kFirstKana && code_point <= kLastKana;
  const bool han = g_unichar_get_script(character) == G_UNICODE_SCRIPT_HAN;
  return kana || han ? LetterKind::Ideograph : LetterKind::Other;
}

std::vector<std::size_t> letter_borders(std::string_view text) {
  const Breaks breaks = breaks_of(text);
  std::vector<std::size_t> borders;
  for (std::size_t i = 0; i < breaks.offsets.size(); ++i) {
    if (is_letter_border(breaks.attributes[i])) borders.push_back(breaks.offsets[i]);
  }
  return borders;
}

std::size_t letter_after(std::string_view text, std::size_t at) {
  return border_after(breaks_of(text), at, is_letter_border);
}

std::size_t letter_before(std::string_view text, std::size_t at) {
  return border_before(breaks_of(text), at, is_letter_border);
}

std::size_t backspace_from(std::string_view text, std::size_t at) {
  const Breaks breaks = breaks_of(text);
  const bool one_code_point = is_border_at(breaks, at, is_typed_in_parts);
  return border_before(breaks, at, one_code_point ? is_any : is_letter_border);
}

std::size_t word_after(std::string_view text, std::size_t at) {
  return border_after(breaks_of(text), at, is_word_end);
}

std::size_t word_before(std::string_view text, std::size_t at) {
  return border_before(breaks_of(text), at, is_word_start);
}

TextSpan word_around(std::string_view text, std::size_t at) {
  const Breaks breaks = breaks_of(text);
  const std::size_t letter = std::min(at, border_before(breaks, text.size(), is_letter_border));
  const std::size_t start = border_before(breaks, letter + 1, is_word_start);
  const std::size_t end = border_after(breaks, start, is_word_end);
  if (is_border_at(breaks, start, is_word_start) && letter < end) return {start, end};
  return {border_before(breaks, letter + 1, is_boundary),
          border_after(breaks, letter, is_boundary)};
}

TextLine::TextLine(std::string_view text, const FontStyle& font)
    : layout_(make_layout(same_length_utf8(text), font)) {}

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
  // Where directions meet, the caret of the hit edge is drawn elsewhere; take the nearest one.
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
