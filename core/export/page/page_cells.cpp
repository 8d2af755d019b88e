// Cells as places on the scale of their colours, so that a place of eight bits is the colour
// itself.
#include "export/page/page_cells.h"

#include <algorithm>
#include <cmath>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/special_numbers.h"
#include "engine/matrix/matrix.h"
#include "export/svg.h"
#include "plot/kit/names.h"
#include "plot/maps/heads.h"

namespace attn {
namespace {

constexpr double kMostPlace = 65535.0;

// What a cell has in place of a number; the script knows these by their places.
enum class Mark : char { None = '0', Hidden, NaN, Infinite, MinusInfinite, Concealed };

Mark mark_of(const MatrixCells& cells, std::size_t i) {
  if (!cells.hidden.empty() && cells.hidden[i] != kVisible) return Mark::Hidden;
  const float value = cells.values[i];
  if (std::isfinite(value)) return Mark::None;
  if (is_concealed(value)) return Mark::Concealed;
  return std::isnan(value) ? Mark::NaN : value > 0.0F ? Mark::Infinite : Mark::MinusInfinite;
}

// "0*12 1*3": empty when all cells have numbers.
std::string marks_of(const MatrixCells& cells) {
  std::string text;
  for (std::size_t i = 0, from = 0; i < cells.values.size(); from = i) {
    const Mark mark = mark_of(cells, from);
    while (i < cells.values.size() && mark_of(cells, i) == mark) ++i;
    text += (from > 0 ? " " : "") + std::string(1, static_cast<char>(mark)) + "*" +
            std::to_string(i - from);
  }
  return text.starts_with('0') && text.find(' ') == text.npos ? "" : text;
}

// The scale, or where it cuts numbers off the whole range of these.
ColorScale whole_scale(const MatrixCells& cells, const ColorScale& scale) {
  float low = kInfinity, high = -kInfinity;
  for (std::size_t i = 0; i < cells.values.size(); ++i) {
    if (mark_of(cells, i) != Mark::None) continue;
    low = std::min(low, cells.values[i]);
    high = std::max(high, cells.values[i]);
  }
  const bool is_within = low >= scale.low && high <= scale.high && scale.high > scale.low;
  return is_within || low > high ? scale : ColorScale{nullptr, low, high};
}

double place_in(const ColorScale& scale, float value) {
  const bool has_extent = scale.high > scale.low;
  return has_extent ? std::clamp(place_on(scale, static_cast<double>(value)), 0.0, 1.0) * kMostPlace
                    : 0.0;
}

// The cell at a place between rows or columns.
double along(double at, double start, double length, std::size_t count) {
  return std::floor((at - start) / length * static_cast<double>(count));
}

void name(std::vector<std::string>& names, double place, const std::string& text) {
  if (place >= 0.0 && place < 1e6) {
    names.resize(std::max(names.size(), static_cast<std::size_t>(place) + 1));
    names[static_cast<std::size_t>(place)] = text;
  }
}

// The labels that the figure has beside rows or columns, by the cells in view; empty where there is
// no room for a label.
std::vector<std::string> names_beside(const Figure& figure, const MatrixItem& m,
                                      FigurePart::Kind kind) {
  std::vector<std::string> names;
  const bool rows = kind == FigurePart::Kind::RowLabels;
  for (const FigurePart& part : figure.parts) {
    if (part.kind != kind || std::get_if<MatrixItem>(&figure.items[part.matrix]) != &m) continue;
    for (std::size_t i = part.first; i < part.end; ++i) {
      const auto* text = std::get_if<TextItem>(&figure.items[i]);
      if (text == nullptr) continue;
      const auto* token = std::get_if<TokenHit>(&text->hit);
      const double place = token != nullptr
                               ? static_cast<double>(token->index) -
                                     static_cast<double>(rows ? m.first_row : m.first_col)
                           : rows ? along(text->anchor.y, m.rect.y, m.rect.height, m.cells->rows)
                                  : along(text->anchor.x, m.rect.x, m.rect.width, m.cells->cols);
      name(names, place, text->text);
    }
  }
  return names;
}

// For a list of words.
std::string as_word(std::string text) {
  std::ranges::replace(text, ' ', '_');
  return text;
}

// The frame of a head, or null.
const RectItem* frame_in(const FigureItem& item) {
  const auto* rect = std::get_if<RectItem>(&item);
  return rect != nullptr && std::holds_alternative<HeadHit>(rect->hit) ? rect : nullptr;
}

HeadAddress head_of(const RectItem& frame) { return std::get<HeadHit>(frame.hit).head; }

// "head_3" where the figure names it, as plots of several do.
std::string head_words(const Figure& figure, const MatrixId& id) {
  for (const FigureItem& item : figure.items) {
    const RectItem* const frame = frame_in(item);
    if (frame != nullptr && head_of(*frame) == id.head) return as_word(hit_words(frame->hit));
  }
  return "";
}

std::string word_of(std::optional<Side> side, const char* other) {
  return !side ? other : *side == Side::Query ? "query" : "key";
}

// Rows and columns in view, of how many.
std::string place_of(const MatrixItem& m) {
  const std::size_t numbers[] = {m.first_row, m.first_col, m.row_step,
                                 m.col_step,  m.row_count, m.col_count};
  return joined(numbers, " ", [](std::size_t number) { return std::to_string(number); });
}

// The cells of a matrix that lie within the rectangle, as a matrix of their own.
MatrixItem part_of(const MatrixItem& m, const Rect& rect) {
  const auto count = [](double length, double whole, std::size_t cells) {
    return static_cast<std::size_t>(std::lround(length / whole * static_cast<double>(cells)));
  };
  const std::size_t top = count(rect.y - m.rect.y, m.rect.height, m.cells->rows),
                    left = count(rect.x - m.rect.x, m.rect.width, m.cells->cols);
  MatrixCells cells;
  cells.rows = count(rect.height, m.rect.height, m.cells->rows);
  cells.cols = count(rect.width, m.rect.width, m.cells->cols);
  for (std::size_t i = 0; i < cells.rows * cells.cols; ++i) {
    const std::size_t from = (top + i / cells.cols) * m.cells->cols + left + i % cells.cols;
    cells.values.push_back(m.cells->values[from]);
    if (!m.cells->hidden.empty()) cells.hidden.push_back(m.cells->hidden[from]);
  }
  MatrixItem part = m;
  part.rect = part.clip = rect;
  part.row_count = cells.rows;
  part.col_count = cells.cols;
  part.cells = std::make_shared<const MatrixCells>(std::move(cells));
  return part;
}

}  // namespace

// A plot of heads may have divided the numbers of each by the largest.
std::optional<MatrixItem> PageCells::as_known(const MatrixItem& part, const MatrixId& id) const {
  const auto alike = by_id_.find(as_word(text_of(id)) + " " + place_of(part));
  if (alike == by_id_.end()) return std::nullopt;
  for (const std::size_t index : alike->second) {
    for (const float factor : {1.0F, numbers_[index].scale.high}) {
      MatrixCells cells = *part.cells;
      for (float& value : cells.values) value *= factor;
      if (!holds(numbers_[index], cells)) continue;
      MatrixItem known = part;
      known.scale.low *= factor;
      known.scale.high *= factor;
      known.origin = id;
      known.cells = std::make_shared<const MatrixCells>(std::move(cells));
      return known;
    }
  }
  return std::nullopt;
}

Figure PageCells::with_heads_apart(Figure figure) const {
  const auto joins = [](const FigureItem& item) {
    const auto* m = std::get_if<MatrixItem>(&item);
    return m != nullptr && !m->origin && m->cells->rows > 1 && m->cells->cols > 1;
  };
  const auto found = std::ranges::find_if(figure.items, joins);
  if (found == figure.items.end()) return figure;
  std::vector<FigureItem> apart;
  for (const FigureItem& item : figure.items) {
    const RectItem* const frame = frame_in(item);
    if (frame == nullptr || place_of_head(figure, head_of(*frame)) != frame->rect) continue;
    const std::optional<MatrixItem> known = as_known(
        part_of(std::get<MatrixItem>(*found), frame->rect), {Stage::Weights, head_of(*frame)});
    if (!known) return figure;
    apart.push_back(*known);
  }
  if (apart.empty()) return figure;
  figure.parts.clear();  // whose places move
  const auto place = figure.items.erase(found);
  figure.items.insert(place, apart.begin(), apart.end());
  return figure;
}

bool PageCells::holds(const Numbers& known, const MatrixCells& cells) {
  if (known.places.size() != cells.values.size() || known.marks != marks_of(cells)) return false;
  for (std::size_t i = 0; i < cells.values.size(); ++i) {
    const bool is_number = mark_of(cells, i) == Mark::None;
    if (is_number && std::abs(place_in(known.scale, cells.values[i]) - known.places[i]) > 1.0) {
      return false;
    }
  }
  return true;
}

std::string PageCells::keep(const Figure& figure, const MatrixItem& m) {
  const MatrixCells& cells = *m.cells;
  const std::string id = as_word(text_of(*m.origin));
  const std::string colors = as_word(m.scale.map->name);
  colormaps_[colors] = m.scale.map;
  const std::string place = place_of(m);
  const std::size_t values = index_of(id + " " + place, cells, m.scale);
  std::size_t tints = values;
  if (!cells.tints.empty()) {
    MatrixCells tinted = cells;
    tinted.values = cells.tints;
    tints = index_of(id + " tints " + place, tinted, m.scale);
  }
  const bool pooled = m.row_step > 1 || m.col_step > 1;
  const auto names = [&](FigurePart::Kind kind) {
    return index_of(pooled ? std::vector<std::string>() : names_beside(figure, m, kind));
  };
  const std::vector<std::string> fields = {std::to_string(values),
                                           std::to_string(tints),
                                           colors,
                                           shortest_text(m.scale.low),
                                           shortest_text(m.scale.high),
                                           std::to_string(static_cast<int>(m.scale.curve)),
                                           std::to_string(names(FigurePart::Kind::RowLabels)),
                                           std::to_string(names(FigurePart::Kind::ColumnLabels)),
                                           place,
                                           word_of(row_side(*m.origin), "position"),
                                           word_of(column_side(*m.origin), "feature"),
                                           id,
                                           head_words(figure, *m.origin)};
  return joined(fields, " ");
}

std::size_t PageCells::index_of(const std::string& id, const MatrixCells& cells,
                                const ColorScale& scale) {
  std::vector<std::size_t>& alike = by_id_[id];
  for (const std::size_t known : alike) {
    if (holds(numbers_[known], cells)) return known;
  }
  Numbers numbers{whole_scale(cells, scale), cells.rows, cells.cols, {}, marks_of(cells)};
  for (std::size_t i = 0; i < cells.values.size(); ++i) {
    const bool is_number = mark_of(cells, i) == Mark::None;
    const double place = is_number ? place_in(numbers.scale, cells.values[i]) : 0.0;
    numbers.places.push_back(static_cast<std::uint16_t>(std::lround(place)));
  }
  count_ += cells.values.size();
  numbers_.push_back(std::move(numbers));
  alike.push_back(numbers_.size() - 1);
  return alike.back();
}

std::size_t PageCells::index_of(const std::vector<std::string>& names) {
  const auto [known, is_new] = by_names_.emplace(names, names_.size());
  if (is_new) names_.push_back(names);
  return known->second;
}

Json PageCells::json(bool in_eight_bits) const {
  Json all{{"names", names_}, {"numbers", Json::array()}, {"colors", Json::object()}};
  for (const auto& [word, map] : colormaps_) {
    std::string bytes;
    for (const Color color : map->colors) {
      for (const std::uint8_t channel : {color.r, color.g, color.b})
        bytes += static_cast<char>(channel);
    }
    all["colors"][word] = base64_text(bytes);
  }
  for (const Numbers& numbers : numbers_) {
    std::string bytes;
    for (const std::uint16_t place : numbers.places) {
      if (!in_eight_bits) bytes += static_cast<char>(place >> 8U);
      bytes += static_cast<char>(in_eight_bits ? (place * 255U + 32767U) / 65535U : place & 0xFFU);
    }
    all["numbers"].push_back({numbers.rows, numbers.cols, shortest_text(numbers.scale.low),
                              shortest_text(numbers.scale.high),
                              static_cast<int>(numbers.scale.curve), numbers.marks,
                              base64_text(bytes)});
  }
  return all;
}

}  // namespace attn
