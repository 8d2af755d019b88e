// Matrices in SVG: cells, images, the gradient of a colour bar, and patterns.
#include <cmath>
#include <vector>

#include "attention/mask.h"
#include "base/number_text.h"
#include "engine/matrix/matrix.h"
#include "export/cairo_painter.h"
#include "export/svg.h"

namespace attn {
namespace {

SvgAttributes box(double x, double y, double width, double height) {
  SvgAttributes attributes;
  if (x != 0.0) attributes.add("x", x);
  if (y != 0.0) attributes.add("y", y);
  attributes.add("width", width).add("height", height);
  return attributes;
}

// A matrix in progress. Coordinates are relative to its clip, where its patterns begin.
struct Scene {
  SvgWriter& svg;
  const MatrixItem& m;
  const MatrixLook& look;

  std::size_t rows() const { return m.cells->rows; }
  std::size_t cols() const { return m.cells->cols; }
  // Rounds as the file does, so that neighbours share edges exactly.
  double edge(double start, double length, std::size_t count, std::size_t i) const {
    const double at = start + length * static_cast<double>(i) / static_cast<double>(count);
    return std::round(100.0 * at) / 100.0;
  }
  double x(std::size_t col) const { return edge(m.rect.x - m.clip.x, m.rect.width, cols(), col); }
  double y(std::size_t row) const { return edge(m.rect.y - m.clip.y, m.rect.height, rows(), row); }
  SvgAttributes box_of(std::size_t row, std::size_t col) const {
    return box(x(col), y(row), x(col + 1) - x(col), y(row + 1) - y(row));
  }
  SvgAttributes whole_box() const { return box(x(0), y(0), x(cols()) - x(0), y(rows()) - y(0)); }
};

// --- Clips

bool needs_clip(const MatrixItem& m) {
  constexpr double kSlack = 0.005;
  return m.rect.x < m.clip.x - kSlack || m.rect.y < m.clip.y - kSlack ||
         m.rect.x + m.rect.width > m.clip.x + m.clip.width + kSlack ||
         m.rect.y + m.rect.height > m.clip.y + m.clip.height + kSlack;
}

std::string image_reference(const std::string& id) { return "url(#" + id + ")"; }

std::string define_clip(const Scene& scene) {
  const Rect& clip = scene.m.clip;
  std::string id =
      scene.svg.own_id("clip-") + svg_number(clip.width) + "x" + svg_number(clip.height);
  if (!scene.svg.defines(id)) return id;
  scene.svg.open("clipPath", SvgAttributes().add("id", id));
  scene.svg.add("rect", box(0.0, 0.0, clip.width, clip.height));
  scene.svg.close();
  return id;
}

// --- Patterns

// One tile of a pattern with the sizes of figure/colormap.h; `ink` is path data. Returns its id.
std::string define_pattern(const Scene& scene, const std::string& name, double side,
                           const std::string& ink) {
  const std::string color = SvgAttributes().add("fill", scene.m.hatch).text();
  std::string id = scene.svg.own_id(name) + "-" + color.substr(color.find('#') + 1, 6);
  if (!scene.svg.defines(id)) return id;
  scene.svg.open("pattern", SvgAttributes()
                                .add("id", id)
                                .add("patternUnits", "userSpaceOnUse")
                                .add("width", side)
                                .add("height", side));
  scene.svg.add("path", SvgAttributes().add("fill", scene.m.hatch).add("d", ink));
  scene.svg.close();
  return id;
}

std::string define_hatch(const Scene& scene, HatchLine line) {
  const std::string side = svg_number(kHatchPeriod), ink = svg_number(kHatchInk);
  const std::string rest = svg_number(kHatchPeriod - kHatchInk);
  if (line == kRisingLines) {
    return define_pattern(
        scene, "rising", kHatchPeriod,
        "M0 0H" + ink + "L0 " + ink + "zM" + side + " 0V" + ink + "L" + ink + " " + side + "H0z");
  }
  if (line == kFallingLines) {
    return define_pattern(scene, "falling", kHatchPeriod,
                          "M0 0H" + ink + "L" + side + " " + rest + "V" + side + "zM0 " + rest +
                              "L" + ink + " " + side + "H0z");
  }
  const std::string period = svg_number(kLevelPeriod);
  return define_pattern(scene, "level", kLevelPeriod,
                        "M0 0H" + period + "V" + svg_number(kLevelInk) + "H0z");
}

std::string define_checks(const Scene& scene) {
  const std::string one = svg_number(kCheckSize), two = svg_number(2.0 * kCheckSize);
  return define_pattern(scene, "checks", 2.0 * kCheckSize,
                        "M" + one + " 0H" + two + "V" + one + "H" + one + "zM0 " + one + "H" + one +
                            "V" + two + "H0z");
}

void add_pattern(const Scene& scene, const MatrixPattern& pattern) {
  const std::string id =
      pattern.look == CellLook::Hidden ? define_hatch(scene, pattern.line) : define_checks(scene);
  std::string path;
  for (const CellRun& run : pattern.runs) {
    path += "M" + svg_number(scene.x(run.first_col)) + " " + svg_number(scene.y(run.row)) + "H" +
            svg_number(scene.x(run.end_col)) + "V" + svg_number(scene.y(run.row + 1)) + "H" +
            svg_number(scene.x(run.first_col)) + "z";
  }
  // The pattern ignores the pointer, which reaches the cells below.
  scene.svg.add("path", SvgAttributes()
                            .add("fill", image_reference(id))
                            .add("pointer-events", "none")
                            .add("d", path));
}

// --- A colour bar

// True if the cells are one column through consecutive colours of the map, which looks like a
// gradient. Shorter columns are drawn as distinct cells.
bool is_ramp(const MatrixItem& m) {
  constexpr std::size_t kShortest = 64;
  const std::vector<float>& values = m.cells->values;
  if (m.cells->cols != 1 || values.size() < kShortest || !m.cells->hidden.empty()) return false;
  const auto index = [&](std::size_t i) {
    return std::isfinite(values[i]) ? int{color_index(m.scale, values[i])} : -1;
  };
  const int step = index(1) - index(0);
  if (std::abs(step) != 1) return false;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (index(i) != index(0) + step * static_cast<int>(i)) return false;
  }
  return true;
}

// True if `color` is the linear interpolation of two others at `part`, within visible precision.
bool lies_between(Color from, Color to, double part, Color color) {
  constexpr double kTolerance = 1.5;
  const auto near = [&](double a, double b, double c) {
    return std::abs(a + part * (b - a) - c) <= kTolerance;
  };
  return near(from.r, to.r, color.r) && near(from.g, to.g, color.g) && near(from.b, to.b, color.b);
}

bool is_straight(const std::vector<Color>& colors, std::size_t from, std::size_t to) {
  for (std::size_t i = from + 1; i < to; ++i) {
    const double part = static_cast<double>(i - from) / static_cast<double>(to - from);
    if (!lies_between(colors[from], colors[to], part, colors[i])) return false;
  }
  return true;
}

// Indices of the fewest colours from which linear interpolation gives all others.
std::vector<std::size_t> stops_of(const std::vector<Color>& colors) {
  std::vector<std::size_t> stops{0};
  while (stops.back() + 1 < colors.size()) {
    std::size_t next = stops.back() + 1;
    while (next + 1 < colors.size() && is_straight(colors, stops.back(), next + 1)) ++next;
    stops.push_back(next);
  }
  return stops;
}

std::string define_ramp(const Scene& scene) {
  const auto index = [&](float value) { return std::to_string(color_index(scene.m.scale, value)); };
  const std::vector<float>& values = scene.m.cells->values;
  std::string id = scene.svg.own_id(scene.m.scale.map->name) + "-" + index(values.front()) + "-" +
                   index(values.back());
  if (!scene.svg.defines(id)) return id;
  std::vector<Color> colors;
  for (std::size_t i = 0; i < values.size(); ++i) {
    colors.push_back(cell_color(scene.m, scene.look, i));
  }
  scene.svg.open("linearGradient", SvgAttributes().add("id", id).add("x2", 0.0).add("y2", 1.0));
  for (const std::size_t i : stops_of(colors)) {
    const double middle = (static_cast<double>(i) + 0.5) / static_cast<double>(colors.size());
    scene.svg.add("stop", SvgAttributes()
                              .add("offset", svg_number(100.0 * middle) + "%")
                              .add("stop-color", colors[i]));
  }
  scene.svg.close();
  return id;
}

void add_ramp(const Scene& scene) {
  const std::string id = define_ramp(scene);
  scene.svg.add("rect", scene.whole_box().add("fill", image_reference(id)));
}

// --- Cells and images

// Rows and columns are counted from 1, as on the axes.
std::string place_words(std::optional<Side> side, std::size_t index) {
  const char* const kind = !side ? "feature " : *side == Side::Query ? "query " : "key ";
  return kind + std::to_string(index + 1);
}

// Positions are counted from 0, as on their axis.
std::string row_words(const MatrixId& id, std::size_t row) {
  return row_side(id) ? place_words(row_side(id), row) : "position " + std::to_string(row);
}

// "query 3, key 2: 0.41"; "" for swatches of a legend, the colours of a bar, and pooled cells.
std::string cell_words(const MatrixItem& m, std::size_t row, std::size_t col) {
  if (!m.origin || m.row_step > 1 || m.col_step > 1) return "";
  const std::size_t index = row * m.cells->cols + col;
  const bool hidden = !m.cells->hidden.empty() && m.cells->hidden[index] != kVisible;
  const CellHit cell = source_cell(m, m.first_row + row, m.first_col + col);
  return row_words(*m.origin, cell.row) + ", " + place_words(column_side(*m.origin), cell.col) +
         ": " + (hidden ? "hidden" : short_text(static_cast<double>(m.cells->values[index])));
}

void add_cell(const Scene& scene, std::size_t row, std::size_t col) {
  SvgAttributes attributes = scene.box_of(row, col);
  attributes.add("fill", cell_color(scene.m, scene.look, row * scene.cols() + col));
  scene.svg.add("rect", attributes, title_markup(cell_words(scene.m, row, col)));
}

// Draws cells without antialiased edges, through which the background would shine.
void add_cells(const Scene& scene) {
  scene.svg.open("g", SvgAttributes().add("shape-rendering", "crispEdges"));
  for (std::size_t row = 0; row < scene.rows(); ++row) {
    for (std::size_t col = 0; col < scene.cols(); ++col) add_cell(scene, row, col);
  }
  scene.svg.close();
}

SvgAttributes place_of_image(const Scene& scene) {
  return scene.whole_box().add("preserveAspectRatio", "none");
}

Status add_image(const Scene& scene, Progress* progress) {
  const Result<std::string> png =
      png_of(image_of(scene.m, scene.look, true), true, 0.0, {}, progress);
  if (!png) return png.error();
  scene.svg.add("image", place_of_image(scene)
                             .add("style", "image-rendering: pixelated")
                             .add("xlink:href", "data:image/png;base64," + base64_text(*png)));
  return ok_status();
}

void add_place_of_cells(const Scene& scene, const std::string& kept) {
  scene.svg.add("image", place_of_image(scene)
                             .add("fill", scene.look.hidden)  // as the script reads both
                             .add("stroke", scene.look.non_finite)
                             .add("data-map", kept));
}

}  // namespace

Status add_matrix(SvgWriter& svg, const MatrixItem& m, std::size_t most_cells,
                  const CellsKeeper* keep, Progress* progress) {
  if (!has_cells(m)) return ok_status();
  const MatrixLook look = look_of(m);
  const Scene scene{svg, m, look};
  SvgAttributes group;
  group.add("transform", "translate(" + svg_number(m.clip.x) + " " + svg_number(m.clip.y) + ")");
  if (needs_clip(m)) group.add("clip-path", image_reference(define_clip(scene)));
  svg.open("g", group);
  Status status = ok_status();
  if (keep != nullptr) {
    add_place_of_cells(scene, (*keep)(m));
  } else if (is_ramp(m)) {
    add_ramp(scene);
  } else if (m.cells->values.size() <= most_cells) {
    add_cells(scene);
  } else {
    status = add_image(scene, progress);
  }
  for (const MatrixPattern& pattern : look.patterns) add_pattern(scene, pattern);
  svg.close();
  return status;
}

}  // namespace attn
