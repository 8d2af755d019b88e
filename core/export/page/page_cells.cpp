// Cells as places on the scale of their colours, so that a place of 256 is the colour itself.
#include "export/page/page_cells.h"

#include <algorithm>
#include <cmath>

#include "base/special_numbers.h"
#include "base/utf8.h"
#include "engine/matrix/matrix.h"
#include "plot/kit/names.h"
#include "plot/maps/heads.h"

namespace attn {
namespace {

// Places and marks are letters of a text, below the surrogates of UTF-16.
constexpr unsigned kMostPlace = 50'000, kMostOfColors = 255, kFirstLetter = ' ';

// What a cell has in place of a number; the script knows these by their places.
enum class Mark : std::uint16_t { None, Hidden, NaN, Infinite, MinusInfinite, Concealed };

Mark mark_of(const MatrixCells& cells, std::size_t i) {
  if (!cells.hidden.empty() && cells.hidden[i] != kVisible) return Mark::Hidden;
  const float value = cells.values[i];
  if (std::isfinite(value)) return Mark::None;
  if (is_concealed(value)) return Mark::Concealed;
  return std::isnan(value) ? Mark::NaN : value > 0.0F ? Mark::Infinite : Mark::MinusInfinite;
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

std::uint16_t place_in(const ColorScale& scale, const MatrixCells& cells, std::size_t i) {
  const Mark mark = mark_of(cells, i);
  if (mark != Mark::None)
    return static_cast<std::uint16_t>(kMostPlace + static_cast<unsigned>(mark));
  if (scale.high <= scale.low) return 0;
  const double place = std::clamp(place_on(scale, static_cast<double>(cells.values[i])), 0.0, 1.0);
  return static_cast<std::uint16_t>(std::lround(place * kMostPlace));
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

// The frame of a head, or null.
const RectItem* frame_in(const FigureItem& item) {
  const auto* rect = std::get_if<RectItem>(&item);
  return rect != nullptr && std::holds_alternative<HeadHit>(rect->hit) ? rect : nullptr;
}

HeadAddress head_of(const RectItem& frame) { return std::get<HeadHit>(frame.hit).head; }

// "head 3" where the figure names it, as plots of several do.
std::string head_words(const Figure& figure, const MatrixId& id) {
  for (const FigureItem& item : figure.items) {
    const RectItem* const frame = frame_in(item);
    if (frame != nullptr && head_of(*frame) == id.head) return hit_words(frame->hit);
  }
  return "";
}

// Rows and columns in view, of how many.
Json place_of(const MatrixItem& m) {
  return {{m.first_row, m.row_step, m.row_count}, {m.first_col, m.col_step, m.col_count}};
}

// "query", "key" or "feature", which count from 1, or "position"; and what names its places.
Json side_of(const Figure& figure, const MatrixItem& m, bool rows) {
  const std::optional<Side> side = rows ? row_side(*m.origin) : column_side(*m.origin);
  const bool pooled = m.row_step > 1 || m.col_step > 1;
  const auto kind = rows ? FigurePart::Kind::RowLabels : FigurePart::Kind::ColumnLabels;
  return {{"word", !side                  ? (rows ? "position" : "feature")
                   : *side == Side::Query ? "query"
                                          : "key"},
          {"base", rows && !side ? 0 : 1},
          {"place", place_of(m)[rows ? 0 : 1]},
          {"names", pooled ? std::vector<std::string>() : names_beside(figure, m, kind)}};
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
  const auto alike = by_key_.find(text_of(id) + dumped(place_of(part)));
  if (alike == by_key_.end()) return std::nullopt;
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
  figure.items.erase(found);
  figure.items.insert(figure.items.end(), apart.begin(), apart.end());  // above frames, for hover
  return figure;
}

bool PageCells::holds(const Numbers& known, const MatrixCells& cells) {
  if (known.places.size() != cells.values.size()) return false;
  for (std::size_t i = 0; i < cells.values.size(); ++i) {
    const int place = place_in(known.scale, cells, i), other = known.places[i];
    const bool is_mark = std::max(place, other) > static_cast<int>(kMostPlace);
    if (std::abs(place - other) > (is_mark ? 0 : 1)) return false;
  }
  return true;
}

std::string PageCells::keep(const Figure& figure, const MatrixItem& m) {
  const std::string key = text_of(*m.origin) + dumped(place_of(m));
  MatrixCells tinted = *m.cells;
  tinted.values = tinted.coloured();
  colormaps_[m.scale.map->name] = m.scale.map;
  return dumped({{"values", index_of(key, *m.cells, m.scale)},
                 {"tints", index_of(key, tinted, m.scale)},
                 {"colors", m.scale.map->name},
                 {"low", m.scale.low},
                 {"high", m.scale.high},
                 {"curve", m.scale.curve},
                 {"rows", side_of(figure, m, true)},
                 {"cols", side_of(figure, m, false)},
                 {"id", text_of(*m.origin)},
                 {"head", head_words(figure, *m.origin)}});
}

std::size_t PageCells::index_of(const std::string& key, const MatrixCells& cells,
                                const ColorScale& scale) {
  std::vector<std::size_t>& alike = by_key_[key];
  for (const std::size_t known : alike) {
    if (holds(numbers_[known], cells)) return known;
  }
  Numbers numbers{whole_scale(cells, scale), cells.rows, cells.cols, {}};
  for (std::size_t i = 0; i < cells.values.size(); ++i) {
    numbers.places.push_back(place_in(numbers.scale, cells, i));
  }
  count_ += cells.values.size();
  numbers_.push_back(std::move(numbers));
  alike.push_back(numbers_.size() - 1);
  return alike.back();
}

// As fine as colours are where there are many numbers.
Json PageCells::json() const {
  constexpr std::uint64_t kMostFineCells = 150'000;
  const unsigned most = count_ > kMostFineCells ? kMostOfColors : kMostPlace;
  Json all{{"most", most}, {"numbers", Json::array()}, {"colors", Json::object()}};
  for (const auto& [name, map] : colormaps_) {
    std::string letters;
    for (const Color color : map->colors) {
      for (const unsigned channel : {color.r, color.g, color.b})
        append_utf8(letters, kFirstLetter + channel);
    }
    all["colors"][name] = letters;
  }
  for (const auto& [scale, rows, cols, places] : numbers_) {
    std::string letters;
    for (const unsigned place : places) {
      const unsigned mark = place - std::min(place, kMostPlace);
      append_utf8(letters,
                  kFirstLetter + mark + ((place - mark) * most + kMostPlace / 2) / kMostPlace);
    }
    all["numbers"].push_back({rows, cols, scale.low, scale.high, scale.curve, letters});
  }
  return all;
}

}  // namespace attn
