#include <cairo-pdf.h>
#include <cairo-svg.h>

#include <cmath>
#include <map>

#include "export/cairo_painter.h"
#include "export/export.h"
#include "export/formats.h"
#include "figure/text.h"

namespace attn {
namespace {

cairo_status_t append_bytes(void* bytes, const unsigned char* data, unsigned int size) {
  static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), size);
  return CAIRO_STATUS_SUCCESS;
}

// Finishes the surface, so that all bytes are written.
Status paint_on(cairo_surface_t* surface, const Figure& figure, const ExportOptions& options) {
  const ContextPtr context(cairo_create(surface));
  paint(context.get(), figure, {options.transparent, true});
  const Status painted = status_of(cairo_status(context.get()));
  cairo_surface_finish(surface);
  return painted ? status_of(cairo_surface_status(surface)) : painted;
}

Status check_size(const Figure& figure) {
  if (figure.width > 0.0 && figure.height > 0.0 && std::isfinite(figure.width) &&
      std::isfinite(figure.height)) {
    return ok_status();
  }
  Error error;
  error.kind = ErrorKind::Usage;
  error.message = "the figure has no size";
  error.expected = "a positive width and height";
  return error;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : valid_utf8(text)) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') {
      out += c;
    }
  }
  return out;
}

// Cairo numbers images and surfaces through the life of the program; these numbers start at 1, so
// that the same figure gives the same bytes.
std::string renumbered(const std::string& svg, const std::string& kind) {
  std::map<std::string, std::size_t> numbers;
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = svg.find(kind); at != std::string::npos; at = svg.find(kind, at + 1)) {
    const char before = at > 0 ? svg[at - 1] : ' ';
    const std::size_t digits = at + kind.size();
    const std::size_t end = svg.find_first_not_of("0123456789", digits);
    if ((before != '"' && before != '#') || end == digits || end == std::string::npos) continue;
    const auto entry = numbers.emplace(svg.substr(digits, end - digits), numbers.size() + 1).first;
    out.append(svg, done, digits - done);
    out += std::to_string(entry->second);
    done = end;
  }
  return out.append(svg, done);
}

std::string with_inserted(std::string svg, const std::string& before_this,
                          const std::string& text) {
  const std::size_t at = svg.find(before_this);
  if (at != std::string::npos) svg.insert(at, text);
  return svg;
}

// Tells readers what the picture is, and browsers not to blur matrices.
std::string finished_svg(std::string svg, const Figure& figure) {
  svg = renumbered(renumbered(svg, "image"), "surface");
  const std::size_t root = svg.find("<svg ");
  const std::size_t inside = root == std::string::npos ? root : svg.find('>', root);
  if (inside == std::string::npos) return svg;
  std::string head = "\n";
  if (!figure.title.empty()) head += "<title>" + escaped(figure.title) + "</title>\n";
  if (!figure.alt_text.empty()) head += "<desc>" + escaped(figure.alt_text) + "</desc>\n";
  head += "<style>image { image-rendering: pixelated; }</style>";
  svg.insert(inside + 1, head);
  return with_inserted(std::move(svg), " version=\"1.1\"", " role=\"img\"");
}

}  // namespace

Result<std::string> write_svg_figure(const Figure& figure, const ExportOptions& options) {
  const Status size = check_size(figure);
  if (!size) return size.error();
  std::string bytes;
  const SurfacePtr surface(
      cairo_svg_surface_create_for_stream(append_bytes, &bytes, figure.width, figure.height));
  const Status painted = paint_on(surface.get(), figure, options);
  if (!painted) return painted.error();
  return finished_svg(std::move(bytes), figure);
}

Result<std::string> write_pdf_figure(const Figure& figure, const ExportOptions& options) {
  const Status size = check_size(figure);
  if (!size) return size.error();
  std::string bytes;
  const SurfacePtr surface(
      cairo_pdf_surface_create_for_stream(append_bytes, &bytes, figure.width, figure.height));
  const auto set = [&](cairo_pdf_metadata_t key, const std::string& text) {
    cairo_pdf_surface_set_metadata(surface.get(), key, text.c_str());
  };
  set(CAIRO_PDF_METADATA_CREATE_DATE, "");  // else cairo writes the time of day
  set(CAIRO_PDF_METADATA_TITLE, valid_utf8(figure.title));
  set(CAIRO_PDF_METADATA_SUBJECT, valid_utf8(figure.alt_text));
  set(CAIRO_PDF_METADATA_CREATOR, "AttnScope");
  const Status painted = paint_on(surface.get(), figure, options);
  if (!painted) return painted.error();
  return bytes;
}

}  // namespace attn
