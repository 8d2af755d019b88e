// Writes figures as PDF by Cairo and Pango.
#include <cairo-pdf.h>

#include "base/utf8.h"
#include "export/cairo_painter.h"
#include "export/export.h"
#include "export/formats.h"

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

}  // namespace

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
  set(CAIRO_PDF_METADATA_TITLE, drawable_text(figure.title));
  set(CAIRO_PDF_METADATA_SUBJECT, drawable_text(figure.alt_text));
  set(CAIRO_PDF_METADATA_CREATOR, "AttnScope");
  const Status painted = paint_on(surface.get(), figure, options);
  if (!painted) return painted.error();
  return bytes;
}

}  // namespace attn
