// SVG elements of the items of a figure, one per line, grouped by hit.
#include "export/svg.h"

#include <glib.h>

#include <cctype>
#include <map>
#include <memory>

#include "base/joined.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "engine/read/result.h"
#include "export/cairo_painter.h"
#include "export/provenance.h"
#include "figure/pango_layout.h"
#include "plot/kit/names.h"

namespace attn {
namespace {

std::string hex(Color c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "#";
  for (const unsigned channel : {c.r, c.g, c.b}) {
    text += kDigits[channel / 16];
    text += kDigits[channel % 16];
  }
  return text;
}

std::string trimmed(std::string number) {
  if (number.find('.') == std::string::npos) return number;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.ends_with('.')) number.pop_back();
  return number;
}

// --- Texts as paths, for files that must look the same without the font

using PathPtr = std::unique_ptr<cairo_path_t, Releaser<cairo_path_destroy>>;

// The points of a step follow its header.
std::string path_step(const cairo_path_data_t* step) {
  static_assert(CAIRO_PATH_MOVE_TO == 0 && CAIRO_PATH_CLOSE_PATH == 3);
  std::string text(1, "MLCz"[step->header.type]);
  for (int i = 1; i < step->header.length; ++i) {
    text += (i > 1 ? " " : "") + svg_number(step[i].point.x) + " " + svg_number(step[i].point.y);
  }
  return text;
}

std::string text_outline(const TextItem& item) {
  const SurfacePtr surface(cairo_recording_surface_create(CAIRO_CONTENT_ALPHA, nullptr));
  const ContextPtr context(cairo_create(surface.get()));
  const Point pen = pen_offset(item, pango_metrics().measure(item.text, item.font));
  const PangoLayoutPtr layout = make_layout(item.text, item.font);
  cairo_move_to(context.get(), pen.x, pen.y);
  pango_cairo_layout_line_path(context.get(), only_line(layout.get()));
  const PathPtr path(cairo_copy_path(context.get()));
  std::string data;
  for (int i = 0; i < path->num_data; i += path->data[i].header.length) {
    const cairo_path_data_t* step = path->data + i;
    const bool is_last = i + step->header.length >= path->num_data;
    if (is_last && step->header.type == CAIRO_PATH_MOVE_TO) break;  // the final position of the pen
    data += path_step(step);
  }
  return data;
}

// --- Shapes

// Fill and stroke of a shape, drawn in this order; "none" when invisible. Invisible shapes with a
// hit still receive the pointer.
template <class Shape>
bool add_look(SvgAttributes& attributes, const Shape& item) {
  const bool means_something = !hit_words(item.hit).empty();
  const bool is_filled = item.fill.a > 0;
  const bool is_stroked = item.stroke.a > 0 && item.stroke_width > 0.0;
  is_filled ? attributes.add("fill", item.fill) : attributes.add("fill", "none");
  if (is_stroked) attributes.add("stroke", item.stroke).add("stroke-width", item.stroke_width);
  if (means_something && !is_filled) attributes.add("pointer-events", "all");
  return is_filled || is_stroked || means_something;
}

void add(SvgWriter& svg, const RectItem& item) {
  SvgAttributes attributes;
  attributes.add("x", item.rect.x)
      .add("y", item.rect.y)
      .add("width", item.rect.width)
      .add("height", item.rect.height);
  if (item.radius > 0.0) attributes.add("rx", item.radius);
  if (add_look(attributes, item)) svg.add("rect", attributes);
}

void add(SvgWriter& svg, const LineItem& item) {
  SvgAttributes attributes;
  attributes.add("x1", item.from.x)
      .add("y1", item.from.y)
      .add("x2", item.to.x)
      .add("y2", item.to.y)
      .add("stroke", item.color)
      .add("stroke-width", item.width);
  if (!item.dash.empty()) attributes.add("stroke-dasharray", joined(item.dash, " ", svg_number));
  if (item.dash_phase != 0.0) attributes.add("stroke-dashoffset", item.dash_phase);
  if (item.color.a == 0 || item.width <= 0.0) return;
  svg.add("line", attributes, title_markup(item.words));
}

void add(SvgWriter& svg, const PathItem& item) {
  std::string path;
  for (const Point p : item.points) {
    path += (path.empty() ? "M" : "L") + svg_number(p.x) + " " + svg_number(p.y);
  }
  if (item.closed) path += "z";
  SvgAttributes attributes;
  if (add_look(attributes, item)) svg.add("path", attributes.add("d", path));
}

// --- Matrices

// Maps of one figure share the limit evenly, so that all are drawn alike.
std::size_t most_vector_cells(const Figure& figure) {
  const auto maps = std::ranges::count_if(figure.items, [](const FigureItem& item) {
    const auto* matrix = std::get_if<MatrixItem>(&item);
    return matrix != nullptr && matrix->origin;
  });
  const auto shares = static_cast<std::size_t>(std::max<std::ptrdiff_t>(maps, 1));
  return std::min(kMostVectorCells, kMostCellsOfAFile / shares);
}

// --- Texts

// The end of the line at the anchor; a right-to-left line starts there.
std::string_view anchor_of(HAlign align, bool right_to_left) {
  if (align == HAlign::Center) return "middle";
  return (align == HAlign::Right) != right_to_left ? "end" : "start";
}

// Runs with indices and exponents, and the return to the baseline after them.
std::string runs_of(const TextItem& item) {
  std::string elements;
  double rise = 0.0;
  for (const FormulaRun& run : formula_runs(drawable_text(item.text))) {
    SvgAttributes attributes;
    if (run.rise != rise) attributes.add("dy", (rise - run.rise) * item.font.size);
    if (run.rise != 0.0) attributes.add("font-size", script_size(item.font.size));
    rise = run.rise;
    elements += "<tspan" + attributes.text() + ">" + xml_text(run.text) + "</tspan>";
  }
  return elements;
}

// A text as a path, with the text itself for search and screen readers.
void add_outlined(SvgWriter& svg, const TextItem& item) {
  if (item.text.empty() || item.color.a == 0) return;
  SvgAttributes attributes;
  std::string place =
      "translate(" + svg_number(item.anchor.x) + " " + svg_number(item.anchor.y) + ")";
  if (item.degrees != 0.0) place += " rotate(" + svg_number(-item.degrees) + ")";
  attributes.add("transform", place).add("fill", item.color).add("aria-label", item.text);
  svg.add("path", attributes.add("d", text_outline(item)));
}

// Stretching glyphs keeps those of Arabic joined; spacing them would not.
void add(SvgWriter& svg, const TextItem& item, const TextMetrics& metrics) {
  if (item.text.empty() || item.color.a == 0) return;
  const TextExtent extent = metrics.measure(item.text, item.font);
  const bool right_to_left = runs_right_to_left(item.text);
  const std::string_view anchor = anchor_of(item.halign, right_to_left);
  SvgAttributes attributes;
  attributes.add("x", item.anchor.x).add("y", item.anchor.y + pen_offset(item, extent).y);
  if (anchor != "start") attributes.add("text-anchor", anchor);
  if (right_to_left) attributes.add("direction", "rtl");
  if (extent.width > 0.0) {
    attributes.add("textLength", extent.width).add("lengthAdjust", "spacingAndGlyphs");
  }
  if (item.degrees != 0.0) {
    attributes.add("transform", "rotate(" + svg_number(-item.degrees) + " " +
                                    svg_number(item.anchor.x) + " " + svg_number(item.anchor.y) +
                                    ")");
  }
  attributes.add("font-size", item.font.size);
  if (item.font.bold) attributes.add("font-weight", "bold");
  if (item.font.italic) attributes.add("font-style", "italic");
  if (item.font.monospace || item.font.family != nullptr)
    attributes.add("font-family", font_families(item.font));
  attributes.add("fill", item.color);
  svg.add("text", attributes, item.font.formula ? runs_of(item) : xml_text(item.text));
}

// --- The file

// An identifier for style sheets and scripts: letters, digits and hyphens.
std::string id_of(const std::string& name) {
  std::string id;
  for (const char c : name) id += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return id;
}

// A file in progress.
struct Painter {
  const Figure& figure;
  const ExportOptions& options;
  const TextMetrics& metrics;
  Progress* progress;
  const SvgPart* part;
  const float steps = static_cast<float>(painting_steps(figure));
  float done = 0.0F;
  SvgWriter svg{part != nullptr ? part->prefix : ""};
  HitId group{};
  std::map<std::string, std::size_t> ids{};

  Result<std::string> paint() {
    open_root();
    if (!options.transparent && figure.background.a > 0) {
      svg.add("rect", SvgAttributes()
                          .add("width", figure.width)
                          .add("height", figure.height)
                          .add("fill", figure.background));
    }
    for (const FigureItem& item : figure.items) {
      if (const Status drawn = draw_counted(item); !drawn) return drawn.error();
    }
    enter({});
    svg.close();
    return svg.taken();
  }

  // Uses Cairo's mitre limit, for equal corners; preserves blanks in labels.
  void open_root() {
    const std::string width = svg_number(figure.width), height = svg_number(figure.height);
    svg.open("svg", SvgAttributes()
                        .add("xmlns", "http://www.w3.org/2000/svg")
                        .add("xmlns:xlink", "http://www.w3.org/1999/xlink")
                        .add("width", width + "pt")
                        .add("height", height + "pt")
                        .add("viewBox", "0 0 " + width + " " + height)
                        .add("role", "img")
                        .add("xml:space", "preserve")
                        .add("stroke-miterlimit", 10.0)
                        .add("font-family", font_families({})));
    if (!figure.title.empty()) svg.add("title", {}, xml_text(figure.title));
    if (!figure.alt_text.empty()) svg.add("desc", {}, xml_text(figure.alt_text));
    if (figure.provenance.empty() || part != nullptr) return;
    svg.add("metadata", SvgAttributes().add("id", kRecordName), xml_text(figure.provenance));
  }

  // Images among the items report their own progress too.
  Status draw_counted(const FigureItem& item) {
    const auto own = static_cast<float>(painting_steps(item));
    const ProgressPart share(progress, done / steps, own / steps);
    done += own;
    if (is_cancelled(progress)) return stopped();
    return std::visit([this](const auto& shape) { return draw(shape); }, item);
  }

  // Opens the group for `hit`; consecutive items with equal hits share one.
  void enter(const HitId& hit) {
    if (hit == group) return;
    if (!hit_words(group).empty()) svg.close();
    group = hit;
    if (hit_words(hit).empty()) return;
    SvgAttributes attributes;
    // Points of charts have a title but no id: there may be many.
    const bool named = !std::holds_alternative<ReadingHit>(hit);
    if (named) attributes.add("id", unique(id_of(hit_name(hit))));
    svg.open("g", attributes);
    svg.add("title", {}, xml_text(hit_words(hit)));
  }

  std::string unique(const std::string& id) {
    const std::size_t uses = ++ids[id];
    return svg.own_id(uses == 1 ? id : id + "-" + std::to_string(uses));
  }

  Status draw(const LineItem& item) {
    enter({});
    constexpr int kFaint = 4, kPale = 24;  // of 255
    if (part == nullptr || item.color.a >= kPale) {
      add(svg, item);
    } else if (item.color.a >= kFaint) {
      LineItem silent = item;
      silent.words.clear();
      add(svg, silent);
    }
    return ok_status();
  }
  Status draw(const TextItem& item) {
    enter(item.hit);
    if (options.outlines) {
      add_outlined(svg, item);
    } else {
      add(svg, item, metrics);
    }
    return ok_status();
  }
  Status draw(const MatrixItem& item) {
    enter({});
    const CellsKeeper* keep =
        part != nullptr && item.origin && item.turn == Turn{} ? &part->keep : nullptr;
    return add_matrix(svg, item, most_vector_cells(figure), keep, progress);
  }
  template <class Shape>
  Status draw(const Shape& item) {
    enter(item.hit);
    add(svg, item);
    return ok_status();
  }
};

}  // namespace

// Characters that XML cannot encode are shown by signs, as in all figures.
std::string xml_text(std::string_view text) {
  std::string out;
  for (const char& c : drawable_text(text)) {
    out += c == '&'   ? "&amp;"
           : c == '<' ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '"' ? "&quot;"
                      : std::string_view(&c, 1);
  }
  return out;
}

std::string base64_text(std::string_view bytes) {
  if (bytes.empty()) return "";
  const std::unique_ptr<gchar, Releaser<g_free>> text(
      g_base64_encode(reinterpret_cast<const guchar*>(bytes.data()), bytes.size()));
  return text.get();
}

std::string svg_number(double value) { return trimmed(fixed_text(value, 2)); }

SvgAttributes& SvgAttributes::add(std::string_view name, std::string_view text) {
  text_.append(" ").append(name).append("=\"").append(xml_text(text)).append("\"");
  return *this;
}

SvgAttributes& SvgAttributes::add(std::string_view name, double number) {
  return add(name, std::string_view(svg_number(number)));
}

SvgAttributes& SvgAttributes::add(std::string_view name, Color color) {
  add(name, std::string_view(hex(color)));
  if (color.a == 255) return *this;
  const std::string opacity = trimmed(fixed_text(color.a / 255.0, 3));
  return add(std::string(name) + "-opacity", std::string_view(opacity));
}

std::string title_markup(std::string_view text) {
  return text.empty() ? "" : "<title>" + xml_text(text) + "</title>";
}

void SvgWriter::open(std::string_view name, const SvgAttributes& attributes) {
  out_.append(open_.size(), ' ').append("<").append(name).append(attributes.text()).append(">\n");
  open_.emplace_back(name);
}

void SvgWriter::close() {
  const std::string name = std::move(open_.back());
  open_.pop_back();
  out_.append(open_.size(), ' ').append("</").append(name).append(">\n");
}

void SvgWriter::add(std::string_view name, const SvgAttributes& attributes,
                    std::string_view content) {
  out_.append(open_.size(), ' ').append("<").append(name).append(attributes.text());
  if (content.empty()) {
    out_ += "/>\n";
  } else {
    out_.append(">").append(content).append("</").append(name).append(">\n");
  }
}

Result<std::string> svg_of(const Figure& figure, const ExportOptions& options,
                           const TextMetrics& metrics, Progress* progress, const SvgPart* part) {
  const Status size = check_size(figure);
  if (!size) return size.error();
  return Painter{figure, options, metrics, progress, part}.paint();
}

Result<std::string> write_svg_figure(const Figure& figure, const ExportOptions& options,
                                     Progress* progress) {
  return svg_of(figure, options, pango_metrics(), progress);
}

}  // namespace attn
