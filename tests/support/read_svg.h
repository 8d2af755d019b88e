// An SVG file as its elements, for tests; reads as much of XML as our painter writes.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace attn::test {

struct SvgElement {
  std::string name;
  std::map<std::string, std::string> attributes;  // with entities replaced
  std::string text;                               // between its tags, of this element only
  std::size_t parent = 0;                         // its index; of the root its own

  // "" where there is none.
  std::string of(const std::string& attribute) const;
  double number(const std::string& attribute) const;
};

struct ReadSvg {
  std::vector<SvgElement> elements;  // in the order of the file
  std::string error;                 // what is not well-formed; "" when all is

  // Elements of one name.
  std::vector<SvgElement> named(const std::string& name) const;
  // Text of the element's <title>; "" when it has none.
  std::string title_of(std::size_t index) const;
};

ReadSvg read_svg(const std::string& bytes);

}  // namespace attn::test
