// Writes SVG elements one a line, each as deep as it is nested.
#include "export/svg_writer.h"

#include <array>

#include "base/number_text.h"
#include "base/utf8.h"

namespace attn {
namespace {

std::string hex(Color c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "#";
  for (const unsigned channel : {c.r, c.g, c.b}) {
    text += kDigits[channel / 16];
    text += kDigits[channel % 16];
  }
  return text;
}

std::string trimmed(std::string number) {
  if (number.find('.') == std::string::npos) return number;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.ends_with('.')) number.pop_back();
  return number;
}

}  // namespace

std::string svg_number(double value) { return trimmed(fixed_text(value, 2)); }

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : drawable_text(text)) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

SvgAttributes& SvgAttributes::add(std::string_view name, std::string_view text) {
  text_.append(" ").append(name).append("=\"").append(xml_text(text)).append("\"");
  return *this;
}

SvgAttributes& SvgAttributes::add(std::string_view name, double number) {
  text_.append(" ").append(name).append("=\"").append(svg_number(number)).append("\"");
  return *this;
}

SvgAttributes& SvgAttributes::add(std::string_view name, Color color) {
  add(name, std::string_view(hex(color)));
  if (color.a == 255) return *this;
  const std::string opacity = trimmed(fixed_text(color.a / 255.0, 3));
  return add(std::string(name) + "-opacity", std::string_view(opacity));
}

void SvgWriter::begin(std::string_view name, const SvgAttributes& attributes) {
  out_.append(open_.size(), ' ').append("<").append(name).append(attributes.text());
}

void SvgWriter::open(std::string_view name, const SvgAttributes& attributes) {
  begin(name, attributes);
  out_ += ">\n";
  open_.emplace_back(name);
}

void SvgWriter::close() {
  const std::string name = std::move(open_.back());
  open_.pop_back();
  out_.append(open_.size(), ' ').append("</").append(name).append(">\n");
}

void SvgWriter::add(std::string_view name, const SvgAttributes& attributes) {
  begin(name, attributes);
  out_ += "/>\n";
}

void SvgWriter::add(std::string_view name, const SvgAttributes& attributes, std::string_view text) {
  begin(name, attributes);
  out_.append(">").append(xml_text(text)).append("</").append(name).append(">\n");
}

void SvgWriter::add_around(std::string_view name, const SvgAttributes& attributes,
                           std::string_view elements) {
  begin(name, attributes);
  out_.append(">").append(elements).append("</").append(name).append(">\n");
}

void SvgWriter::add_titled(std::string_view name, const SvgAttributes& attributes,
                           std::string_view title) {
  begin(name, attributes);
  out_.append("><title>").append(xml_text(title)).append("</title></");
  out_.append(name).append(">\n");
}

}  // namespace attn
