// Where the carets of one line of text are, in scripts of either direction and mixed ones: what a
// field in which people type asks of Pango.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "figure/figure.h"

struct _PangoLayout;  // NOLINT(bugprone-reserved-identifier): Pango's name

namespace attn {

struct XRange {
  double left = 0.0, right = 0.0;  // units
};

// The line that pango_metrics() measures and draw_text() draws. Offsets are in bytes at borders of
// letters, x in units from the left end of the line. To be used on the thread that made it.
class TextLine {
 public:
  TextLine(std::string_view text, const FontStyle& font);

  double width() const;
  // Whether the line as a whole runs from right to left, by its first letter.
  bool right_to_left() const;

  // Where a caret at `at` is drawn: where a letter of the line's direction typed there would begin.
  double caret_x(std::size_t at) const;
  // The caret that is drawn nearest to `x`.
  std::size_t caret_near(double x) const;
  // The carets one letter to the left and right on the screen; at the end of the line the same.
  std::size_t caret_left(std::size_t at) const;
  std::size_t caret_right(std::size_t at) const;
  // What a selection covers, from left to right: several parts where directions mix.
  std::vector<XRange> ranges(std::size_t first, std::size_t end) const;

 private:
  std::size_t caret_beside(std::size_t at, int direction) const;
  std::size_t nearest_of_all(double x) const;
  struct Release {
    void operator()(_PangoLayout* layout) const;
  };
  std::unique_ptr<_PangoLayout, Release> layout_;
};

}  // namespace attn
