// Cells as positions on the scale of their colours; a position of 256 steps is the colour itself.
#include "export/page/page_cells.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/special_numbers.h"
#include "base/utf8.h"
#include "engine/matrix/matrix.h"
#include "plot/kit/cells.h"
#include "plot/kit/names.h"
#include "plot/maps/heads.h"

namespace attn {
namespace {

// Positions and marks, which have the lines of hatching in the bits above the kind, are characters
// of a text, below the surrogates of UTF-16.
constexpr unsigned kMostPlace = 50'000, kMostOfColors = 255, kFirstLetter = ' ';

// The script knows kinds by their places.
NumberKind kind_of(const MatrixCells& cells, std::size_t i) {
  return number_kind(cells.values[i], !cells.hidden.empty() && cells.hidden[i] != kVisible);
}

// The scale, or the whole range of the numbers if the scale clips some.
ColorScale whole_scale(const MatrixCells& cells, const ColorScale& scale) {
  float low = kInfinity, high = -kInfinity;
  for (std::size_t i = 0; i < cells.values.size(); ++i) {
    if (kind_of(cells, i) != NumberKind::Number) continue;
    low = std::min(low, cells.values[i]);
    high = std::max(high, cells.values[i]);
  }
  const bool is_within = low >= scale.low && high <= scale.high && scale.high > scale.low;
  return is_within || low > high ? scale : ColorScale{nullptr, low, high};
}

std::uint16_t place_in(const ColorScale& scale, const MatrixCells& cells, std::size_t i) {
  const NumberKind kind = kind_of(cells, i);
  if (kind != NumberKind::Number) {
    const unsigned lines = kind == NumberKind::Hidden ? hatch_lines(cells.hidden[i]) : 0U;
    return static_cast<std::uint16_t>(kMostPlace + static_cast<unsigned>(kind) + 8 * lines);
  }
  if (scale.high <= scale.low) return 0;
  const double place = std::clamp(place_on(scale, static_cast<double>(cells.values[i])), 0.0, 1.0);
  return static_cast<std::uint16_t>(std::lround(place * kMostPlace));
}

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

// The token or the feature of a row or column; "" if it has no name.
std::string name_at(const Document& document, const MatrixId& id, bool rows, std::size_t place) {
  if (const auto side = rows ? row_side(id) : column_side(id))
    return token_label(document, *side, id.head, place);
  const Extent extent = stage_info(id.stage).columns;
  const FeatureColumns features = feature_columns(shape_of(document, id.head), extent);
  const bool has_name = !rows && feature_name(document.features, features, place) != nullptr;
  return has_name ? feature_label(document, features, place) : "";
}

// The cells of a matrix that lie within the rectangle, as a matrix of its own with at most `most`
// rows and columns: where several cells draw the same value, the first of them.
MatrixItem part_of(const MatrixItem& m, const Rect& rect, const StageShape& most) {
  const auto count = [](double length, double whole, std::size_t cells) {
    return static_cast<std::size_t>(std::lround(length / whole * static_cast<double>(cells)));
  };
  const std::size_t top = count(rect.y - m.rect.y, m.rect.height, m.cells->rows),
                    left = count(rect.x - m.rect.x, m.rect.width, m.cells->cols);
  const std::size_t rows = count(rect.height, m.rect.height, m.cells->rows),
                    cols = count(rect.width, m.rect.width, m.cells->cols);
  MatrixCells cells;
  cells.rows = std::min(rows, most.rows);
  cells.cols = std::min(cols, most.cols);
  for (std::size_t i = 0; i < cells.rows * cells.cols; ++i) {
    const std::size_t row = top + i / cells.cols * (rows / cells.rows),
                      col = left + i % cells.cols * (cols / cells.cols);
    const std::size_t from = row * m.cells->cols + col;
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

// The weights of the head that a thumbnail draws; nothing if it draws other values, such as weights
// scaled to the range of their head.
std::optional<MatrixItem> weights_behind(MatrixItem part, const HeadAddress& at,
                                         const AttentionResult& result) {
  const StageShape whole = result.stage_shape(Stage::Weights, at);
  MatrixCells cells = *part.cells;
  if (cells.rows != whole.rows || cells.cols != whole.cols) return std::nullopt;
  const std::vector<float>& shown = part.cells->values;
  result.read(Stage::Weights, at, {0, 0, whole.rows, whole.cols}, cells.values.data());
  const auto differ = [](float a, float b) { return std::abs(a - b) > 1e-5F; };
  if (!std::ranges::equal(cells.values, shown, std::not_fn(differ))) return std::nullopt;
  part.origin = MatrixId{Stage::Weights, at};
  part.cells = std::make_shared<const MatrixCells>(std::move(cells));
  return part;
}

}  // namespace

Figure with_heads_apart(Figure figure, const AttentionResult* result) {
  const auto joins = [](const FigureItem& item) {
    const auto* m = std::get_if<MatrixItem>(&item);
    return m != nullptr && !m->origin && m->cells->rows > 1 && m->cells->cols > 1;
  };
  const auto found = std::ranges::find_if(figure.items, joins);
  if (found == figure.items.end() || result == nullptr) return figure;
  std::vector<FigureItem> apart;
  for (const FigureItem& item : figure.items) {
    const RectItem* const frame = frame_in(item);
    if (frame == nullptr || place_of_head(figure, head_of(*frame)) != frame->rect) continue;
    const HeadAddress at = head_of(*frame);
    const auto weights = weights_behind(
        part_of(std::get<MatrixItem>(*found), frame->rect, result->stage_shape(Stage::Weights, at)),
        at, *result);
    if (!weights) return figure;
    apart.push_back(*weights);
  }
  if (apart.empty()) return figure;
  figure.parts.clear();  // as the positions of items change
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

std::string PageCells::keep(const Figure& figure, const MatrixItem& m, const Document* document) {
  const std::string key = text_of(*m.origin) + dumped(place_of(m));
  MatrixCells tinted = *m.cells;
  tinted.values = tinted.coloured();
  colormaps_[m.scale.map->name] = m.scale.map;
  return dumped({{"values", index_of(key, *m.cells, m.scale)},
                 {"tints", index_of(key, tinted, m.scale)},
                 {"colors", m.scale.map->name},
                 {"low", m.scale.low},
                 {"high", m.scale.high},
                 {"power", m.scale.power},
                 {"rows", side_of(m, true, document)},
                 {"cols", side_of(m, false, document)},
                 {"id", text_of(*m.origin)},
                 {"head", head_words(figure, *m.origin)}});
}

// "query" or "key", counted from 1, or the other word, and the names of those in view.
Json PageCells::side_of(const MatrixItem& m, bool rows, const Document* document) {
  const std::optional<Side> side = rows ? row_side(*m.origin) : column_side(*m.origin);
  const std::size_t first = rows ? m.first_row : m.first_col;
  const std::size_t count = rows ? m.cells->rows : m.cells->cols;
  std::vector<std::string> names;
  const bool has_names = document != nullptr && m.row_step == 1 && m.col_step == 1;
  for (std::size_t i = first; has_names && i < first + count; ++i) {
    names.push_back(name_at(*document, *m.origin, rows, i));
  }
  const auto known = std::ranges::find(names_, names);
  Json json{{"word", !side                  ? (rows ? "position" : "feature")
                     : *side == Side::Query ? "query"
                                            : "key"},
            {"base", rows && !side ? 0 : 1},
            {"place", place_of(m)[rows ? 0 : 1]},
            {"names", known - names_.begin()}};
  if (known == names_.end()) names_.push_back(std::move(names));
  return json;
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

// Writes values as precisely as colours are if there are many numbers.
Json PageCells::json() const {
  constexpr std::uint64_t kMostFineCells = 150'000;
  const unsigned most = count_ > kMostFineCells ? kMostOfColors : kMostPlace;
  Json all{
      {"most", most}, {"numbers", Json::array()}, {"colors", Json::object()}, {"names", names_}};
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
    all["numbers"].push_back({rows, cols, scale.low, scale.high, scale.power, letters});
  }
  return all;
}

}  // namespace attn
