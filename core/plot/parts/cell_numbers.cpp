// Which cells have room for their number, how large it is and in which ink.
#include "plot/parts/cell_numbers.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/number_text.h"
#include "figure/text.h"
#include "plot/parts/items.h"
#include "plot/parts/matrix_item.h"

namespace attn {
namespace {

std::string value_text(float value, int decimals) {
  return with_minus(std::abs(value) >= 1e4F ? short_text(value, 3) : fixed_text(value, decimals));
}

Color cell_ink(const MatrixItem& m, std::size_t index) {
  if (!std::isfinite(m.cells->values[index])) return readable_on(m.hatch_ground);
  return readable_on(m.scale.map->colors[color_index(m.scale, m.cells->coloured()[index])]);
}

double cell_width(const MatrixItem& m) {
  return m.rect.width / static_cast<double>(m.cells->cols * m.col_step);
}

double cell_height(const MatrixItem& m) {
  return m.rect.height / static_cast<double>(m.cells->rows * m.row_step);
}

struct CellNumbers {
  std::vector<TextItem> items;
  double widest = 0.0;  // at font size 1
};

// Those in view that no rule hides.
std::vector<std::size_t> texels_to_label(const MatrixItem& m) {
  const auto [rows, cols] = shown_texels(m);
  std::vector<std::size_t> texels;
  for (std::size_t row = rows.begin; row < rows.end; ++row) {
    for (std::size_t i = row * m.cells->cols + cols.begin; i < row * m.cells->cols + cols.end;
         ++i) {
      if (m.cells->hidden.empty() || m.cells->hidden[i] == kVisible) texels.push_back(i);
    }
  }
  return texels;
}

CellNumbers numbers_of(const MatrixItem& m, const PlotOptions& options,
                       const TextMetrics& metrics) {
  const FontStyle probe{100.0, false, false};
  CellNumbers numbers;
  for (const std::size_t i : texels_to_label(m)) {
    const Point centre{m.rect.x + (static_cast<double>(i % m.cells->cols) + 0.5) * cell_width(m),
                       m.rect.y + (static_cast<double>(i / m.cells->cols) + 0.5) * cell_height(m)};
    const float value = m.cells->values[i];
    TextItem item = text_item(centre, value_text(value, options.decimals), {}, cell_ink(m, i),
                              HAlign::Center, VAlign::Middle);
    numbers.widest = std::max(numbers.widest, metrics.measure(item.text, probe).width / probe.size);
    numbers.items.push_back(std::move(item));
  }
  return numbers;
}

double smallest_size(const PlotOptions& options) {
  return std::max(0.6 * options.font_size, kSmallestNumber / options.page_scale);
}

// What a number needs of its cell, in its size.
constexpr double kOfWidth = 0.8, kOfHeight = 0.45;

// A digit is about half as wide as its font size; no need to read numbers that cannot fit.
bool can_fit(const MatrixItem& m, const PlotOptions& options) {
  const double smallest = smallest_size(options);
  return m.row_step == 1 && m.col_step == 1 && cell_width(m) >= smallest &&
         cell_height(m) >= 1.5 * smallest;
}

// Of all numbers; below the smallest where they do not fit.
double size_of(const CellNumbers& numbers, const MatrixItem& m, const PlotOptions& options) {
  return std::min({kOfWidth * cell_width(m) / std::max(numbers.widest, 0.5),
                   kOfHeight * cell_height(m),
                   std::max(options.font_size, smallest_size(options))});
}

// Of the numbers that are there, or of the first where cells are too small for any.
double widest_number(const MatrixItem& m, const PlotOptions& options, const TextMetrics& metrics) {
  if (can_fit(m, options)) return numbers_of(m, options, metrics).widest;
  const FontStyle probe{100.0, false, false};
  return metrics.measure(value_text(m.cells->values.front(), options.decimals), probe).width /
         probe.size;
}

std::string points(double width, double height) {
  return fixed_text(width, 0) + " × " + fixed_text(height, 0);
}

}  // namespace

void add_cell_numbers(Figure& figure, const MatrixItem& m, const PlotOptions& options,
                      const TextMetrics& metrics) {
  if (!options.values || !can_fit(m, options)) return;
  CellNumbers numbers = numbers_of(m, options, metrics);
  const double size = size_of(numbers, m, options);
  if (size < smallest_size(options)) return;
  // Of cells that are in view in part, the numbers that are in view as a whole.
  const double x = numbers.widest * size / 2.0, y = 0.6 * size;
  const Rect inside{m.clip.x + x, m.clip.y + y, m.clip.width - 2.0 * x, m.clip.height - 2.0 * y};
  for (TextItem& item : numbers.items) {
    if (!inside.contains(item.anchor)) continue;
    item.font.size = size;
    figure.items.push_back(std::move(item));
  }
}

std::string why_no_numbers(const Figure& figure, const PlotOptions& options,
                           const TextMetrics& metrics) {
  const MatrixItem* m = find_matrix(figure);
  if (!options.values || m == nullptr || !m->origin || m->cells->values.empty()) return "";
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

}  // namespace attn
