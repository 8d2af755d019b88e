// Which cells have room for their number, how large it is and in which ink.
#include "plot/parts/cell_numbers.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/number_text.h"
#include "plot/parts/items.h"
#include "plot/parts/matrix_item.h"

namespace attn {
namespace {

std::string value_text(float value, int decimals) {
  return std::abs(value) >= 1e4F ? short_text(value, 3) : fixed_text(value, decimals);
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
    const Rect rect =
        cell_rect(m, m.first_row + i / m.cells->cols, m.first_col + i % m.cells->cols);
    if (rect.width < cell_width(m) - 1e-6 || rect.height < cell_height(m) - 1e-6) continue;
    const float value = m.cells->values[i];
    TextItem item = text_item({rect.x + rect.width / 2.0, rect.y + rect.height / 2.0},
                              value_text(value, options.decimals), {}, cell_ink(m, i),
                              HAlign::Center, VAlign::Middle);
    numbers.widest = std::max(numbers.widest, metrics.measure(item.text, probe).width / probe.size);
    numbers.items.push_back(std::move(item));
  }
  return numbers;
}

}  // namespace

void add_cell_numbers(Figure& figure, const MatrixItem& m, const PlotOptions& options,
                      const TextMetrics& metrics) {
  const double font = options.font_size;
  const double smallest = 0.6 * font;
  // A digit is about half as wide as its font size; no need to read numbers that cannot fit.
  const bool hopeless = cell_width(m) < smallest || cell_height(m) < 1.5 * smallest;
  if (!options.values || m.row_step > 1 || m.col_step > 1 || hopeless) return;
  CellNumbers numbers = numbers_of(m, options, metrics);
  const double largest = std::clamp(0.15 * cell_width(m), 1.08 * font, 1.4 * font);
  const double size = std::min(
      {0.8 * cell_width(m) / std::max(numbers.widest, 0.5), 0.45 * cell_height(m), largest});
  if (size < smallest) return;
  for (TextItem& item : numbers.items) {
    item.font.size = size;
    figure.items.push_back(std::move(item));
  }
}

}  // namespace attn
