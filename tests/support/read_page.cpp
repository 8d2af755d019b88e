// Base64 and zlib undone.
#include "support/read_page.h"

#include <gtest/gtest.h>
#include <zlib.h>

namespace attn::test {
namespace {

std::string unpacked_text(const std::string& text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string packed, plain(100'000'000, '\0');
  unsigned bits = 0, count = 0;
  for (const char digit : text.substr(0, text.find('='))) {
    bits = bits << 6U | static_cast<unsigned>(kDigits.find(digit));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    packed += static_cast<char>(bits >> count & 0xFFU);
  }
  uLongf size = plain.size();
  const int state = uncompress(reinterpret_cast<Bytef*>(plain.data()), &size,
                               reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  EXPECT_EQ(state, Z_OK);
  plain.resize(size);
  return plain;
}

}  // namespace

Json data_of_page(const std::string& page) {
  const std::string start = "id=\"data\">";
  const std::size_t from = page.find(start) + start.size();
  return Json::parse(unpacked_text(page.substr(from, page.find('<', from) - from)));
}

std::string svg_in_page(const Json& data, const Json& lines) {
  std::string svg;
  std::ptrdiff_t number = 0;
  for (const Json& step : lines) {
    number += step.get<std::ptrdiff_t>();
    svg += data["lines"][static_cast<std::size_t>(number)].get<std::string>() + "\n";
  }
  return svg;
}

}  // namespace attn::test
