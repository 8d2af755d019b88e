// Colours and patterns of the cells of a matrix; painting of figures with Cairo, matrices as images
// with patterns over them; and PDF.
#include "export/cairo_painter.h"

#include <cairo-pdf.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "base/utf8.h"
#include "engine/read/result.h"
#include "export/export.h"
#include "figure/colormap.h"
#include "figure/text.h"

namespace attn {
namespace {

constexpr double kEnlargedSidePx = 1200.0;
constexpr std::size_t kLargestPattern = 20000;  // runs

std::uint32_t argb(Color c) {
  return 0xFF000000U | static_cast<std::uint32_t>(c.r) << 16 |
         static_cast<std::uint32_t>(c.g) << 8 | c.b;
}

CellLook look_at(const MatrixCells& cells, std::size_t index) {
  return cell_look(cells.values[index], cells.hidden.empty() ? 0 : cells.hidden[index]);
}

// Pixels per cell along x and y of an image.
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

template <class Test>
std::vector<CellRun> runs_where(const MatrixCells& cells, const Test& test) {
  std::vector<CellRun> runs;
  for (std::size_t row = 0; row < cells.rows; ++row) {
    for (std::size_t col = 0; col < cells.cols; ++col) {
      if (!test(row * cells.cols + col)) continue;
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

void set_color(cairo_t* context, Color c) {
  cairo_set_source_rgba(context, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0);
}

void paint_image(cairo_t* context, const MatrixItem& m, const MatrixLook& look, bool enlarge) {
  const SurfacePtr image = image_of(m, look, enlarge);
  cairo_save(context);
  cairo_translate(context, m.rect.x, m.rect.y);
  cairo_scale(context, m.rect.width / cairo_image_surface_get_width(image.get()),
              m.rect.height / cairo_image_surface_get_height(image.get()));
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

// The centre of a line is half the ink away from its edge.
void add_level_lines(cairo_t* context, const Rect& area) {
  for (double y = kLevelInk / 2.0; y < area.height; y += kLevelPeriod) {
    cairo_move_to(context, area.x, area.y + y);
    cairo_line_to(context, area.x + area.width, area.y + y);
  }
}

// Draws one line x + y = c or x - y = c per period.
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

// Each row of checks is a dashed line: thousands of squares would bloat vector files.
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

// Draws the pattern over the clip, limited to its runs.
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

void add_rectangle(cairo_t* context, const Rect& r, double radius) {
  if (radius <= 0.0) {
    cairo_rectangle(context, r.x, r.y, r.width, r.height);
    return;
  }
  constexpr double kQuarter = std::numbers::pi / 2.0;
  const double right = r.x + r.width, bottom = r.y + r.height;
  cairo_new_sub_path(context);
  cairo_arc(context, right - radius, r.y + radius, radius, -kQuarter, 0.0);
  cairo_arc(context, right - radius, bottom - radius, radius, 0.0, kQuarter);
  cairo_arc(context, r.x + radius, bottom - radius, radius, kQuarter, 2 * kQuarter);
  cairo_arc(context, r.x + radius, r.y + radius, radius, 2 * kQuarter, 3 * kQuarter);
  cairo_close_path(context);
}

// Fills and strokes the current path, each when it is visible.
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

void draw(cairo_t* context, const RectItem& item, bool /*enlarge*/) {
  add_rectangle(context, item.rect, item.radius);
  draw_path(context, item.fill, item.stroke, item.stroke_width);
}

void draw(cairo_t* context, const LineItem& item, bool /*enlarge*/) {
  cairo_set_dash(context, item.dash.data(), static_cast<int>(item.dash.size()), item.dash_phase);
  cairo_move_to(context, item.from.x, item.from.y);
  cairo_line_to(context, item.to.x, item.to.y);
  draw_path(context, Color{0, 0, 0, 0}, item.color, item.width);
  cairo_set_dash(context, nullptr, 0, 0.0);
}

void draw(cairo_t* context, const PathItem& item, bool /*enlarge*/) {
  for (const Point p : item.points) cairo_line_to(context, p.x, p.y);
  if (item.closed) cairo_close_path(context);
  draw_path(context, item.fill, item.stroke, item.stroke_width);
}

void draw(cairo_t* context, const TextItem& item, bool /*enlarge*/) {
  if (item.text.empty()) return;
  const Point pen = pen_offset(item, pango_metrics().measure(item.text, item.font));
  const PangoLayoutPtr layout = make_layout(item.text, item.font);
  cairo_save(context);
  cairo_translate(context, item.anchor.x, item.anchor.y);
  cairo_rotate(context, -item.degrees * std::numbers::pi / 180.0);
  cairo_move_to(context, pen.x, pen.y);
  set_color(context, item.color);
  pango_cairo_show_layout_line(context, only_line(layout.get()));
  cairo_restore(context);
}

void draw(cairo_t* context, const MatrixItem& m, bool enlarge) {
  if (!has_cells(m)) return;
  const MatrixLook look = look_of(m);
  cairo_save(context);
  cairo_rectangle(context, m.clip.x, m.clip.y, m.clip.width, m.clip.height);
  cairo_clip(context);
  paint_image(context, m, look, enlarge);
  for (const MatrixPattern& pattern : look.patterns) paint_pattern(context, m, pattern);
  cairo_restore(context);
}

// Cairo records the painting, replays the recording without progress when finished, and then
// writes. Shares of these for a figure of many shapes:
constexpr float kNotesShare = 0.1F, kReadNotesShare = 0.3F;

Status noted_on(cairo_surface_t* surface, const Figure& figure, const ExportOptions& options,
                Progress* progress) {
  const ContextPtr context(cairo_create(surface));
  const ProgressPart part(progress, 0.0F, kNotesShare);
  if (paint(context.get(), figure, options.transparent, true, progress)) {
    return status_of(cairo_status(context.get()));
  }
  // Drops the recording, which would otherwise be replayed when the surface is destroyed.
  cairo_set_operator(context.get(), CAIRO_OPERATOR_CLEAR);
  cairo_paint(context.get());
  return stopped();
}

}  // namespace

MatrixLook look_of(const MatrixItem& m) {
  const MatrixCells& cells = *m.cells;
  MatrixLook look{m.hatch_background, m.hatch_background, {}};
  const bool hides =
      std::ranges::any_of(cells.hidden, [](auto rules) { return rules != kVisible; });
  if (hides && runs_of(cells, CellLook::Hidden).size() > kLargestPattern) {
    look.hidden = mix(m.hatch_background, m.hatch, kHatchInk / kHatchPeriod);
  } else if (hides) {
    for (const Hatch& hatch : all_hatches()) {
      add_pattern(look, {CellLook::Hidden, hatch.line, runs_of(cells, hatch.line)});
    }
  }
  std::vector<CellRun> odd = runs_of(cells, CellLook::NonFinite);
  if (odd.size() > kLargestPattern) {
    look.non_finite = mix(m.hatch_background, m.hatch, 0.5);
  } else {
    add_pattern(look, {CellLook::NonFinite, kRisingLines, std::move(odd)});
  }
  return look;
}

Color cell_color(const MatrixItem& m, const MatrixLook& look, std::size_t index) {
  const CellLook seen = look_at(*m.cells, index);
  if (seen == CellLook::Hidden) return look.hidden;
  if (seen == CellLook::NonFinite) return look.non_finite;
  return m.scale.map->colors[color_index(m.scale, m.cells->coloured()[index])];
}

SurfacePtr image_of(const MatrixItem& m, const MatrixLook& look, bool enlarged) {
  const Enlargement by = enlarged ? enlargement_of(m) : Enlargement{};
  const std::size_t rows = m.cells->rows, cols = m.cells->cols;
  SurfacePtr surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(cols * by.x),
                                                static_cast<int>(rows * by.y)));
  // Cairo aligns its data and its lines to 32 bits per pixel.
  auto* const pixels = reinterpret_cast<std::uint32_t*>(
      static_cast<void*>(cairo_image_surface_get_data(surface.get())));
  if (pixels == nullptr) return surface;
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface.get())) /
                      sizeof(std::uint32_t);
  for (std::size_t row = 0; row < rows; ++row) {
    std::uint32_t* const first = pixels + row * by.y * stride;
    for (std::size_t col = 0; col < cols; ++col) {
      std::fill_n(first + col * by.x, by.x, argb(cell_color(m, look, row * cols + col)));
    }
    for (std::size_t y = 1; y < by.y; ++y) std::copy_n(first, cols * by.x, first + y * stride);
  }
  cairo_surface_mark_dirty(surface.get());
  return surface;
}

bool paint(cairo_t* context, const Figure& figure, bool transparent, bool enlarge_matrices,
           Progress* progress) {
  StepCount count(progress, painting_steps(figure));
  if (!transparent && figure.background.a > 0) {
    set_color(context, figure.background);
    cairo_rectangle(context, 0.0, 0.0, figure.width, figure.height);
    cairo_fill(context);
  }
  for (const FigureItem& item : figure.items) {
    cairo_new_path(context);
    std::visit([&](const auto& shape) { draw(context, shape, enlarge_matrices); }, item);
    if (!count.add(painting_steps(item))) return false;
  }
  return count.add(0);
}

Status status_of(cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) return ok_status();
  const bool is_large = status == CAIRO_STATUS_NO_MEMORY;
  return Error{.kind = is_large ? ErrorKind::OverMemoryLimit : ErrorKind::CannotWrite,
               .message = "the figure cannot be drawn",
               .found = cairo_status_to_string(status),
               .hint = "try a smaller size or another format"};
}

// Estimated bytes of a shape, as the size of the file is unknown beforehand.
constexpr std::uint64_t kBytesOfAStep = 48;

struct PdfPages::Sheets {
  std::string& bytes;
  StepCount written{nullptr, 0};  // of the page being drawn
  SurfacePtr surface{};
  int pages = 0;

  // Appends bytes of the file; after an error Cairo writes no more.
  static cairo_status_t append(void* sheets, const unsigned char* data, unsigned int size) {
    auto& to = *static_cast<Sheets*>(sheets);
    to.bytes.append(reinterpret_cast<const char*>(data), size);
    return to.written.add(size) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
  }
};

// Version 1.5 would let cairo compress the metadata, which is read back.
PdfPages::PdfPages(std::string& bytes) : sheets_(new Sheets{bytes}) {
  SurfacePtr& surface = sheets_->surface;
  surface.reset(cairo_pdf_surface_create_for_stream(Sheets::append, sheets_.get(), 1.0, 1.0));
  cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);
}

PdfPages::~PdfPages() = default;

Status PdfPages::add(const Figure& figure, const std::string& name, const ExportOptions& options,
                     Progress* progress) {
  if (Status size = check_size(figure); !size) return size;
  auto& [bytes, written, surface, pages] = *sheets_;
  written = StepCount(progress, kBytesOfAStep * painting_steps(figure));
  cairo_pdf_surface_set_size(surface.get(), figure.width, figure.height);
  if (Status noted = noted_on(surface.get(), figure, options, progress); !noted) return noted;
  constexpr float kBefore = kNotesShare + kReadNotesShare;
  const ProgressPart part(progress, kBefore, 1.0F - kBefore);
  cairo_surface_show_page(surface.get());
  written = StepCount(nullptr, 0);
  const std::string place = "page=" + std::to_string(++pages) + " pos=[0 0]";
  if (!name.empty()) {
    cairo_pdf_surface_add_outline(surface.get(), CAIRO_PDF_OUTLINE_ROOT, name.c_str(),
                                  place.c_str(), cairo_pdf_outline_flags_t{});
  }
  if (is_cancelled(progress)) return stopped();
  return status_of(cairo_surface_status(surface.get()));
}

Status PdfPages::finish(const Figure& whole) {
  const SurfacePtr& surface = sheets_->surface;
  const auto set = [&](cairo_pdf_metadata_t key, const std::string& text) {
    cairo_pdf_surface_set_metadata(surface.get(), key, text.c_str());
  };
  set(CAIRO_PDF_METADATA_CREATE_DATE, "");  // by default cairo writes the time of day
  set(CAIRO_PDF_METADATA_TITLE, drawable_text(whole.title));
  set(CAIRO_PDF_METADATA_SUBJECT, drawable_text(whole.alt_text));
  set(CAIRO_PDF_METADATA_CREATOR, "AttnScope");
  if (!whole.provenance.empty()) set(CAIRO_PDF_METADATA_KEYWORDS, whole.provenance);
  cairo_surface_finish(surface.get());
  return status_of(cairo_surface_status(surface.get()));
}

Result<std::string> write_pdf_figure(const Figure& figure, const ExportOptions& options,
                                     Progress* progress) {
  std::string bytes;
  PdfPages page(bytes);
  Status written = page.add(figure, "", options, progress);
  if (written) written = page.finish(figure);
  return written ? Result(std::move(bytes)) : written.error();
}

}  // namespace attn
