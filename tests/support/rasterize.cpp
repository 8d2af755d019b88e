// Writes a figure as PNG and reads it back.
#include "support/rasterize.h"

#include <utility>

#include "support/read_png.h"

namespace attn::test {

Result<Raster> rasterize(const Figure& figure, double pixels_per_unit) {
  const Result<std::string> bytes =
      write_png_figure(figure, {.dpi = pixels_per_unit * kUnitsPerInch}, nullptr);
  if (!bytes) return bytes.error();
  ReadPng png = read_png(*bytes);
  return Raster{static_cast<int>(png.width), static_cast<int>(png.height), std::move(png.rgba)};
}

}  // namespace attn::test
