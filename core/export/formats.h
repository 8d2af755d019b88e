// What the exporters share: one function per file format.
#pragma once

#include <cstdint>
#include <string>

#include "base/progress.h"
#include "base/result.h"
#include "figure/figure.h"

namespace attn {

inline constexpr double kUnitsPerInch = 72.0;
inline constexpr double kSmallestDpi = 10.0, kLargestDpi = 2400.0;

struct ExportOptions {
  double dpi = 300.0;        // of raster formats, stored in the file; cells are pooled to it
  bool transparent = false;  // no background
  bool outlines = false;     // texts of SVG are shapes, which need no fonts
  friend bool operator==(const ExportOptions&, const ExportOptions&) = default;
};

// Usage error outside 10 … 2400 dots per inch.
Status check_dpi(double dpi);
// Usage error unless the figure is larger than nothing.
Status check_size(const Figure& figure);

// What painting an item takes, in steps of about as long as a shape takes.
std::uint64_t painting_steps(const FigureItem& item);
std::uint64_t painting_steps(const Figure& figure);

Result<std::string> write_png_figure(const Figure& figure, const ExportOptions& options,
                                     Progress* progress);
Result<std::string> write_svg_figure(const Figure& figure, const ExportOptions& options,
                                     Progress* progress);
Result<std::string> write_pdf_figure(const Figure& figure, const ExportOptions& options,
                                     Progress* progress);

}  // namespace attn
