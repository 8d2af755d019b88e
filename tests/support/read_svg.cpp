// Reads tags, attributes and texts, and checks that tags nest.
#include "support/read_svg.h"

#include <charconv>

namespace attn::test {
namespace {

std::string without_entities(const std::string& text, std::string& error) {
  static const std::map<std::string, std::string> kEntities = {
      {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}};
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '&') {
      if (text[at] == '<') error = "a stray < in " + text;
      out += text[at];
      continue;
    }
    const std::size_t end = text.find(';', at);
    const auto entity =
        end == std::string::npos ? kEntities.end() : kEntities.find(text.substr(at, end - at + 1));
    if (entity == kEntities.end()) {
      error = "an open entity in " + text;
      return out;
    }
    out += entity->second;
    at = end;
  }
  return out;
}

// `tag` is what stands between < and >, without a slash at its end.
SvgElement element_of(const std::string& tag, std::string& error) {
  SvgElement element;
  std::size_t at = tag.find(' ');
  element.name = tag.substr(0, at);
  while (at < tag.size()) {
    const std::size_t name = tag.find_first_not_of(' ', at);
    const std::size_t equals = tag.find("=\"", at);
    const std::size_t end = equals == std::string::npos ? equals : tag.find('"', equals + 2);
    if (end == std::string::npos) {
      error = "an open attribute in <" + tag;
      return element;
    }
    const std::string value = without_entities(tag.substr(equals + 2, end - equals - 2), error);
    const bool first = element.attributes.emplace(tag.substr(name, equals - name), value).second;
    if (!first) error = "an attribute twice in <" + tag;
    at = end + 1;
  }
  return element;
}

}  // namespace

std::string SvgElement::of(const std::string& attribute) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? "" : found->second;
}

double SvgElement::number(const std::string& attribute) const {
  const std::string digits = of(attribute);
  double value = 0.0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

std::vector<SvgElement> ReadSvg::named(const std::string& name) const {
  std::vector<SvgElement> found;
  for (const SvgElement& element : elements) {
    if (element.name == name) found.push_back(element);
  }
  return found;
}

std::string ReadSvg::title_of(std::size_t index) const {
  for (std::size_t i = index + 1; i < elements.size(); ++i) {
    if (elements[i].name == "title" && elements[i].parent == index) return elements[i].text;
  }
  return "";
}

ReadSvg read_svg(const std::string& bytes) {
  ReadSvg svg;
  std::vector<std::size_t> open;
  for (std::size_t at = bytes.find('<'); at != std::string::npos && svg.error.empty();) {
    const std::size_t end = bytes.find('>', at);
    std::string tag = bytes.substr(at + 1, end - at - 1);
    const std::size_t next = end == std::string::npos ? end : bytes.find('<', end);
    if (tag.starts_with("/")) {
      const bool fits = !open.empty() && svg.elements[open.back()].name == tag.substr(1);
      if (!fits) svg.error = "a stray <" + tag;
      if (fits) open.pop_back();
    } else {
      const bool closed = tag.ends_with("/");
      if (closed) tag.pop_back();
      SvgElement element = element_of(tag, svg.error);
      element.parent = open.empty() ? svg.elements.size() : open.back();
      if (!closed && next != std::string::npos) {
        element.text = without_entities(bytes.substr(end + 1, next - end - 1), svg.error);
        open.push_back(svg.elements.size());
      }
      svg.elements.push_back(std::move(element));
    }
    at = next;
  }
  if (svg.error.empty() && !open.empty()) {
    svg.error = "<" + svg.elements[open.back()].name + "> stays open";
  }
  return svg;
}

}  // namespace attn::test
