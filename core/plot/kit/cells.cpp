// Drawing of the cells of a matrix: texels, numbers, frames and labels.
#include "plot/kit/cells.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <utility>

#include "base/number_text.h"
#include "figure/colormap.h"
#include "plot/kit/marks.h"
#include "plot/kit/page.h"
#include "view/fields.h"

namespace attn {
namespace {

// Clamps a span of cells to [0, count]; the whole range when it is empty.
void clamp_span(double& start, double& length, std::size_t count) {
  const auto all = static_cast<double>(count);
  if (!(length > 0.0) || !(length < all)) length = all;
  start = std::isfinite(start) ? std::clamp(start, 0.0, all - length) : 0.0;
}

// The whole cells that a window touches.
CellRange range_of(const CellWindow& window, const StageShape& shape) {
  const auto row = static_cast<std::size_t>(window.row);
  const auto col = static_cast<std::size_t>(window.col);
  const auto end_row = static_cast<std::size_t>(std::ceil(window.row + window.rows - 1e-9));
  const auto end_col = static_cast<std::size_t>(std::ceil(window.col + window.cols - 1e-9));
  return {row, col, std::min(end_row, shape.rows) - row, std::min(end_col, shape.cols) - col};
}

// Cells of a part that cover `count` cells of the matrix from `first` on, rounded to whole groups
// of `by` cells, which do not change while panning.
RowSpan touched(std::size_t first, std::size_t count, std::size_t part_first, std::size_t step,
                std::size_t by, std::size_t cells) {
  const std::size_t group = step * by;
  const std::size_t begin = first > part_first ? (first - part_first) / group * by : 0;
  const std::size_t past = first + count > part_first ? first + count - part_first : 0;
  return {std::min(begin, cells), std::min((past + group - 1) / group * by, cells)};
}

PooledCells copied(const PooledCells& from, const TexelSpans& touched) {
  const auto& [rows, cols] = touched;
  PooledCells out{
      rows.end - rows.begin, cols.end - cols.begin, from.row_step, from.col_step, {}, {}};
  out.values.reserve(touched.count());
  out.hidden.reserve(touched.count());
  for (std::size_t r = rows.begin; r < rows.end; ++r) {
    const auto at = static_cast<std::ptrdiff_t>(r * from.cols);
    const auto first = at + static_cast<std::ptrdiff_t>(cols.begin);
    const auto past = at + static_cast<std::ptrdiff_t>(cols.end);
    out.values.insert(out.values.end(), from.values.begin() + first, from.values.begin() + past);
    out.hidden.insert(out.hidden.end(), from.hidden.begin() + first, from.hidden.begin() + past);
  }
  return out;
}

// Largest finite cell, at least 0.
float largest_finite(std::span<const float> cells) {
  float largest = 0.0F;
  for (const float cell : cells) {
    if (std::isfinite(cell)) largest = std::max(largest, cell);
  }
  return largest;
}

// Factor by which a part is downsampled so that a window has no more cells than pixels.
Coarsening coarsening_of(const PooledPart& part, const CellWindow& window, const Rect& clip,
                         const PlotOptions& options) {
  if (options.pooling != Pooling::Maximum) return {};
  const auto share = [&](double cells, std::size_t step, double length) {
    return coarsening(cells / static_cast<double>(step), most_texels(length, options));
  };
  return {share(window.rows, part.cells.row_step, clip.height),
          share(window.cols, part.cells.col_step, clip.width)};
}

// The item of some cells, before it has a position.
MatrixItem item_with(const DrawnCells& drawn, std::size_t first_row, std::size_t first_col) {
  return {.cells = drawn.cells,
          .first_row = first_row,
          .first_col = first_col,
          .row_step = drawn.row_step,
          .col_step = drawn.col_step};
}

// Cuts the part to the view: enlarging a whole map would make an image of unbounded size.
MatrixItem cut_to(const PooledPart& part, const TexelSpans& touched, const Coarsening& by,
                  bool is_masked) {
  PooledCells cut = copied(part.cells, touched);
  if (by != Coarsening{}) cut = coarsened(cut, by.rows, by.cols);
  if (!is_masked) cut.hidden.clear();
  return item_with(drawn_cells(std::move(cut)),
                   part.range.row + touched.rows.begin * part.cells.row_step,
                   part.range.col + touched.cols.begin * part.cells.col_step);
}

// Few cells are copied quickly, and sharing them could enlarge the image without bound.
bool is_shared(const PooledPart& part, const TexelSpans& touched, const PlotOptions& options) {
  constexpr std::size_t kFewCells = 200'000;
  if (!options.shares_cells) return false;
  if (touched.count() == part.cells.values.size()) return true;
  return !has_parts_of_rows(options) && touched.count() >= kFewCells;
}

MatrixItem cells_of(const Matrix& matrix, const PooledPart& part, const CellWindow& window,
                    const Rect& clip, const PlotOptions& options) {
  const Coarsening by = coarsening_of(part, window, clip, options);
  const CellRange cells = range_of(window, matrix.extents());
  const PooledCells& from = part.cells;
  const TexelSpans view{
      touched(cells.row, cells.rows, part.range.row, from.row_step, by.rows, from.rows),
      touched(cells.col, cells.cols, part.range.col, from.col_step, by.cols, from.cols)};
  if (!is_shared(part, view, options)) return cut_to(part, view, by, matrix.is_masked());
  return item_with(part.levels.of(part.cells, by), part.range.row, part.range.col);
}

MatrixItem cells_read(const Matrix& matrix, const CellWindow& window, const Rect& clip,
                      const PlotOptions& options) {
  const CellRange range = range_of(window, matrix.extents());
  PooledCells pooled = pooled_by_rows(matrix, range, most_texels(clip.height, options),
                                      most_texels(clip.width, options), options.pooling);
  if (!matrix.is_masked()) pooled.hidden.clear();
  return item_with(drawn_cells(std::move(pooled)), range.row, range.col);
}

// The item at its position, with the id of its matrix.
MatrixItem placed(MatrixItem m, const Matrix& matrix, const CellWindow& window, const Rect& clip,
                  const ColorScale& scale, const PlotOptions& options) {
  const StageShape extents = matrix.extents();
  m.clip = clip;
  m.row_count = extents.rows;
  m.col_count = extents.cols;
  const double cell_width = clip.width / window.cols, cell_height = clip.height / window.rows;
  m.rect = {clip.x + (static_cast<double>(m.first_col) - window.col) * cell_width,
            clip.y + (static_cast<double>(m.first_row) - window.row) * cell_height,
            cell_width * static_cast<double>(m.cells->cols * m.col_step),
            cell_height * static_cast<double>(m.cells->rows * m.row_step)};
  m.scale = scale;
  m.origin = matrix.id();
  m.hatch = figure_theme(options.theme).hatch;
  m.hatch_background = figure_theme(options.theme).hatch_background;
  return m;
}

// Texels, of `count`, that lie at least partly in the clip.
RowSpan shown_along(double start, double length, double clip_start, double clip_length,
                    std::size_t count) {
  constexpr double kHair = 1e-6;
  if (count == 0 || !(length > 0.0)) return {0, count};
  const double texel = length / static_cast<double>(count), most = static_cast<double>(count);
  const double first = std::floor((clip_start - start) / texel + kHair);
  const double past = std::ceil((clip_start + clip_length - start) / texel - kHair);
  return {static_cast<std::size_t>(std::clamp(first, 0.0, most)),
          static_cast<std::size_t>(std::clamp(past, 0.0, most))};
}

// The largest finite weight in rows [begin, end).
float largest_in(const Matrix& matrix, std::size_t begin, std::size_t end) {
  const StageShape extents = matrix.extents();
  std::vector<float> row(extents.cols);
  float largest = 0.0F;
  for (std::size_t q = begin; q < std::min(end, extents.rows); ++q) {
    matrix.read({q, 0, 1, extents.cols}, row.data());
    largest = std::max(largest, largest_finite(row));
  }
  return largest;
}

float largest_in(const PooledPart& part, std::size_t begin, std::size_t end) {
  const std::size_t first = part.range.row, step = part.cells.row_step;
  const std::size_t past = std::min((end - first - 1) / step + 1, part.tops.size());
  const std::size_t from = std::min((begin - first) / step, past);
  return largest_finite(std::span(part.tops).subspan(from, past - from));
}

// The item with each row as part of its largest weight. Without a part the rows of the matrix are
// read.
MatrixItem tinted(MatrixItem item, const Matrix& matrix, const PooledPart* part) {
  auto cells = std::make_shared<MatrixCells>(*item.cells);
  cells->tints = cells->values;
  for (std::size_t r = 0; r < cells->rows; ++r) {
    const std::size_t begin = item.first_row + r * item.row_step, end = begin + item.row_step;
    const float largest =
        part != nullptr ? largest_in(*part, begin, end) : largest_in(matrix, begin, end);
    if (!(largest > 0.0F)) continue;
    float* row = cells->tints.data() + r * cells->cols;
    std::for_each(row, row + cells->cols, [largest](float& weight) { weight /= largest; });
  }
  item.cells = std::move(cells);
  return item;
}

template <class Number>
std::vector<Number> turned(const std::vector<Number>& numbers, const MatrixCells& to,
                           const Turn& turn) {
  std::vector<Number> out(numbers.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::size_t row = i / to.cols, col = i % to.cols;
    if (turn.upward) row = to.rows - 1 - row;
    out[i] = numbers[turn.transposed ? col * to.rows + row : row * to.cols + col];
  }
  return out;
}

MatrixCells turned(const MatrixCells& cells, const Turn& turn) {
  MatrixCells out{.rows = turn.transposed ? cells.cols : cells.rows,
                  .cols = turn.transposed ? cells.rows : cells.cols,
                  .values = {},
                  .hidden = {},
                  .tints = {}};
  out.values = turned(cells.values, out, turn);
  out.hidden = turned(cells.hidden, out, turn);
  out.tints = turned(cells.tints, out, turn);
  return out;
}

std::string value_text(float value, int decimals) {
  if (value == 0.0F) return "0";
  return with_minus(std::abs(value) >= 1e4F ? short_text(value, 3) : fixed_text(value, decimals));
}

Color cell_ink(const MatrixItem& m, std::size_t index) {
  if (!std::isfinite(m.cells->values[index])) return readable_on(m.hatch_background);
  return readable_on(m.scale.map->colors[color_index(m.scale, m.cells->coloured()[index])]);
}

double cell_width(const MatrixItem& m) {
  return m.rect.width / static_cast<double>(m.cells->cols * m.col_step);
}

double cell_height(const MatrixItem& m) {
  return m.rect.height / static_cast<double>(m.cells->rows * m.row_step);
}

// The texels in view that carry numbers: those that no rule hides and the options choose.
std::vector<std::size_t> numbered_texels(const MatrixItem& m, const PlotOptions& options) {
  const NumberedCells chosen = numbered_cells(options.annotate).value_or(NumberedCells{});
  const std::vector<float>& values = m.cells->values;
  std::vector<std::size_t> texels;
  each_shown(m, [&](std::size_t i) {
    if (!m.cells->hidden.empty() && m.cells->hidden[i] != kVisible) return;
    if (!chosen.above || values[i] > *chosen.above) texels.push_back(i);
  });
  if (texels.size() <= chosen.most) return texels;
  std::erase_if(texels, [&](std::size_t i) { return std::isnan(values[i]); });
  std::ranges::stable_sort(texels, std::greater(),
                           [&](std::size_t i) { return std::abs(values[i]); });
  texels.resize(std::min(chosen.most, texels.size()));
  return texels;
}

std::vector<TextItem> numbers_of(const MatrixItem& m, const PlotOptions& options) {
  std::vector<TextItem> numbers;
  for (const std::size_t i : numbered_texels(m, options)) {
    const std::size_t row = i / m.cells->cols, col = i % m.cells->cols;
    const Point centre{m.rect.x + (static_cast<double>(col) + 0.5) * cell_width(m),
                       m.rect.y + (static_cast<double>(row) + 0.5) * cell_height(m)};
    numbers.push_back(text_item(centre, value_text(m.cells->values[i], options.decimals), {},
                                cell_ink(m, i), HAlign::Center, VAlign::Middle));
  }
  return numbers;
}

// Width at font size 1.
double widest_of(const std::vector<TextItem>& numbers, const TextMetrics& metrics) {
  const FontStyle probe{100.0};
  return widest_of(numbers, &TextItem::text, probe, metrics) / probe.size;
}

double smallest_size(const PlotOptions& options) {
  return std::max(0.6 * options.font_size, kSmallestNumber / options.page_scale);
}

// Shares of a cell's width and height that a number may fill.
constexpr double kOfWidth = 0.8, kOfHeight = 0.45;

// A digit is about half as wide as its font size; numbers that cannot fit are not measured.
bool can_fit(const MatrixItem& m, const PlotOptions& options) {
  const double smallest = smallest_size(options);
  return m.row_step == 1 && m.col_step == 1 && cell_width(m) >= smallest &&
         cell_height(m) >= 1.5 * smallest;
}

// The font size of the options on paper; on screen numbers grow with their cells, up to titles.
double largest_size(const MatrixItem& m, const PlotOptions& options) {
  const double least = std::max(options.font_size, smallest_size(options));
  if (!options.on_screen) return least;
  const double of_cell = 0.16 * std::min(cell_width(m), cell_height(m));
  return std::clamp(of_cell, least, 1.8 * least);
}

// Font size for all numbers; below the smallest size when they do not fit.
double size_of(double widest, const MatrixItem& m, const PlotOptions& options) {
  return std::min({kOfWidth * cell_width(m) / std::max(widest, 0.5), kOfHeight * cell_height(m),
                   largest_size(m, options)});
}

// Width of the widest number drawn, or of the first one when cells are too small for any.
double widest_number(const MatrixItem& m, const PlotOptions& options, const TextMetrics& metrics) {
  if (can_fit(m, options)) return widest_of(numbers_of(m, options), metrics);
  const FontStyle probe{100.0};
  return metrics.measure(value_text(m.cells->values.front(), options.decimals), probe).width /
         probe.size;
}

std::string points(double width, double height) {
  return fixed_text(width, 0) + " × " + fixed_text(height, 0);
}

// Thin lines in the colour of the background between large cells.
void add_separators(Figure& figure, const CellPanel& panel, const Rect& clip) {
  const double cell_width = clip.width / panel.window.cols;
  const double cell_height = clip.height / panel.window.rows;
  if (std::min(cell_width, cell_height) < 1.2 * panel.font()) return;
  const Color color = panel.theme.background;
  for (double col = std::floor(panel.window.col) + 1.0;; col += 1.0) {
    const double x = clip.x + (col - panel.window.col) * cell_width;
    if (x >= clip.right() - 1e-6) break;
    figure.add(LineItem{{x, clip.y}, {x, clip.bottom()}, color, 0.8});
  }
  for (double row = std::floor(panel.window.row) + 1.0;; row += 1.0) {
    const double y = clip.y + (row - panel.window.row) * cell_height;
    if (y >= clip.bottom() - 1e-6) break;
    figure.add(LineItem{{clip.x, y}, {clip.right(), y}, color, 0.8});
  }
}

void add_frame(Figure& figure, const CellPanel& panel) {
  const double width = panel.marked ? 1.5 : 0.75;
  // Around the cells, so that it covers none of them.
  figure.add(RectItem{.rect = panel.clip.grown(width / 2.0),
                      .stroke = panel.marked ? panel.theme.accent : panel.theme.muted,
                      .stroke_width = width});
}

// Wider columns have space for more labels; the height of their zone does not change.
ColumnStyle style_in_view(const CellPanel& panel) {
  const ColumnStyle& whole = panel.column_style;
  if (panel.window.cols >= static_cast<double>(panel.columns.count)) return whole;
  const ColumnSpace space{panel.clip.width / panel.window.cols,
                          panel.widest_column,
                          panel.right,
                          whole.height,
                          is_counted(panel.document, panel.columns),
                          stacked_letters(panel.document, panel.columns)};
  ColumnStyle style = column_style(space, panel.font());
  if (whole.degrees == 0.0 && style.degrees != 0.0) style = level_style(space, panel.font());
  style.height = whole.height;
  return style;
}

// Rows or columns of a panel, as they lie in it, that hold pins of its matrix.
std::vector<std::size_t> pinned_lines(const CellPanel& panel, const MatrixItem& matrix, bool rows) {
  std::vector<std::size_t> lines;
  for (const CellHit& pin : panel.options.pins) {
    if (shows_pin(matrix, pin)) lines.push_back(rows == panel.turn.transposed ? pin.col : pin.row);
  }
  return lines;
}

// Indices of the drawn labels: multiples of the stride whose cell has its middle in view, but for
// those that have no room besides the kept ones, which are drawn as well.
std::vector<std::size_t> shown_labels(double start, double length, std::size_t stride,
                                      std::size_t count, const std::vector<std::size_t>& kept) {
  std::vector<std::size_t> shown;
  const auto first = static_cast<std::size_t>(std::max(0.0, std::ceil(start - 0.5)));
  for (std::size_t i = (first + stride - 1) / stride * stride; i < count; i += stride) {
    if (static_cast<double>(i) + 0.5 > start + length) break;
    shown.push_back(i);
  }
  for (const std::size_t line : stride > 1 ? kept : std::vector<std::size_t>()) {
    const double middle = static_cast<double>(line) + 0.5;
    if (middle < start || middle > start + length) continue;
    std::erase_if(shown, [&](std::size_t i) { return i + stride > line && i < line + stride; });
    shown.push_back(line);
  }
  return shown;
}

HitId label_hit(const MatrixAxis& axis, std::size_t index) {
  if (!axis.tokens) return {};
  return TokenHit{axis.side, axis.at.sample, index};
}

// Tick that joins a label to its cell where neighbouring labels are left out.
void add_tick(Figure& figure, const CellPanel& panel, Point cell, Point along) {
  const double length = 0.7 * panel.gap;
  const Point label{cell.x + along.x * length, cell.y + along.y * length};
  figure.add(LineItem{cell, label, panel.theme.muted, 0.75});
}

// Rotated rectangle about a label that starts at `foot` and is `length` units long.
PathItem label_area(Point foot, double degrees, double length, double half_height, HitId hit) {
  const double angle = degrees * std::numbers::pi / 180.0;
  const Point along{std::cos(angle), -std::sin(angle)};
  const Point across{std::sin(angle) * half_height, std::cos(angle) * half_height};
  const Point tip{foot.x + along.x * length, foot.y + along.y * length};
  return {.points = {{foot.x - across.x, foot.y - across.y},
                     {tip.x - across.x, tip.y - across.y},
                     {tip.x + across.x, tip.y + across.y},
                     {foot.x + across.x, foot.y + across.y}},
          .closed = true,
          .hit = std::move(hit)};
}

void add_column_labels(Figure& figure, const CellPanel& panel, const MatrixItem& matrix) {
  const MatrixAxis& axis = panel.columns;
  const CellWindow& window = panel.window;
  const ColumnStyle style = style_in_view(panel);
  const Rect& clip = panel.clip;
  const FontStyle font = panel.label_font();
  const double cell = clip.width / window.cols;
  const double foot = clip.y - panel.gap;
  const std::vector<std::size_t> kept = pinned_lines(panel, matrix, false);
  for (const std::size_t i :
       shown_labels(window.col, window.cols, style.stride, axis.count, kept)) {
    const double x = clip.x + (static_cast<double>(i) + 0.5 - window.col) * cell;
    if (style.stride > 1) add_tick(figure, panel, {x, clip.y}, {0.0, -1.0});
    const bool flat = style.degrees == 0.0;
    const double rise = flat ? 0.2 * font.size : style.degrees == 45.0 ? 0.35 * font.size : 0.0;
    TextItem item = text_item(
        {x, foot - rise}, axis_label(panel, axis, i, font, style.stacked > 0 ? 1e9 : style.longest),
        font, axis_color(axis, panel.theme), flat ? HAlign::Center : HAlign::Left,
        flat ? VAlign::Baseline : VAlign::Middle, label_hit(axis, i));
    item.degrees = style.degrees;
    if (flat) {
      const double width = std::max(cell, style.longest);
      figure.add(RectItem{.rect = {x - width / 2.0, foot - style.height, width, style.height},
                          .hit = item.hit});
    } else {
      figure.add(label_area({x, foot}, style.degrees, style.longest, 0.6 * font.size, item.hit));
    }
    style.stacked > 0 ? add_stacked(figure, item, style.stacked, true, panel.metrics)
                      : figure.add(std::move(item));
  }
}

}  // namespace

CellWindow clamped_window(CellWindow window, const StageShape& extents) {
  if (!(window.rows > 0.0) || !(window.cols > 0.0)) window = {};
  clamp_span(window.row, window.rows, extents.rows);
  clamp_span(window.col, window.cols, extents.cols);
  return window;
}

CellWindow whole_cells(const CellWindow& window) {
  if (!(window.rows > 0.0) || !(window.cols > 0.0)) return window;
  const double row = std::floor(window.row), col = std::floor(window.col);
  return {row, col, std::ceil(window.row + window.rows - 1e-9) - row,
          std::ceil(window.col + window.cols - 1e-9) - col};
}

std::size_t most_texels(double length, const PlotOptions& options) {
  const std::size_t most = std::max<std::size_t>(options.pixel_budget, 1);
  if (!(options.is_file())) return most;
  const double dots =
      std::max(std::floor(length * options.page_scale * options.dots_per_unit + 1e-6), 1.0);
  return dots < static_cast<double>(most) ? static_cast<std::size_t>(dots) : most;
}

MatrixItem matrix_item(const Matrix& matrix, const PooledPart* part, const CellWindow& window,
                       const Rect& clip, const ColorScale& scale, const PlotOptions& options) {
  MatrixItem item = part != nullptr ? cells_of(matrix, *part, window, clip, options)
                                    : cells_read(matrix, window, clip, options);
  item = placed(std::move(item), matrix, window, clip, scale, options);
  return has_parts_of_rows(options) ? tinted(std::move(item), matrix, part) : item;
}

MatrixItem turned(MatrixItem m, const Turn& turn, const Rect& clip) {
  if (turn == Turn{}) return m;
  if (turn.transposed) {
    const Rect rect = m.rect;
    m.rect = {clip.x + rect.y - clip.y, clip.y + rect.x - clip.x, rect.height, rect.width};
    std::swap(m.first_row, m.first_col);
    std::swap(m.row_step, m.col_step);
    std::swap(m.row_count, m.col_count);
  }
  if (turn.upward) m.rect.y = clip.y + clip.bottom() - m.rect.bottom();
  m.clip = clip;
  m.turn = turn;
  m.cells = std::make_shared<const MatrixCells>(turned(*m.cells, turn));
  return m;
}

TexelSpans shown_texels(const MatrixItem& m) {
  const Rect& all = m.rect;
  return {shown_along(all.y, all.height, m.clip.y, m.clip.height, m.cells->rows),
          shown_along(all.x, all.width, m.clip.x, m.clip.width, m.cells->cols)};
}

std::vector<TextItem> cell_numbers(const MatrixItem& m, const PlotOptions& options,
                                   const TextMetrics& metrics) {
  if (!options.values || !can_fit(m, options)) return {};
  std::vector<TextItem> numbers = numbers_of(m, options);
  const double widest = widest_of(numbers, metrics);
  const double size = size_of(widest, m, options);
  if (size < smallest_size(options)) return {};
  const double x = widest * size / 2.0, y = 0.6 * size;
  const Rect inside{m.clip.x + x, m.clip.y + y, m.clip.width - 2.0 * x, m.clip.height - 2.0 * y};
  std::erase_if(numbers, [&](const TextItem& item) { return !inside.contains(item.anchor); });
  for (TextItem& item : numbers) item.font.size = size;
  return numbers;
}

std::string why_no_numbers(const Figure& figure, const PlotOptions& options,
                           const TextMetrics& metrics) {
  const MatrixItem* m = find_matrix(figure);
  if (!options.values || options.annotate == "none" || m == nullptr || !m->origin ||
      m->cells->values.empty())
    return "";
  if (m->row_step > 1 || m->col_step > 1) {
    return "the cells have no numbers: several of them share a pixel";
  }
  PlotOptions on_page = options;
  on_page.page_scale = figure.scale;
  const double smallest = smallest_size(on_page) * figure.scale;
  const double width = smallest * std::max(widest_number(*m, on_page, metrics), 0.5) / kOfWidth;
  const double height = smallest / kOfHeight;
  if (cell_width(*m) >= width && cell_height(*m) >= height) return "";
  return "the cells have no numbers: in letters of " + short_text(smallest, 2) +
         " points, the smallest, they need " + points(std::ceil(width), std::ceil(height)) +
         " points, and a cell has " +
         points(std::floor(cell_width(*m)), std::floor(cell_height(*m)));
}

void add_row_labels(Figure& figure, const CellPanel& panel, const MatrixItem& matrix) {
  const MatrixAxis& axis = panel.rows;
  const CellWindow& window = panel.window;
  const Rect& clip = panel.clip;
  const FontStyle font = panel.label_font();
  const double cell = clip.height / window.rows, longest = panel.row_labels;
  const std::size_t stride = label_stride(kLabelPitch * font.size, cell);
  const double right = clip.x - panel.gap - panel.mark_width;
  const std::vector<std::size_t> kept = pinned_lines(panel, matrix, true);
  for (const std::size_t i : shown_labels(window.row, window.rows, stride, axis.count, kept)) {
    const double down = (static_cast<double>(i) + 0.5 - window.row) * cell;
    const double y = panel.turn.upward ? clip.bottom() - down : clip.y + down;
    const HitId hit = label_hit(axis, i);
    if (stride > 1) add_tick(figure, panel, {clip.x, y}, {-1.0, 0.0});
    const double height = std::min(std::max(cell, kLabelPitch * font.size), clip.height);
    figure.add(RectItem{.rect = {right - longest, y - height / 2.0, longest, height}, .hit = hit});
    figure.add(text_item({right, y}, axis_label(panel, axis, i, font, longest), font,
                         axis_color(axis, panel.theme), HAlign::Right, VAlign::Middle, hit));
  }
}

std::size_t add_cell_panel(Figure& figure, const CellPanel& panel, const MatrixItem& matrix) {
  const std::size_t item = figure.items.size();
  figure.add(matrix);
  add_separators(figure, panel, matrix.clip);
  add_frame(figure, panel);
  for (TextItem& number : cell_numbers(matrix, panel.options, panel.metrics)) {
    figure.add(std::move(number));
  }
  if (panel.options.axes) {
    add_part(figure, FigurePart::Kind::RowLabels, item,
             [&] { add_row_labels(figure, panel, matrix); });
    add_part(figure, FigurePart::Kind::ColumnLabels, item,
             [&] { add_column_labels(figure, panel, matrix); });
  }
  add_pins(figure, item, panel.options);
  return item;
}

}  // namespace attn
