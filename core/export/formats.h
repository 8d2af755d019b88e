// What the exporters share: one function per file format.
#pragma once

#include <string>

#include "export/export.h"

namespace attn {

// Usage error outside 10 … 2400 dots per inch.
Status check_dpi(double dpi);
// Usage error unless the figure is larger than nothing.
Status check_size(const Figure& figure);

Result<std::string> write_png_figure(const Figure& figure, const ExportOptions& options);
Result<std::string> write_svg_figure(const Figure& figure, const ExportOptions& options);
Result<std::string> write_pdf_figure(const Figure& figure, const ExportOptions& options);

}  // namespace attn
