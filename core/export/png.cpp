// Rasterises figures, and writes PNG with title and description.
#include <libdeflate.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "base/large_memory.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "engine/read/result.h"
#include "export/cairo_painter.h"
#include "export/export.h"
#include "export/provenance.h"

namespace attn {
namespace {

constexpr double kLargestSidePx = 32767.0;  // cairo's limit
constexpr double kMemoryLimitBytes = 1024.0 * 1024.0 * 1024.0;
constexpr double kBytesPerPixel = 4.0;

Status check_dpi(double dpi) {
  if (dpi >= kSmallestDpi && dpi <= kLargestDpi) return ok_status();
  Error error = usage_error("the resolution is out of bounds");
  error.found = short_text(dpi) + " dots per inch";
  error.expected = "10 to 2400";
  return error;
}

Error size_error(double width, double height, std::string expected) {
  const double bytes = std::min(width * height * kBytesPerPixel, 1e18);
  return {.kind = ErrorKind::OverMemoryLimit,
          .message = "the picture would be too large",
          .found = fixed_text(width, 0) + " × " + fixed_text(height, 0) + " pixels (" +
                   bytes_text(static_cast<std::uint64_t>(bytes)) + ")",
          .expected = std::move(expected),
          .hint = "choose a lower resolution or a smaller figure, or export SVG"};
}

// A raster of the figure's size, without pixels.
Result<Raster> sized_raster(const Figure& figure, double pixels_per_unit) {
  if (const Status size = check_size(figure); !size) return size.error();
  const double width = std::max(std::ceil(figure.width * pixels_per_unit - 1e-6), 1.0);
  const double height = std::max(std::ceil(figure.height * pixels_per_unit - 1e-6), 1.0);
  if (width * height * kBytesPerPixel > kMemoryLimitBytes) {
    return size_error(width, height, "at most 1 GiB");
  }
  if (std::max(width, height) > kLargestSidePx) {
    return size_error(width, height, "at most 32767 pixels a side");
  }
  return Raster{static_cast<int>(width), static_cast<int>(height), {}};
}

// Share of a large picture of few items; encoding takes the rest.
constexpr float kPaintingShare = 0.2F;

// Cairo's image of a figure, in pixels that we own.
struct Painted {
  LargeMemory<std::uint8_t> pixels;
  SurfacePtr image;
};

Painted blank(int width_px, int height_px) {
  const int stride = cairo_format_stride_for_width(CAIRO_FORMAT_ARGB32, width_px);
  const std::size_t bytes = static_cast<std::size_t>(stride) * static_cast<std::size_t>(height_px);
  Painted blank{allocate_large_of<std::uint8_t>(bytes), nullptr};
  std::fill_n(blank.pixels.get(), bytes, std::uint8_t{0});
  blank.image.reset(cairo_image_surface_create_for_data(blank.pixels.get(), CAIRO_FORMAT_ARGB32,
                                                        width_px, height_px, stride));
  return blank;
}

Result<Painted> painted(const Figure& figure, double pixels_per_unit, bool transparent,
                        Progress* progress) {
  const Result<Raster> size = sized_raster(figure, pixels_per_unit);
  if (!size) return size.error();
  Painted picture = blank(size->width_px, size->height_px);
  const ContextPtr context(cairo_create(picture.image.get()));
  // The figure fills whole pixels exactly, so that no edge is transparent.
  cairo_scale(context.get(), size->width_px / figure.width, size->height_px / figure.height);
  const ProgressPart part(progress, 0.0F, kPaintingShare);
  if (!paint(context.get(), figure, transparent, false, progress)) return stopped();
  const Status status = status_of(cairo_status(context.get()));
  if (!status) return status.error();
  cairo_surface_flush(picture.image.get());
  return picture;
}

// Pixels row by row, as PNG stores them: red, green and blue, and alpha unless all are opaque.
struct PixelRows {
  int width_px, height_px;
  bool opaque;
  std::function<void(std::size_t row, std::uint8_t* to)> read;

  std::size_t width() const { return static_cast<std::size_t>(width_px); }
  std::size_t height() const { return static_cast<std::size_t>(height_px); }
  std::size_t bytes() const { return (opaque ? 3 : 4) * width(); }  // of a row
};

// Converts a row of Cairo's 32 bits per pixel.
void copy_rgb(std::span<const std::uint32_t> row, std::uint8_t* to) {
  for (const std::uint32_t pixel : row) {
    for (const unsigned bits : {16U, 8U, 0U}) *to++ = static_cast<std::uint8_t>(pixel >> bits);
  }
}

PixelRows rows_of(cairo_surface_t* image, bool opaque) {
  PixelRows rows{
      cairo_image_surface_get_width(image), cairo_image_surface_get_height(image), opaque, {}};
  const unsigned char* const data = cairo_image_surface_get_data(image);
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(image));
  rows.read = [=, width = rows.width()](std::size_t y, std::uint8_t* to) {
    const void* const row = data + y * stride;
    if (opaque) return copy_rgb({static_cast<const std::uint32_t*>(row), width}, to);
    std::fill_n(to, 4 * width, std::uint8_t{0});
    unpremultiply(data + y * stride, width, to);
  };
  return rows;
}

bool is_opaque(const Raster& raster) {
  for (std::size_t i = 3; i < raster.rgba.size(); i += 4) {
    if (raster.rgba[i] != 255) return false;
  }
  return true;
}

PixelRows rows_of(const Raster& raster) {
  PixelRows rows{raster.width_px, raster.height_px, is_opaque(raster), {}};
  const std::size_t width = rows.width(), kept = rows.opaque ? 3 : 4;
  rows.read = [&raster, width, kept](std::size_t y, std::uint8_t* to) {
    const std::uint8_t* from = raster.rgba.data() + 4 * y * width;
    for (std::size_t x = 0; x < width; ++x) std::copy_n(from + 4 * x, kept, to + kept * x);
  };
  return rows;
}

std::string in_big_endian(std::uint32_t number) {
  std::string bytes;
  for (const unsigned bits : {24U, 16U, 8U, 0U}) bytes += static_cast<char>(number >> bits & 0xFFU);
  return bytes;
}

// A chunk: length, type, contents, and the checksum of type and contents.
void add_chunk(std::string& png, std::string_view type, std::string_view contents) {
  png.append(in_big_endian(static_cast<std::uint32_t>(contents.size()))).append(type);
  png += contents;
  const std::size_t covered = type.size() + contents.size();
  png += in_big_endian(libdeflate_crc32(0, png.data() + png.size() - covered, covered));
}

void add_text(std::string& png, const std::string& key, const std::string& text) {
  const bool is_ascii =
      std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  // Five empty fields: its end, no compression, its method, no language, and no translated key.
  is_ascii ? add_chunk(png, "tEXt", key + '\0' + text)
           : add_chunk(png, "iTXt", key + std::string(5, '\0') + text);
}

// Stores a row as its differences from the one above if nearly all are 0: the rows of a cell repeat
// each other, while the differences of letters and lines compress worse than their pixels.
void filter(std::span<const std::uint8_t> row, std::span<const std::uint8_t> above,
            std::span<std::uint8_t> stored) {
  constexpr std::size_t kOneOf = 50;
  constexpr std::uint8_t kAsItIs = 0, kFromAbove = 2;  // of PNG
  std::size_t others = 0;
  for (std::size_t i = 0; i < row.size(); ++i) others += row[i] != above[i] ? 1 : 0;
  const bool repeats = others <= row.size() / kOneOf;
  stored[0] = repeats ? kFromAbove : kAsItIs;
  if (!repeats) return void(std::ranges::copy(row, stored.begin() + 1));
  for (std::size_t i = 0; i < row.size(); ++i) {
    stored[i + 1] = static_cast<std::uint8_t>(row[i] - above[i]);
  }
}

using Bytes = std::span<std::uint8_t>;

// All rows as PNG stores them; incomplete when cancelled.
void store_rows(const PixelRows& rows, Bytes stored, StepCount& steps) {
  std::vector<std::uint8_t> row(rows.bytes()), above(rows.bytes());
  for (std::size_t y = 0; y < rows.height() && steps.add(1); ++y) {
    rows.read(y, row.data());
    filter(row, above, stored.subspan(y * (rows.bytes() + 1), rows.bytes() + 1));
    row.swap(above);
  }
}

// Rows packed by libdeflate. Its higher levels take longer, but make figures hardly smaller.
struct Packed {
  LargeMemory<std::uint8_t> memory;
  std::size_t size = 0;
};

Packed packed(Bytes stored) {
  constexpr int kLevel = 2;
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(kLevel), libdeflate_free_compressor);
  if (compressor == nullptr) throw std::bad_alloc();
  const std::size_t most = libdeflate_zlib_compress_bound(compressor.get(), stored.size());
  Packed packed{allocate_large_of<std::uint8_t>(most)};
  packed.size = libdeflate_zlib_compress(compressor.get(), stored.data(), stored.size(),
                                         packed.memory.get(), most);
  return packed;
}

// All chunks before the pixels.
std::string head_of(const PixelRows& rows, double dpi, PngTexts texts) {
  std::string png = "\x89PNG\r\n\x1a\n";
  const auto width = static_cast<std::uint32_t>(rows.width_px);
  const auto height = static_cast<std::uint32_t>(rows.height_px);
  const char color_type = rows.opaque ? 2 : 6;  // RGB or RGBA, of 8 bits
  add_chunk(
      png, "IHDR",
      in_big_endian(width) + in_big_endian(height) + '\x08' + color_type + std::string(3, '\0'));
  if (dpi > 0.0) {
    const std::string per_metre =
        in_big_endian(static_cast<std::uint32_t>(std::lround(dpi / 0.0254)));
    add_chunk(png, "pHYs", per_metre + per_metre + '\x01');
  }
  for (const auto& [key, text] : texts) add_text(png, key, text);
  return png;
}

Result<std::string> encoded(const PixelRows& rows, double dpi, PngTexts texts, Progress* progress) {
  StepCount steps(progress, static_cast<std::uint64_t>(rows.height_px));
  const std::size_t size = rows.height() * (rows.bytes() + 1);
  const LargeMemory<std::uint8_t> stored = allocate_large_of<std::uint8_t>(size);
  store_rows(rows, {stored.get(), size}, steps);
  if (!steps.add(0)) return stopped();
  const Packed pixels = packed({stored.get(), size});
  if (!steps.add(0)) return stopped();
  std::string png = head_of(rows, dpi, texts);
  add_chunk(png, "IDAT", {reinterpret_cast<const char*>(pixels.memory.get()), pixels.size});
  add_chunk(png, "IEND", "");
  return png;
}

}  // namespace

Result<Raster> raster_of(const Figure& figure, const ExportOptions& options, Progress* progress) {
  if (const Status dpi = check_dpi(options.dpi); !dpi) return dpi.error();
  const Result<Painted> picture = painted(figure, options.dpi / kUnitsPerInch, false, progress);
  if (!picture) return picture.error();
  PixelRows rows = rows_of(picture->image.get(), false);
  Raster raster{rows.width_px, rows.height_px, {}};
  raster.rgba.resize(rows.bytes() * rows.height());
  for (std::size_t y = 0; y < rows.height(); ++y) rows.read(y, &raster.rgba[y * rows.bytes()]);
  return raster;
}

Result<std::string> encode_png(const Raster& raster) {
  if (raster.rgba.empty()) {
    return Error{.kind = ErrorKind::CannotWrite, .message = "a picture without pixels"};
  }
  return encoded(rows_of(raster), 0.0, {}, nullptr);
}

Result<std::string> png_of(const SurfacePtr& image, bool opaque, double dpi, PngTexts texts,
                           Progress* progress) {
  if (const Status made = status_of(cairo_surface_status(image.get())); !made) return made.error();
  return encoded(rows_of(image.get(), opaque), dpi, texts, progress);
}

Result<std::string> write_png_figure(const Figure& figure, const ExportOptions& options,
                                     Progress* progress) {
  const Status dpi = check_dpi(options.dpi);
  if (!dpi) return dpi.error();
  const Result<Painted> picture =
      painted(figure, options.dpi / kUnitsPerInch, options.transparent, progress);
  if (!picture) return picture.error();
  std::vector<std::pair<std::string, std::string>> texts;
  if (!figure.title.empty()) texts.emplace_back("Title", drawable_text(figure.title));
  texts.emplace_back("Software", "AttnScope");
  if (!figure.alt_text.empty()) texts.emplace_back("Description", drawable_text(figure.alt_text));
  if (!figure.provenance.empty()) texts.emplace_back(std::string(kRecordName), figure.provenance);
  const ProgressPart part(progress, kPaintingShare, 1.0F - kPaintingShare);
  const bool is_opaque = !options.transparent && figure.background.a == 255;
  return png_of(picture->image, is_opaque, options.dpi, texts, progress);
}

}  // namespace attn
