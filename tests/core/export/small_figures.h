// Small figures for tests of exporters.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "figure/figure.h"

namespace attn::test {

// 60 × 40 units with a matrix of the given cells at (10, 5), 40 × 30.
inline Figure figure_with(std::size_t rows, std::size_t cols, std::vector<float> values,
                          std::vector<std::uint8_t> hidden = {}) {
  auto cells = std::make_shared<MatrixCells>();
  cells->rows = rows;
  cells->cols = cols;
  cells->values = std::move(values);
  cells->hidden = std::move(hidden);
  MatrixItem matrix;
  matrix.rect = matrix.clip = {10, 5, 40, 30};
  matrix.cells = cells;
  matrix.scale = {colormap_named("viridis"), 0.0F, 1.0F};
  matrix.row_count = rows;
  matrix.col_count = cols;
  matrix.origin = MatrixId{};
  Figure figure;
  figure.width = 60;
  figure.height = 40;
  figure.title = "Cats & <dogs>";
  figure.alt_text = "A heatmap";
  figure.items = {matrix};
  return figure;
}

inline Figure labelled_figure() {
  Figure figure = figure_with(3, 2, {0, 1, 0.5F, 0.25F, 0.3F, 0.2F}, {0, 1, 0, 0, 0, 0});
  TextItem text;
  text.anchor = {30, 39};
  text.text = "key 我 <&>";
  text.font.size = 5;
  figure.items.push_back(text);
  return figure;
}

}  // namespace attn::test
