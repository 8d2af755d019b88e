// Paints every kind of item of a figure with Cairo.
#include "export/cairo_painter.h"

#include <numbers>

#include "export/formats.h"
#include "figure/pango_layout.h"
#include "figure/text.h"

namespace attn {
namespace {

void add_rectangle(cairo_t* context, const Rect& r, double radius) {
  if (radius <= 0.0) {
    cairo_rectangle(context, r.x, r.y, r.width, r.height);
    return;
  }
  constexpr double kQuarter = std::numbers::pi / 2.0;
  const double right = r.x + r.width;
  const double bottom = r.y + r.height;
  cairo_new_sub_path(context);
  cairo_arc(context, right - radius, r.y + radius, radius, -kQuarter, 0.0);
  cairo_arc(context, right - radius, bottom - radius, radius, 0.0, kQuarter);
  cairo_arc(context, r.x + radius, bottom - radius, radius, kQuarter, 2 * kQuarter);
  cairo_arc(context, r.x + radius, r.y + radius, radius, 2 * kQuarter, 3 * kQuarter);
  cairo_close_path(context);
}

// Fills and strokes the current path, each when it can be seen.
void draw_path(cairo_t* context, Color fill, Color stroke, double stroke_width) {
  if (fill.a > 0) {
    set_color(context, fill);
    cairo_fill_preserve(context);
  }
  if (stroke.a > 0 && stroke_width > 0.0) {
    set_color(context, stroke);
    cairo_set_line_width(context, stroke_width);
    cairo_stroke_preserve(context);
  }
  cairo_new_path(context);
}

void draw(cairo_t* context, const RectItem& item, const PaintStyle&) {
  add_rectangle(context, item.rect, item.radius);
  draw_path(context, item.fill, item.stroke, item.stroke_width);
}

void draw(cairo_t* context, const LineItem& item, const PaintStyle&) {
  cairo_set_dash(context, item.dash.data(), static_cast<int>(item.dash.size()), item.dash_phase);
  cairo_move_to(context, item.from.x, item.from.y);
  cairo_line_to(context, item.to.x, item.to.y);
  draw_path(context, Color{0, 0, 0, 0}, item.color, item.width);
  cairo_set_dash(context, nullptr, 0, 0.0);
}

void draw(cairo_t* context, const PathItem& item, const PaintStyle&) {
  for (const Point p : item.points) cairo_line_to(context, p.x, p.y);
  if (item.closed) cairo_close_path(context);
  draw_path(context, item.fill, item.stroke, item.stroke_width);
}

void draw(cairo_t* context, const TextItem& item, const PaintStyle&) {
  if (item.text.empty()) return;
  const Point pen = pen_offset(item, pango_metrics().measure(item.text, item.font));
  const PangoLayoutPtr layout = make_layout(item.text, item.font);
  cairo_save(context);
  cairo_translate(context, item.anchor.x, item.anchor.y);
  cairo_rotate(context, -item.degrees * std::numbers::pi / 180.0);
  cairo_move_to(context, pen.x, pen.y);
  set_color(context, item.color);
  show_line(context, layout.get());
  cairo_restore(context);
}

void draw(cairo_t* context, const MatrixItem& item, const PaintStyle& style) {
  paint_matrix(context, item, style);
}

}  // namespace

bool paint(cairo_t* context, const Figure& figure, const PaintStyle& style, Progress* progress) {
  StepCount count(progress, painting_steps(figure));
  if (!style.transparent && figure.background.a > 0) {
    set_color(context, figure.background);
    cairo_rectangle(context, 0.0, 0.0, figure.width, figure.height);
    cairo_fill(context);
  }
  for (const FigureItem& item : figure.items) {
    cairo_new_path(context);
    std::visit([&](const auto& shape) { draw(context, shape, style); }, item);
    if (!count.add(painting_steps(item))) return false;
  }
  return count.add(0);
}

Status status_of(cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) return ok_status();
  Error error;
  error.kind =
      status == CAIRO_STATUS_NO_MEMORY ? ErrorKind::OverMemoryLimit : ErrorKind::CannotWrite;
  error.message = "the figure cannot be drawn";
  error.found = cairo_status_to_string(status);
  error.hint = "try a smaller size or another format";
  return error;
}

}  // namespace attn
