// Colours and patterns of the cells of a matrix, and their image.
#include "export/matrix_look.h"

#include <algorithm>
#include <cmath>

#include "figure/colormap.h"

namespace attn {
namespace {

constexpr double kEnlargedSidePx = 1200.0;
constexpr std::size_t kLargestPattern = 20000;  // runs

std::uint32_t argb(Color c) {
  return 0xFF000000U | static_cast<std::uint32_t>(c.r) << 16 |
         static_cast<std::uint32_t>(c.g) << 8 | c.b;
}

Color mixed(Color a, Color b, double part_of_a) {
  const auto mix = [&](std::uint8_t x, std::uint8_t y) {
    return static_cast<std::uint8_t>(std::lround(part_of_a * x + (1.0 - part_of_a) * y));
  };
  return {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b), 255};
}

CellLook look_at(const MatrixCells& cells, std::size_t index) {
  return cell_look(cells.values[index], cells.hidden.empty() ? 0 : cells.hidden[index]);
}

template <class Wanted>
std::vector<CellRun> runs_where(const MatrixCells& cells, const Wanted& wanted) {
  std::vector<CellRun> runs;
  for (std::size_t row = 0; row < cells.rows; ++row) {
    for (std::size_t col = 0; col < cells.cols; ++col) {
      if (!wanted(row * cells.cols + col)) continue;
      if (!runs.empty() && runs.back().row == row && runs.back().end_col == col) {
        ++runs.back().end_col;
      } else {
        runs.push_back({row, col, col + 1});
      }
    }
  }
  return runs;
}

std::vector<CellRun> runs_of(const MatrixCells& cells, CellLook look) {
  return runs_where(cells, [&](std::size_t i) { return look_at(cells, i) == look; });
}

std::vector<CellRun> runs_of(const MatrixCells& cells, HatchLine line) {
  return runs_where(cells,
                    [&](std::size_t i) { return (hatch_lines(cells.hidden[i]) & line) != 0; });
}

void add_pattern(MatrixLook& look, MatrixPattern pattern) {
  if (!pattern.runs.empty()) look.patterns.push_back(std::move(pattern));
}

}  // namespace

MatrixLook look_of(const MatrixItem& m) {
  const MatrixCells& cells = *m.cells;
  MatrixLook look{m.hatch_background, m.hatch_background, {}};
  if (runs_of(cells, CellLook::Hidden).size() > kLargestPattern) {
    look.hidden = mixed(m.hatch, m.hatch_background, kHatchInk / kHatchPeriod);
  } else if (!cells.hidden.empty()) {
    for (const Hatch& hatch : all_hatches()) {
      add_pattern(look, {CellLook::Hidden, hatch.line, runs_of(cells, hatch.line)});
    }
  }
  std::vector<CellRun> odd = runs_of(cells, CellLook::NonFinite);
  if (odd.size() > kLargestPattern) {
    look.non_finite = mixed(m.hatch, m.hatch_background, 0.5);
  } else {
    add_pattern(look, {CellLook::NonFinite, kRisingLines, std::move(odd)});
  }
  return look;
}

Color cell_color(const MatrixItem& m, const MatrixLook& look, std::size_t index) {
  switch (look_at(*m.cells, index)) {
    case CellLook::Hidden:
      return look.hidden;
    case CellLook::NonFinite:
      return look.non_finite;
    case CellLook::Mapped:
      break;
  }
  return m.scale.map->colors[color_index(m.scale, m.cells->coloured()[index])];
}

Enlargement enlargement_of(const MatrixItem& m) {
  const double longest = std::max(m.rect.width, m.rect.height);
  const auto factor = [&](double side, std::size_t texels) {
    const double pixels = kEnlargedSidePx * side / longest;
    return std::max<std::size_t>(
        1, static_cast<std::size_t>(std::lround(pixels / static_cast<double>(texels))));
  };
  return {factor(m.rect.width, m.cells->cols), factor(m.rect.height, m.cells->rows)};
}

void fill_pixels(const MatrixItem& m, const MatrixLook& look, Enlargement by, std::uint32_t* pixels,
                 std::size_t stride) {
  const std::size_t cols = m.cells->cols;
  for (std::size_t row = 0; row < m.cells->rows; ++row) {
    std::uint32_t* const first = pixels + row * by.y * stride;
    for (std::size_t col = 0; col < cols; ++col) {
      std::fill_n(first + col * by.x, by.x, argb(cell_color(m, look, row * cols + col)));
    }
    for (std::size_t y = 1; y < by.y; ++y) std::copy_n(first, cols * by.x, first + y * stride);
  }
}

}  // namespace attn
