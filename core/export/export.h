// The list of exporters, all of them painters of figures, and their shared functions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "figure/figure.h"
#include "view/length.h"

namespace attn {

inline constexpr double kSmallestDpi = 10.0, kLargestDpi = 2400.0;

struct ExportOptions {
  double dpi = kUsualDpi;    // of raster formats, stored in the file; decides the pooling of cells
  bool transparent = false;  // without a background
  bool outlines = false;     // texts of SVG become paths, which need no fonts
  friend bool operator==(const ExportOptions&, const ExportOptions&) = default;
};

// Usage error unless the figure has a positive size.
Status check_size(const Figure& figure);

// Predicted effort of painting an item; a shape takes 1.
std::uint64_t painting_steps(const FigureItem& item);
std::uint64_t painting_steps(const Figure& figure);

Result<std::string> write_png_figure(const Figure& figure, const ExportOptions& options,
                                     Progress* progress);
Result<std::string> write_svg_figure(const Figure& figure, const ExportOptions& options,
                                     Progress* progress);
Result<std::string> write_pdf_figure(const Figure& figure, const ExportOptions& options,
                                     Progress* progress);

// A page for browsers, as of export/page/page.h.
Result<std::string> write_html_figure(const Figure& figure, const ExportOptions& options,
                                      Progress* progress);

// A PDF of figures, each on a page of its size.
class PdfPages {
 public:
  // Appends to `bytes` (borrowed) as pages are done.
  explicit PdfPages(std::string& bytes);
  ~PdfPages();
  PdfPages(const PdfPages&) = delete;
  PdfPages& operator=(const PdfPages&) = delete;

  // `name`: in the outline that readers show; empty: none. After a failure no page can follow.
  Status add(const Figure& figure, const std::string& name, const ExportOptions& options,
             Progress* progress);
  // Finishes the file with title, description and provenance of `whole`. Precondition: there is a
  // page.
  Status finish(const Figure& whole);

 private:
  struct Sheets;
  std::unique_ptr<Sheets> sheets_;
};

struct Exporter {
  std::string_view extension;    // "png"
  std::string_view label;        // "PNG"
  std::string_view description;  // "Picture, 300 dots per inch"
  // Returns the bytes of the file. Progress (may be null) covers painting and encoding; Interrupted
  // soon after it is cancelled.
  Result<std::string> (*write)(const Figure&, const ExportOptions&, Progress*);
};

// Exporters of pictures; kAnimation is one more that exporter_for() finds, whose frames are several
// figures.
std::span<const Exporter> all_exporters();
inline constexpr std::string_view kAnimation = "gif";
// Writers of the equation of a figure as text, not of its picture: usage errors for figures without
// one.
std::span<const Exporter> all_equation_exporters();
// The exporter for the extension of `path`, case-insensitive; null when there is none.
const Exporter* exporter_for(std::string_view path);
const Exporter* equation_exporter_for(std::string_view path);

// A picture of pixels: RGBA, not premultiplied.
struct Raster {
  int width_px = 0, height_px = 0;
  std::vector<std::uint8_t> rgba;
};

// A figure on its background.
Result<Raster> raster_of(const Figure& figure, const ExportOptions& options, Progress* progress);

// An animated GIF, which begins anew at its end. Each frame has the pixels that changed, in a
// palette of its own.
class GifFrames {
 public:
  // Appends to `bytes` (borrowed) as frames are added.
  explicit GifFrames(std::string& bytes) : out_(bytes) {}
  // Adds a frame that is shown for `seconds`. Usage error unless all have one size; Interrupted if
  // `progress`, which may be null, is cancelled.
  Status add(Raster raster, double seconds, Progress* progress);
  // Ends the file with a comment in ASCII; empty: none.
  void finish(std::string_view comment);

 private:
  std::string& out_;
  Raster before_;
};

// A GIF of one frame.
Result<std::string> write_gif_figure(const Figure& figure, const ExportOptions& options,
                                     Progress* progress);

Result<std::string> encode_png(const Raster& raster);

}  // namespace attn
