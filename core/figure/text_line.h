// Caret positions in one line of text of any direction, for text fields.
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
// letters, x in units from the left end. Used on one thread only.
class TextLine {
 public:
  TextLine(std::string_view text, const FontStyle& font);

  double width() const;
  // Whether the line runs right to left, decided by its first letter.
  bool right_to_left() const;

  // Position of the caret at `at`: the start of a letter of the line's direction typed there.
  double caret_x(std::size_t at) const;
  // The caret nearest to `x`.
  std::size_t caret_near(double x) const;
  // The carets one letter to the left and right on screen; unchanged at the ends of the line.
  std::size_t caret_left(std::size_t at) const;
  std::size_t caret_right(std::size_t at) const;
  // Areas of a selection from left to right: several when directions mix.
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
