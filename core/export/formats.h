// What the exporters share: one function per file format.
#pragma once

#include <cstdint>
#include <string>

#include "export/export.h"

namespace attn {

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
