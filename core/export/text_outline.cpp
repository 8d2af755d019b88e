// Asks Pango for the curves of letters.
#include "export/text_outline.h"

#include "export/cairo_painter.h"
#include "export/svg_writer.h"
#include "figure/pango_layout.h"
#include "figure/text.h"

namespace attn {
namespace {

struct ReleasePath {
  void operator()(cairo_path_t* path) const { cairo_path_destroy(path); }
};
using PathPtr = std::unique_ptr<cairo_path_t, ReleasePath>;

std::string path_step(const cairo_path_data_t* step) {
  const auto point = [&](int i) {
    return svg_number(step[i].point.x) + " " + svg_number(step[i].point.y);
  };
  switch (step->header.type) {
    case CAIRO_PATH_MOVE_TO:
      return "M" + point(1);
    case CAIRO_PATH_LINE_TO:
      return "L" + point(1);
    case CAIRO_PATH_CURVE_TO:
      return "C" + point(1) + " " + point(2) + " " + point(3);
    case CAIRO_PATH_CLOSE_PATH:
      break;
  }
  return "z";
}

}  // namespace

std::string text_outline(const TextItem& item) {
  const SurfacePtr surface(cairo_recording_surface_create(CAIRO_CONTENT_ALPHA, nullptr));
  const ContextPtr context(cairo_create(surface.get()));
  const Point pen = pen_offset(item, pango_metrics().measure(item.text, item.font));
  const PangoLayoutPtr layout = make_layout(item.text, item.font);
  cairo_move_to(context.get(), pen.x, pen.y);
  pango_cairo_layout_line_path(context.get(), pango_layout_get_line_readonly(layout.get(), 0));
  const PathPtr path(cairo_copy_path(context.get()));
  std::string data;
  for (int i = 0; i < path->num_data; i += path->data[i].header.length) {
    const cairo_path_data_t* step = path->data + i;
    const bool is_last = i + step->header.length >= path->num_data;
    if (is_last && step->header.type == CAIRO_PATH_MOVE_TO) break;  // where the pen ends
    data += path_step(step);
  }
  return data;
}

}  // namespace attn
