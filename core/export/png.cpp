// Rasterising of figures, and PNG with title and description.
#include <png.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>

#include "base/number_text.h"
#include "base/utf8.h"
#include "engine/read/result.h"
#include "export/cairo_painter.h"
#include "export/export.h"
#include "export/provenance.h"
#include "figure/pango_layout.h"

namespace attn {
namespace {

constexpr double kLargestSidePx = 32767.0;  // cairo's limit
constexpr double kMemoryLimitBytes = 1024.0 * 1024.0 * 1024.0;
constexpr double kBytesPerPixel = 8.0;  // cairo's image and the RGBA copy

Error size_error(double width, double height, std::string expected) {
  Error error;
  error.kind = ErrorKind::OverMemoryLimit;
  error.message = "the picture would be too large";
  error.found =
      fixed_text(width, 0) + " × " + fixed_text(height, 0) + " pixels (" +
      bytes_text(static_cast<std::uint64_t>(std::min(width * height * kBytesPerPixel, 1e18))) + ")";
  error.expected = std::move(expected);
  error.hint = "choose a lower resolution or a smaller figure, or export SVG";
  return error;
}

// A raster of the figure's size, without pixels.
Result<Raster> sized_raster(const Figure& figure, double pixels_per_unit) {
  const double width = std::ceil(figure.width * pixels_per_unit - 1e-6);
  const double height = std::ceil(figure.height * pixels_per_unit - 1e-6);
  if (!(width >= 1.0) || !(height >= 1.0) || !std::isfinite(width * height)) {
    Error error = usage_error("the figure has no size");
    error.expected = "a positive width, height and resolution";
    return error;
  }
  if (width * height * kBytesPerPixel > kMemoryLimitBytes) {
    return size_error(width, height, "at most 1 GiB");
  }
  if (std::max(width, height) > kLargestSidePx) {
    return size_error(width, height, "at most 32767 pixels a side");
  }
  return Raster{static_cast<int>(width), static_cast<int>(height), {}};
}

void read_pixels(cairo_surface_t* surface, Raster& raster, StepCount& rows) {
  cairo_surface_flush(surface);
  const unsigned char* const pixels = cairo_image_surface_get_data(surface);
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(surface));
  const auto width = static_cast<std::size_t>(raster.width_px);
  const auto height = static_cast<std::size_t>(raster.height_px);
  raster.rgba.resize(4 * width * height);
  for (std::size_t y = 0; y < height && rows.add(1); ++y) {
    unpremultiply(pixels + y * stride, width, raster.rgba.data() + 4 * y * width);
  }
}

// Shares of a large picture of few items: painting and conversion; encoding takes the rest.
constexpr float kPaintingShare = 0.2F;
constexpr float kPixelsShare = 0.15F;

Status painted_on(cairo_t* context, const Figure& figure, bool transparent, Progress* progress) {
  const ProgressPart part(progress, 0.0F, kPaintingShare);
  if (!paint(context, figure, transparent, false, progress)) return stopped();
  return status_of(cairo_status(context));
}

Result<Raster> rasterize_with(const Figure& figure, double pixels_per_unit, bool transparent,
                              Progress* progress) {
  Result<Raster> raster = sized_raster(figure, pixels_per_unit);
  if (!raster) return raster;
  const SurfacePtr surface(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, raster->width_px, raster->height_px));
  const ContextPtr context(cairo_create(surface.get()));
  // The figure fills whole pixels exactly, so that no edge is transparent.
  cairo_scale(context.get(), raster->width_px / figure.width, raster->height_px / figure.height);
  const Status status = painted_on(context.get(), figure, transparent, progress);
  if (!status) return status.error();
  const ProgressPart part(progress, kPaintingShare, kPixelsShare);
  StepCount rows(progress, static_cast<std::uint64_t>(raster->height_px));
  read_pixels(surface.get(), *raster, rows);
  if (!rows.add(0)) return stopped();
  return raster;
}

// The error is returned as a value, so nothing is printed.
[[noreturn]] void leave(png_structp png, png_const_charp) { png_longjmp(png, 1); }
void ignore(png_structp, png_const_charp) {}

// PNG in progress: libpng's two structures and the bytes so far.
struct PngWriter {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::string bytes;

  PngWriter()
      : png(png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, leave, ignore)),
        info(png != nullptr ? png_create_info_struct(png) : nullptr) {}
  ~PngWriter() { png_destroy_write_struct(&png, &info); }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;
};

void append_bytes(png_structp png, png_bytep data, png_size_t size) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<char*>(data), size);
}

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::vector<png_text> png_texts(std::span<const std::pair<std::string, std::string>> texts) {
  std::vector<png_text> chunks;
  for (const auto& [key, text] : texts) {
    png_text chunk{};
    chunk.compression = is_ascii(text) ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE;
    chunk.key = const_cast<char*>(key.c_str());
    chunk.text = const_cast<char*>(text.c_str());
    chunk.text_length = text.size();
    chunks.push_back(chunk);
  }
  return chunks;
}

bool is_opaque(const Raster& raster) {
  for (std::size_t i = 3; i < raster.rgba.size(); i += 4) {
    if (raster.rgba[i] != 255) return false;
  }
  return true;
}

// Everything that libpng may leave by longjmp, so nothing here owns memory. The bytes are
// incomplete when cancelled.
bool write_png(PngWriter& writer, const Raster& raster, double dpi, bool opaque,
               std::span<png_text> texts, StepCount& rows) {
  if (setjmp(png_jmpbuf(writer.png)) != 0) return false;
  png_set_write_fn(writer.png, &writer.bytes, append_bytes, nullptr);
  png_set_IHDR(writer.png, writer.info, static_cast<png_uint_32>(raster.width_px),
               static_cast<png_uint_32>(raster.height_px), 8,
               opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_filter(writer.png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
  png_set_compression_level(writer.png, 6);
  if (dpi > 0.0) {
    const auto per_metre = static_cast<png_uint_32>(std::lround(dpi / 0.0254));
    png_set_pHYs(writer.png, writer.info, per_metre, per_metre, PNG_RESOLUTION_METER);
  }
  if (!texts.empty()) {
    png_set_text(writer.png, writer.info, texts.data(), static_cast<int>(texts.size()));
  }
  png_write_info(writer.png, writer.info);
  if (opaque) png_set_filler(writer.png, 0, PNG_FILLER_AFTER);
  const std::size_t stride = 4 * static_cast<std::size_t>(raster.width_px);
  for (std::size_t y = 0; y < static_cast<std::size_t>(raster.height_px); ++y) {
    if (!rows.add(1)) return true;
    png_write_row(writer.png, raster.rgba.data() + y * stride);
  }
  png_write_end(writer.png, nullptr);
  return true;
}

}  // namespace

Result<Raster> rasterize(const Figure& figure, double pixels_per_unit) {
  return rasterize_with(figure, pixels_per_unit, false, nullptr);
}

Result<std::string> encode_png(const Raster& raster, double dpi,
                               std::span<const std::pair<std::string, std::string>> texts,
                               Progress* progress) {
  std::vector<png_text> chunks = png_texts(texts);
  const bool opaque = is_opaque(raster);
  StepCount rows(progress, static_cast<std::uint64_t>(raster.height_px));
  PngWriter writer;
  if (writer.info == nullptr || !write_png(writer, raster, dpi, opaque, chunks, rows)) {
    Error error;
    error.kind = ErrorKind::CannotWrite;
    error.message = "the picture cannot be written as PNG";
    error.found = std::to_string(raster.width_px) + " × " + std::to_string(raster.height_px);
    return error;
  }
  if (!rows.add(0)) return stopped();
  return std::move(writer.bytes);
}

Result<std::string> write_png_figure(const Figure& figure, const ExportOptions& options,
                                     Progress* progress) {
  const Status dpi = check_dpi(options.dpi);
  if (!dpi) return dpi.error();
  const Result<Raster> raster =
      rasterize_with(figure, options.dpi / kUnitsPerInch, options.transparent, progress);
  if (!raster) return raster.error();
  std::vector<std::pair<std::string, std::string>> texts;
  if (!figure.title.empty()) texts.emplace_back("Title", drawable_text(figure.title));
  texts.emplace_back("Software", "AttnScope");
  if (!figure.alt_text.empty()) texts.emplace_back("Description", drawable_text(figure.alt_text));
  if (!figure.provenance.empty()) {
    texts.emplace_back(std::string(kRecordName), figure.provenance);
  }
  constexpr float kBefore = kPaintingShare + kPixelsShare;
  const ProgressPart part(progress, kBefore, 1.0F - kBefore);
  return encode_png(*raster, options.dpi, texts, progress);
}

}  // namespace attn
