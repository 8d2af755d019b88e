// Matrices on Cairo's targets: an image, and patterns over what it cannot show.
#include <cmath>
#include <cstdint>
#include <vector>

#include "export/cairo_painter.h"
#include "export/matrix_look.h"

namespace attn {
namespace {

SurfacePtr image_of(const MatrixItem& m, const MatrixLook& look, Enlargement by) {
  SurfacePtr surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                                static_cast<int>(m.cells->cols * by.x),
                                                static_cast<int>(m.cells->rows * by.y)));
  // Cairo aligns its data and its lines for 32 bits a pixel.
  auto* const pixels = reinterpret_cast<std::uint32_t*>(
      static_cast<void*>(cairo_image_surface_get_data(surface.get())));
  if (pixels == nullptr) return surface;
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get()));
  fill_pixels(m, look, by, pixels, stride / sizeof(std::uint32_t));
  cairo_surface_mark_dirty(surface.get());
  return surface;
}

void paint_image(cairo_t* context, const MatrixItem& m, const MatrixLook& look, bool enlarge) {
  const Enlargement by = enlarge ? enlargement_of(m) : Enlargement{};
  const SurfacePtr image = image_of(m, look, by);
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

void add_runs(cairo_t* context, const MatrixItem& m, const std::vector<CellRun>& runs) {
  const double width = m.rect.width / static_cast<double>(m.cells->cols);
  const double height = m.rect.height / static_cast<double>(m.cells->rows);
  for (const CellRun& run : runs) {
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

// Draws the pattern over all of the clip, where its runs are.
void paint_pattern(cairo_t* context, const MatrixItem& m, const MatrixPattern& pattern) {
  cairo_save(context);
  add_runs(context, m, pattern.runs);
  cairo_clip(context);
  set_color(context, m.hatch);
  if (pattern.look == CellLook::Hidden) {
    draw_hatch(context, m.clip, pattern.line);
  } else {
    draw_checks(context, m.clip);
  }
  cairo_restore(context);
}

}  // namespace

void paint_matrix(cairo_t* context, const MatrixItem& m, const PaintStyle& style) {
  if (!has_cells(m)) return;
  const MatrixLook look = look_of(m);
  cairo_save(context);
  cairo_rectangle(context, m.clip.x, m.clip.y, m.clip.width, m.clip.height);
  cairo_clip(context);
  paint_image(context, m, look, style.enlarge_matrices);
  for (const MatrixPattern& pattern : look.patterns) paint_pattern(context, m, pattern);
  cairo_restore(context);
}

}  // namespace attn
