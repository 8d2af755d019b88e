// GIF of several frames: their palettes, the rectangles that change, and the packing of indices.
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "engine/read/result.h"
#include "export/export.h"

namespace attn {
namespace {

constexpr std::size_t kPalette = 256, kTransparent = 255;  // of a pixel that stays
constexpr std::size_t kGifBlock = 255;                     // bytes

void add_number(std::string& out, std::size_t number) {
  out += static_cast<char>(number & 0xFFU);
  out += static_cast<char>(number >> 8U & 0xFFU);
}

void add_blocks(std::string& out, std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += kGifBlock) {
    const std::string_view block = bytes.substr(at, kGifBlock);
    out += static_cast<char>(block.size());
    out += block;
  }
  out += '\0';
}

// Packs indices by Lempel–Ziv–Welch with codes of growing width.
class Packer {
 public:
  std::string packed(const std::vector<std::uint8_t>& indices) {
    begin();
    std::size_t prefix = indices.front();
    for (std::size_t i = 1; i < indices.size(); ++i) {
      std::uint16_t& next = next_[prefix * kPalette + indices[i]];
      if (next != 0) {
        prefix = next;
        continue;
      }
      put(prefix);
      next = static_cast<std::uint16_t>(codes_++);
      if (codes_ > std::size_t{1} << width_) ++width_;
      if (codes_ == kMostCodes) begin();
      prefix = indices[i];
    }
    put(prefix);
    if (codes_ >= std::size_t{1} << width_) ++width_;  // as readers expect
    put(kEnd);
    if (bits_ > 0) out_ += static_cast<char>(held_ & 0xFFU);
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kClear = kPalette, kEnd = kPalette + 1, kMostCodes = 4095;

  void begin() {
    put(kClear);
    std::ranges::fill(next_, std::uint16_t{0});
    width_ = 9;
    codes_ = kEnd + 1;
  }
  void put(std::size_t code) {
    held_ |= code << bits_;
    for (bits_ += width_; bits_ >= 8; bits_ -= 8, held_ >>= 8U) {
      out_ += static_cast<char>(held_ & 0xFFU);
    }
  }

  std::string out_;
  std::size_t held_ = 0, bits_ = 0, width_ = 9, codes_ = kEnd + 1;
  std::vector<std::uint16_t> next_ = std::vector<std::uint16_t>(std::size_t{4096} * kPalette);
};

struct ChangedBox {
  std::size_t x = 0, y = 0, width = 1, height = 1;
};

std::uint32_t color_at(const Raster& raster, std::size_t pixel) {
  const std::uint8_t* at = raster.rgba.data() + 4 * pixel;
  return std::uint32_t{at[0]} << 16U | std::uint32_t{at[1]} << 8U | std::uint32_t{at[2]};
}

bool is_new(const Raster& now, const Raster& before, std::size_t pixel) {
  return before.rgba.empty() || color_at(now, pixel) != color_at(before, pixel);
}

ChangedBox box_of_changes(const Raster& now, const Raster& before) {
  const auto width = static_cast<std::size_t>(now.width_px);
  std::size_t left = width, right = 0, top = std::numeric_limits<std::size_t>::max(), bottom = 0;
  for (std::size_t pixel = 0; pixel < now.rgba.size() / 4; ++pixel) {
    if (!is_new(now, before, pixel)) continue;
    left = std::min(left, pixel % width);
    right = std::max(right, pixel % width);
    top = std::min(top, pixel / width);
    bottom = pixel / width;
  }
  if (left > right) return {};
  return {left, top, right - left + 1, bottom - top + 1};
}

int apart(std::uint32_t a, std::uint32_t b) {
  int sum = 0;
  for (const unsigned bits : {16U, 8U, 0U}) {
    const int by = static_cast<int>(a >> bits & 0xFFU) - static_cast<int>(b >> bits & 0xFFU);
    sum += by * by;
  }
  return sum;
}

// Number of colours that are counted; further ones are only mapped to the palette.
using Counts = std::unordered_map<std::uint32_t, std::size_t>;
constexpr std::size_t kMostCounted = 65'536;

std::size_t nearest_in(const std::vector<std::uint32_t>& palette, std::uint32_t color) {
  const auto nearest = std::ranges::min_element(
      palette, {}, [color](std::uint32_t known) { return apart(known, color); });
  return static_cast<std::size_t>(nearest - palette.begin());
}

// The most frequent colours, which are close to those of the edges of letters.
std::vector<std::uint32_t> palette_of(const Counts& counts) {
  std::vector<std::pair<std::size_t, std::uint32_t>> sorted;
  for (const auto& [color, count] : counts) sorted.emplace_back(count, color);
  std::ranges::sort(sorted, std::greater{});
  std::vector<std::uint32_t> palette;
  palette.reserve(sorted.size());
  for (const auto& [count, color] : sorted) palette.push_back(color);
  palette.resize(std::min(palette.size(), kTransparent));
  return palette;
}

void add_image(std::string& out, const ChangedBox& box, const std::vector<std::uint32_t>& palette,
               const std::vector<std::uint8_t>& indices) {
  out += ',';
  for (const std::size_t number : {box.x, box.y, box.width, box.height}) add_number(out, number);
  out += '\x87';  // a palette of 256 colours follows
  for (std::size_t i = 0; i < kPalette; ++i) {
    const std::uint32_t color = i < palette.size() ? palette[i] : 0;
    for (const unsigned bits : {16U, 8U, 0U}) out += static_cast<char>(color >> bits & 0xFFU);
  }
  out += '\x08';  // bits of an index
  add_blocks(out, Packer().packed(indices));
}

void add_head(std::string& out, const Raster& raster) {
  using namespace std::string_view_literals;
  out += "GIF89a";
  add_number(out, static_cast<std::size_t>(raster.width_px));
  add_number(out, static_cast<std::size_t>(raster.height_px));
  out += "\x70\0\0"sv;                            // no palette of all frames
  out += "!\xFF\x0BNETSCAPE2.0\x03\x01\0\0\0"sv;  // endlessly
}

}  // namespace

Status GifFrames::add(Raster raster, double seconds, Progress* progress) {
  using namespace std::string_view_literals;
  const bool first = before_.rgba.empty();
  if (first) add_head(out_, raster);
  if (!first && (raster.width_px != before_.width_px || raster.height_px != before_.height_px)) {
    return usage_error("the frames of an animation have different sizes",
                       "set --height, or write a file of each");
  }
  const ChangedBox box = box_of_changes(raster, before_);
  const auto width = static_cast<std::size_t>(raster.width_px);
  const auto each = [&](const auto& visit) {
    for (std::size_t i = 0; i < box.width * box.height; ++i) {
      if (i % box.width == 0 && is_cancelled(progress)) return;
      visit((box.y + i / box.width) * width + box.x + i % box.width);
    }
  };
  Counts counts;
  each([&](std::size_t pixel) {
    const std::uint32_t color = color_at(raster, pixel);
    const bool is_counted = counts.size() < kMostCounted || counts.contains(color);
    if (is_counted && is_new(raster, before_, pixel)) ++counts[color];
  });
  const std::vector<std::uint32_t> palette = palette_of(counts);
  for (auto& [color, index] : counts) index = nearest_in(palette, color);
  std::vector<std::uint8_t> indices;
  indices.reserve(box.width * box.height);
  each([&](std::size_t pixel) {
    const std::uint32_t color = color_at(raster, pixel);
    const auto known = counts.find(color);
    const std::size_t index = !is_new(raster, before_, pixel) ? kTransparent
                              : known != counts.end()         ? known->second
                                                              : nearest_in(palette, color);
    indices.push_back(static_cast<std::uint8_t>(index));
  });
  if (is_cancelled(progress)) return stopped();
  out_ += "!\xF9\x04\x05"sv;  // is drawn over the previous frame, with a transparent colour
  add_number(out_, static_cast<std::size_t>(std::lround(100.0 * seconds)));
  out_ += "\xFF\0"sv;
  add_image(out_, box, palette, indices);
  before_ = std::move(raster);
  return ok_status();
}

void GifFrames::finish(std::string_view comment) {
  if (!comment.empty()) {
    out_ += "!\xFE";
    add_blocks(out_, comment);
  }
  out_ += ';';
}

Result<std::string> write_gif_figure(const Figure& figure, const ExportOptions& options,
                                     Progress* progress) {
  Result<Raster> raster = raster_of(figure, options, progress);
  if (!raster) return raster.error();
  std::string bytes;
  GifFrames frames(bytes);
  const Status added = frames.add(*std::move(raster), 0.0, progress);
  if (!added) return added.error();
  frames.finish(figure.provenance);
  return bytes;
}

}  // namespace attn
