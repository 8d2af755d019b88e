// PDF by Cairo and Pango.
#include <cairo-pdf.h>

#include "base/utf8.h"
#include "engine/read/result.h"
#include "export/cairo_painter.h"
#include "export/export.h"

namespace attn {
namespace {

// The bytes so far. Their number is unknown beforehand; a shape takes about kBytesOfAStep.
struct PdfStream {
  std::string bytes;
  StepCount written;
};
constexpr std::uint64_t kBytesOfAStep = 48;

// Cairo stops after an error here.
cairo_status_t append_bytes(void* stream, const unsigned char* data, unsigned int size) {
  auto& [bytes, written] = *static_cast<PdfStream*>(stream);
  bytes.append(reinterpret_cast<const char*>(data), size);
  return written.add(size) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

// Cairo records the painting, replays the recording without progress when finished, and then
// writes. Shares of these for a figure of many shapes:
constexpr float kNotesShare = 0.1F;
constexpr float kReadNotesShare = 0.3F;

Status noted_on(cairo_surface_t* surface, const Figure& figure, const ExportOptions& options,
                Progress* progress) {
  const ContextPtr context(cairo_create(surface));
  const ProgressPart part(progress, 0.0F, kNotesShare);
  if (paint(context.get(), figure, {options.transparent, true}, progress)) {
    return status_of(cairo_status(context.get()));
  }
  // Drops the recording, which would otherwise be replayed when the surface is destroyed.
  cairo_set_operator(context.get(), CAIRO_OPERATOR_CLEAR);
  cairo_paint(context.get());
  return stopped();
}

// Finishes the surface, which writes all bytes.
Status paint_on(cairo_surface_t* surface, const Figure& figure, const ExportOptions& options,
                Progress* progress) {
  if (Status noted = noted_on(surface, figure, options, progress); !noted) return noted;
  constexpr float kBefore = kNotesShare + kReadNotesShare;
  const ProgressPart part(progress, kBefore, 1.0F - kBefore);
  cairo_surface_finish(surface);
  if (progress != nullptr && progress->cancelled) return stopped();
  return status_of(cairo_surface_status(surface));
}

}  // namespace

Result<std::string> write_pdf_figure(const Figure& figure, const ExportOptions& options,
                                     Progress* progress) {
  const Status size = check_size(figure);
  if (!size) return size.error();
  PdfStream stream{{}, StepCount(progress, kBytesOfAStep * painting_steps(figure))};
  const SurfacePtr surface(
      cairo_pdf_surface_create_for_stream(append_bytes, &stream, figure.width, figure.height));
  const auto set = [&](cairo_pdf_metadata_t key, const std::string& text) {
    cairo_pdf_surface_set_metadata(surface.get(), key, text.c_str());
  };
  set(CAIRO_PDF_METADATA_CREATE_DATE, "");  // by default cairo writes the time of day
  set(CAIRO_PDF_METADATA_TITLE, drawable_text(figure.title));
  set(CAIRO_PDF_METADATA_SUBJECT, drawable_text(figure.alt_text));
  set(CAIRO_PDF_METADATA_CREATOR, "AttnScope");
  const Status painted = paint_on(surface.get(), figure, options, progress);
  if (!painted) return painted.error();
  return std::move(stream.bytes);
}

}  // namespace attn
