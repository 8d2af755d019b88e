// Decodes a PNG to pixels and texts.
#include "support/read_png.h"

#include <png.h>

#include <cstring>
#include <string_view>

namespace attn::test {
namespace {

void take_bytes(png_structp png, png_bytep data, png_size_t size) {
  auto& rest = *static_cast<std::string_view*>(png_get_io_ptr(png));
  if (rest.size() < size) png_error(png, "truncated");
  std::memcpy(data, rest.data(), size);
  rest.remove_prefix(size);
}

}  // namespace

ReadPng read_png(const std::string& bytes) {
  ReadPng out;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  std::string_view rest = bytes;
  png_set_read_fn(png, &rest, take_bytes);
  png_read_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  out.width = png_get_image_width(png, info);
  out.height = png_get_image_height(png, info);
  out.has_alpha = (png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA) != 0;
  int unit = -1;
  png_get_pHYs(png, info, &out.pixels_per_metre_x, &out.pixels_per_metre_y, &unit);
  out.per_metre = unit == PNG_RESOLUTION_METER;
  png_textp texts = nullptr;
  const int count = png_get_text(png, info, &texts, nullptr);
  for (int i = 0; i < count; ++i) out.texts.emplace_back(texts[i].key, texts[i].text);
  const unsigned channels = png_get_channels(png, info);
  png_bytepp rows = png_get_rows(png, info);
  for (std::uint32_t y = 0; y < out.height; ++y) {
    for (std::uint32_t x = 0; x < out.width; ++x) {
      for (unsigned c = 0; c < 4; ++c) {
        out.rgba.push_back(c < channels ? rows[y][x * channels + c] : std::uint8_t{255});
      }
    }
  }
  png_destroy_read_struct(&png, &info, nullptr);
  return out;
}

}  // namespace attn::test
