// Axes of matrices: titles, labels and their thinning.
#include "plot/kit/axis.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/quotient_up.h"
#include "base/utf8.h"
#include "plot/kit/names.h"
#include "plot/kit/page.h"

namespace attn {
namespace {

constexpr std::size_t kMeasuredLabels = 512;
constexpr double kLevelHeight = 1.25;  // of the font size, of labels on one line
constexpr double kGapBetween = 0.6;    // of the font size, between labels on one line
constexpr double kGapBetweenNumbers = 0.4;

// Rows of features attend to nothing.
MatrixAxis token_axis(const MatrixId& id, Side side, std::size_t count) {
  const bool is_query = side == Side::Query;
  const std::string_view title = !column_side(id) ? (is_query ? "Query" : "Key")
                                 : is_query       ? kQueryAxisTitle
                                                  : kKeyAxisTitle;
  return {std::string(title), count, true, side, id.head};
}

std::string feature_title(const AttentionShape& shape, Stage stage) {
  if (stage == Stage::Survival) return "One fixed vector";
  const bool all_heads = stage_info(stage).columns == Extent::ConcatWidth;
  return "Feature (" + (all_heads ? "heads · d_v" : column_symbol(shape, stage)) + ")";
}

bool is_number(const Document& document, const MatrixAxis& axis, std::size_t index) {
  if (!axis.tokens) return feature_name(document.features, axis.features, index) == nullptr;
  const TokenList& tokens = tokens_of(document, axis.side, axis.at);
  return index >= tokens.size() || tokens.name_of(index) == nullptr;
}

// Whether a label among stacked ones is a word in letters that are read along a line: "[CLS]".
bool is_turned(const std::vector<char32_t>& letters) {
  constexpr char32_t kAfterAlphabets = 0x590;  // Latin, Greek, Cyrillic and Armenian ones
  const auto is_of_line = [](char32_t c) { return c < kAfterAlphabets || c == U'…'; };
  return letters.size() > 1 && std::ranges::all_of(letters, is_of_line);
}

std::size_t height_in_letters(const std::vector<char32_t>& letters) {
  constexpr double kLetterWidth = 0.6;  // of Latin letters, in heights of stacked ones
  const auto count = static_cast<double>(letters.size());
  return static_cast<std::size_t>(std::ceil(is_turned(letters) ? kLetterWidth * count : count));
}

TextItem turned_label(TextItem label, std::size_t most, bool up, const TextMetrics& metrics) {
  const double length = static_cast<double>(most) * kLetterPitch * label.font.size;
  label.text = cut_in_middle(metrics, label.text, label.font, length);
  label.degrees = 90.0;
  label.halign = up ? HAlign::Left : HAlign::Right;
  label.valign = VAlign::Middle;
  return label;
}

}  // namespace

std::string own_title(const std::string& given, const std::string& usual) {
  if (given == kNoTitle) return "";
  return given.empty() ? usual : given;
}

std::string column_symbol(const AttentionShape& shape, Stage stage) {
  return std::string(symbol_of(shape, stage_info(stage).columns));
}

MatrixAxis row_axis(const Matrix& matrix) {
  const MatrixId& id = matrix.id();
  const std::size_t count = matrix.extents().rows;
  if (const std::optional<Side> side = row_side(id)) return token_axis(id, *side, count);
  return {.title = "Position", .count = count, .tokens = false, .positions = true};
}

MatrixAxis column_axis(const AttentionShape& shape, const Matrix& matrix) {
  const MatrixId& id = matrix.id();
  const std::size_t count = matrix.extents().cols;
  if (column_side(id)) return token_axis(id, Side::Key, count);
  // Rotary positions have one column per pair of features.
  const bool named =
      !std::holds_alternative<made::PositionEncoding>(id.making) || count == shape.d_model;
  return {feature_title(shape, id.stage),
          count,
          false,
          Side::Key,
          {},
          named ? feature_columns(shape, stage_info(id.stage).columns) : FeatureColumns{}};
}

std::string axis_label(const Document& document, const MatrixAxis& axis, std::size_t index) {
  // Longer labels never fit, and measuring a token of a million letters takes seconds.
  constexpr std::size_t kMostLetters = 80;
  return cut_to_ends(axis.tokens      ? token_label(document, axis.side, axis.at, index)
                     : axis.positions ? std::to_string(index)
                                      : feature_label(document, axis.features, index),
                     kMostLetters);
}

std::string axis_label(const Drawing& drawing, const MatrixAxis& axis, std::size_t index,
                       const FontStyle& font, double longest) {
  return cut_in_middle(drawing.metrics, axis_label(drawing.document, axis, index), font,
                       longest + 1e-6);
}

bool is_counted(const Document& document, const MatrixAxis& axis) {
  return axis.tokens ? tokens_of(document, axis.side, axis.at).names().empty()
                     : !are_named(document.features, axis.features);
}

double widest_label(const Document& document, const MatrixAxis& axis, std::size_t stride,
                    const FontStyle& font, const TextMetrics& metrics, double limit) {
  const std::size_t labels = quotient_up(axis.count, stride);
  const std::size_t count = std::min(labels, kMeasuredLabels);
  double widest = 0.0;
  for (std::size_t i = 0; i < count && widest < limit; ++i) {
    // Goes backwards: the last number is the widest, so that the others need not be measured.
    const std::size_t index = stride * (labels - 1 - i * labels / count);
    if (i > 0 && is_number(document, axis, index)) continue;
    widest = std::max(widest, metrics.measure(axis_label(document, axis, index), font).width);
  }
  return std::min(widest, limit);
}

std::size_t label_stride(double spacing, double cell) {
  const double needed = spacing / std::max(cell, 1e-9);
  for (std::size_t power = 1; power < 1'000'000'000; power *= 10) {
    for (const std::size_t digit : {1U, 2U, 5U}) {
      if (static_cast<double>(digit * power) >= needed) return digit * power;
    }
  }
  return 1'000'000'000;
}

ColumnStyle level_style(const ColumnSpace& space, double font_size) {
  const double gap = space.counted ? kGapBetweenNumbers : kGapBetween;
  const double side_by_side = space.widest + gap * font_size;
  return {0.0, label_stride(side_by_side, space.cell), space.widest,
          std::min(kLevelHeight * font_size, space.height_limit)};
}

EastAsianShare east_asian_share(const TokenList& tokens) {
  constexpr std::size_t kMost = 200;
  EastAsianShare share{.all = std::min(tokens.size(), kMost)};
  for (std::size_t i = 0; i < share.all; ++i) {
    share.count += std::ranges::any_of(code_points(tokens[i]), is_east_asian) ? 1U : 0U;
  }
  return share;
}

std::size_t stacked_letters(const Document& document, const MatrixAxis& axis) {
  if (!axis.tokens) return 0;
  const EastAsianShare share = east_asian_share(tokens_of(document, axis.side, axis.at));
  std::size_t most = 0;
  for (std::size_t i = 0; share.is_most() && i < share.all; ++i) {
    most = std::max(most, height_in_letters(code_points(axis_label(document, axis, i))));
  }
  return most;
}

void add_stacked(Figure& figure, const TextItem& whole, std::size_t most, bool up,
                 const TextMetrics& metrics) {
  std::vector<char32_t> letters = code_points(whole.text);
  if (is_turned(letters)) return figure.add(turned_label(whole, most, up, metrics));
  const auto is_letter = [](char32_t c) { return is_east_asian(c) || c < 0x80 || c == U'…'; };
  if (!std::ranges::all_of(letters, is_letter)) return figure.add(whole);
  if (letters.size() > most && most > 0) {
    const auto head = static_cast<std::ptrdiff_t>(most / 2);
    const auto tail = static_cast<std::ptrdiff_t>(most) - head - 1;
    letters.erase(letters.begin() + head, letters.end() - tail);
    letters.insert(letters.begin() + head, U'…');
  }
  const double first = up ? 1.0 - static_cast<double>(letters.size()) : 0.0;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    TextItem letter = whole;
    letter.text.clear();
    append_utf8(letter.text, letters[i]);
    letter.anchor.y += (first + static_cast<double>(i)) * kLetterPitch * whole.font.size;
    figure.add(std::move(letter));
  }
}

ColumnStyle stacked_style(const ColumnSpace& space, double font_size) {
  const double line = kLetterPitch * font_size;
  const auto most = static_cast<std::size_t>(std::max(space.height_limit / line, 1.0));
  const std::size_t letters = std::min(space.letters, most);
  return {0.0, label_stride(line, space.cell), 0.0, line * static_cast<double>(letters), letters};
}

ColumnStyle column_style(const ColumnSpace& space, double font_size) {
  const double line = kLabelPitch * font_size;
  const ColumnStyle flat = level_style(space, font_size);
  if (flat.stride == 1 || space.counted) return flat;
  if (space.letters > 0) return stacked_style(space, font_size);
  const double slanted =
      std::min({space.widest, space.height_limit * std::numbers::sqrt2 - 0.9 * font_size,
                space.right * std::numbers::sqrt2 - font_size});
  const bool fits = slanted >= space.widest - 1e-9 || slanted >= 8.0 * font_size;
  if (space.cell >= line * std::numbers::sqrt2 && fits) {
    return {45.0, 1, slanted, (slanted + 0.9 * font_size) * std::numbers::sqrt2 / 2.0};
  }
  const double length = std::min(space.widest, space.height_limit);
  const ColumnStyle upright{90.0, label_stride(line, space.cell), length, length};
  return upright.stride < flat.stride ? upright : flat;
}

Color axis_color(const MatrixAxis& axis, const FigureTheme& theme) {
  if (!axis.tokens) return theme.ink;
  return axis.side == Side::Query ? theme.query : theme.key;
}

}  // namespace attn
