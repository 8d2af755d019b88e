// Elements of an SVG file as text: nesting, escaping, and numbers that read the same everywhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figure/colormap.h"

namespace attn {

// At most two digits after the point (1/7200 inch), without zeros at the end: "12", "0.5".
std::string svg_number(double value);

// Well-formed UTF-8 that may stand in an element or between quotes; what XML has no way to write is
// shown by signs, as in all figures.
std::string xml_text(std::string_view text);

// The attributes of one element, in the order in which they are added.
class SvgAttributes {
 public:
  SvgAttributes& add(std::string_view name, std::string_view text);
  SvgAttributes& add(std::string_view name, double number);
  // "#rrggbb" as `name`, with `name`-opacity where the colour is not opaque.
  SvgAttributes& add(std::string_view name, Color color);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class SvgWriter {
 public:
  void open(std::string_view name, const SvgAttributes& attributes = {});
  void close();
  // An element without content.
  void add(std::string_view name, const SvgAttributes& attributes);
  // An element that holds a text and nothing else.
  void add(std::string_view name, const SvgAttributes& attributes, std::string_view text);
  // An element that holds `elements`, written already, on one line.
  void add_around(std::string_view name, const SvgAttributes& attributes,
                  std::string_view elements);
  // An element that says what it is: `title` is what a browser shows under the pointer.
  void add_titled(std::string_view name, const SvgAttributes& attributes, std::string_view title);
  // All that was written.
  std::string taken() { return std::move(out_); }

 private:
  void begin(std::string_view name, const SvgAttributes& attributes);

  std::string out_;
  std::vector<std::string> open_;
};

}  // namespace attn
