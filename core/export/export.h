// Figures to files: the one list of exporters, all painting the same figure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "export/formats.h"

namespace attn {

struct Exporter {
  std::string_view extension;    // "png"
  std::string_view description;  // "Picture, 300 dots per inch"
  // The file's bytes. Progress (may be null) goes from painting through encoding; Interrupted soon
  // after it is cancelled.
  Result<std::string> (*write)(const Figure&, const ExportOptions&, Progress*);
};

std::span<const Exporter> all_exporters();
// By the extension of `path`, case-insensitive; null when there is none.
const Exporter* exporter_for(std::string_view path);

// Raster of a figure without encoding: RGBA, not premultiplied. For clipboards and tests.
struct Raster {
  int width_px = 0, height_px = 0;
  std::vector<std::uint8_t> rgba;
};
Result<Raster> rasterize(const Figure& figure, double pixels_per_unit);

// PNG of a raster; `dpi` 0 writes no resolution. `texts` become tEXt chunks,
// or iTXt when they are not ASCII. Progress as of an exporter.
Result<std::string> encode_png(const Raster& raster, double dpi,
                               std::span<const std::pair<std::string, std::string>> texts = {},
                               Progress* progress = nullptr);

}  // namespace attn
