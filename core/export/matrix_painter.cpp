#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "export/cairo_painter.h"
#include "figure/hatch.h"

namespace attn {
namespace {

constexpr double kEnlargedSidePx = 1200.0;
// More runs of patterned cells than this are drawn as an even tint: a path of so many pieces is
// slow, and cells so small show no pattern anyway.
constexpr std::size_t kLargestPattern = 20000;

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

// Neighbouring cells of one row that share a pattern.
struct Run {
  std::size_t row, first_col, end_col;
};

template <class Wanted>
std::vector<Run> runs_where(const MatrixCells& cells, const Wanted& wanted) {
  std::vector<Run> runs;
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

std::vector<Run> runs_of(const MatrixCells& cells, CellLook look) {
  return runs_where(cells, [&](std::size_t i) { return look_at(cells, i) == look; });
}

std::vector<Run> runs_of(const MatrixCells& cells, HatchLine line) {
  if (cells.hidden.empty()) return {};
  return runs_where(cells,
                    [&](std::size_t i) { return (hatch_lines(cells.hidden[i]) & line) != 0; });
}

// What stands in the image where a pattern will be, or in place of it.
struct Tints {
  Color hidden, non_finite;
};

std::uint32_t texel(const MatrixItem& m, std::size_t index, const Tints& tints) {
  switch (look_at(*m.cells, index)) {
    case CellLook::Hidden:
      return argb(tints.hidden);
    case CellLook::NonFinite:
      return argb(tints.non_finite);
    case CellLook::Mapped:
      break;
  }
  return argb(m.scale.map->colors[color_index(m.scale, m.cells->values[index])]);
}

// Pixels a texel takes along x and y.
struct Enlargement {
  std::size_t x = 1, y = 1;
};

Enlargement enlargement_of(const MatrixItem& m) {
  const double longest = std::max(m.rect.width, m.rect.height);
  const auto factor = [&](double side, std::size_t texels) {
    const double pixels = kEnlargedSidePx * side / longest;
    return std::max<std::size_t>(
        1, static_cast<std::size_t>(std::lround(pixels / static_cast<double>(texels))));
  };
  return {factor(m.rect.width, m.cells->cols), factor(m.rect.height, m.cells->rows)};
}

SurfacePtr image_of(const MatrixItem& m, const Tints& tints, Enlargement by) {
  const std::size_t width = m.cells->cols * by.x;
  SurfacePtr surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width),
                                                static_cast<int>(m.cells->rows * by.y)));
  unsigned char* const pixels = cairo_image_surface_get_data(surface.get());
  if (pixels == nullptr) return surface;
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
  std::vector<std::uint32_t> line(width);
  for (std::size_t row = 0; row < m.cells->rows; ++row) {
    for (std::size_t col = 0; col < m.cells->cols; ++col) {
      const std::uint32_t color = texel(m, row * m.cells->cols + col, tints);
      std::fill_n(line.begin() + static_cast<std::ptrdiff_t>(col * by.x), by.x, color);
    }
    for (std::size_t y = row * by.y; y < (row + 1) * by.y; ++y) {
      std::memcpy(pixels + y * stride, line.data(), 4 * width);
    }
  }
  cairo_surface_mark_dirty(surface.get());
  return surface;
}

void paint_image(cairo_t* context, const MatrixItem& m, const Tints& tints, bool enlarge) {
  const Enlargement by = enlarge ? enlargement_of(m) : Enlargement{};
  const SurfacePtr image = image_of(m, tints, by);
  cairo_save(context);
  cairo_translate(context, m.rect.x, m.rect.y);
  cairo_scale(context, m.rect.width / static_cast<double>(m.cells->cols * by.x),
              m.rect.height / static_cast<double>(m.cells->rows * by.y));
  cairo_set_source_surface(context, image.get(), 0.0, 0.0);
  cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_NEAREST);
  if (!enlarge) cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD);
  cairo_paint(context);
  cairo_restore(context);
}

void add_runs(cairo_t* context, const MatrixItem& m, const std::vector<Run>& runs) {
  const double width = m.rect.width / static_cast<double>(m.cells->cols);
  const double height = m.rect.height / static_cast<double>(m.cells->rows);
  for (const Run& run : runs) {
    cairo_rectangle(context, m.rect.x + width * static_cast<double>(run.first_col),
                    m.rect.y + height * static_cast<double>(run.row),
                    width * static_cast<double>(run.end_col - run.first_col), height);
  }
}

// The middle of a line is half the ink away from where the ink begins.
void add_level_lines(cairo_t* context, const Rect& area) {
  for (double y = kLevelInk / 2.0; y < area.height; y += kLevelPeriod) {
    cairo_move_to(context, area.x, area.y + y);
    cairo_line_to(context, area.x + area.width, area.y + y);
  }
}

// One line x + y = c or x - y = c per period.
void add_sloping_lines(cairo_t* context, const Rect& area, bool rising) {
  const double slope = rising ? -1.0 : 1.0;
  const double first = rising ? 0.0 : -std::ceil(area.height / kHatchPeriod) * kHatchPeriod;
  const double last = rising ? area.width + area.height : area.width;
  for (double c = first + kHatchInk / 2.0; c < last; c += kHatchPeriod) {
    cairo_move_to(context, area.x + c - slope, area.y - 1.0);
    cairo_line_to(context, area.x + c + slope * (area.height + 1.0), area.y + area.height + 1.0);
  }
}

void draw_hatch(cairo_t* context, const Rect& area, HatchLine line) {
  if (line == kLevelLines) {
    add_level_lines(context, area);
  } else {
    add_sloping_lines(context, area, line == kRisingLines);
  }
  cairo_set_line_width(context, line == kLevelLines ? kLevelInk : kHatchInk / std::sqrt(2.0));
  cairo_stroke(context);
}

// Each row of checks is one dashed line: thousands of squares would swell vector files.
void draw_checks(cairo_t* context, const Rect& area) {
  const double dashes[] = {kCheckSize, kCheckSize};
  cairo_set_dash(context, dashes, 2, 0.0);
  cairo_set_line_width(context, kCheckSize);
  bool odd = true;
  for (double y = 0.0; y < area.height; y += kCheckSize, odd = !odd) {
    const double middle = area.y + y + kCheckSize / 2.0;
    cairo_move_to(context, area.x + (odd ? kCheckSize : 0.0), middle);
    cairo_line_to(context, area.x + area.width, middle);
  }
  cairo_stroke(context);
  cairo_set_dash(context, nullptr, 0, 0.0);
}

// Draws a pattern of all of `clip` where the runs are.
template <class Draw>
void paint_pattern(cairo_t* context, const MatrixItem& m, const std::vector<Run>& runs,
                   const Draw& draw) {
  if (runs.empty() || runs.size() > kLargestPattern) return;
  cairo_save(context);
  add_runs(context, m, runs);
  cairo_clip(context);
  set_color(context, m.hatch);
  draw();
  cairo_restore(context);
}

}  // namespace

void paint_matrix(cairo_t* context, const MatrixItem& m, const PaintStyle& style) {
  if (m.cells == nullptr || m.cells->rows == 0 || m.cells->cols == 0) return;
  const std::vector<Run> hidden = runs_of(*m.cells, CellLook::Hidden);
  const std::vector<Run> odd = runs_of(*m.cells, CellLook::NonFinite);
  const auto tint = [&](const std::vector<Run>& runs, double ink) {
    return runs.size() > kLargestPattern ? mixed(m.hatch, m.hatch_ground, ink) : m.hatch_ground;
  };
  const Tints tints{tint(hidden, kHatchInk / kHatchPeriod), tint(odd, 0.5)};
  cairo_save(context);
  cairo_rectangle(context, m.clip.x, m.clip.y, m.clip.width, m.clip.height);
  cairo_clip(context);
  paint_image(context, m, tints, style.enlarge_matrices);
  if (hidden.size() <= kLargestPattern) {
    for (const Hatch& hatch : all_hatches()) {
      paint_pattern(context, m, runs_of(*m.cells, hatch.line),
                    [&] { draw_hatch(context, m.clip, hatch.line); });
    }
  }
  paint_pattern(context, m, odd, [&] { draw_checks(context, m.clip); });
  cairo_restore(context);
}

}  // namespace attn
