// Lengths of sequences by Unicode's table, and what tokens look like on the screen.
#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace attn {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Bytes of the well-formed sequence at `at`, 0 when there is none (Unicode 15, table 3-7).
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  const auto within = [&](std::size_t i, unsigned low, unsigned high) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return within(1, 0x80, 0xBF) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : 0xBF;
    return within(1, low, high) && within(2, 0x80, 0xBF) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
    const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
    return within(1, low, high) && within(2, 0x80, 0xBF) && within(3, 0x80, 0xBF) ? 4 : 0;
  }
  return 0;
}

// Where ASCII ends from `at` on, or a little before: most text is, and eight bytes at once are soon
// looked at.
std::size_t after_ascii(std::string_view text, std::size_t at) {
  std::uint64_t bytes = 0;
  for (; at + sizeof bytes <= text.size(); at += sizeof bytes) {
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    if ((bytes & 0x8080808080808080U) != 0) break;
  }
  return at;
}

constexpr char32_t kReplacement = 0xFFFD;

// The blocks of letters from right to left (Unicode 15, DerivedBidiClass).
constexpr std::array<std::array<char32_t, 2>, 5> kRightToLeft{
    {{0x590, 0x8FF}, {0xFB1D, 0xFDFF}, {0xFE70, 0xFEFE}, {0x10800, 0x10FFF}, {0x1E800, 0x1EFFF}}};

// "␀" … "␟" for U+0000 … U+001F, "␡" for U+007F.
std::string control_picture(unsigned char c) {
  std::string picture;
  append_utf8(picture, c == 0x7F ? 0x2421U : 0x2400U + c);
  return picture;
}

// Neither a blank nor a control character.
bool is_plain(char c) { return static_cast<unsigned char>(c) > 0x20 && c != 0x7F; }

std::string visible_byte(std::string_view token, std::size_t at, std::size_t first_inner,
                         std::size_t last_inner) {
  const char c = token[at];
  if (c == '\n') return "↵";
  if (c == '\t') return "⇥";
  if (c == ' ') {
    const bool at_an_end = at < first_inner || at > last_inner;
    const bool doubled =
        (at > 0 && token[at - 1] == ' ') || (at + 1 < token.size() && token[at + 1] == ' ');
    return at_an_end || doubled ? "␣" : " ";
  }
  const auto byte = static_cast<unsigned char>(c);
  if (byte < 0x20 || byte == 0x7F) return control_picture(byte);
  return {c};
}

}  // namespace

std::optional<std::size_t> first_invalid_utf8(std::string_view text) {
  for (std::size_t at = after_ascii(text, 0); at < text.size(); at = after_ascii(text, at)) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::nullopt;
}

CodePoint code_point_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = sequence_length(text, at);
  if (length == 0) return {kReplacement, 1};
  if (length == 1) return {lead, 1};
  char32_t value = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    value = value << 6U | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
  }
  return {value, length};
}

std::vector<char32_t> code_points(std::string_view text) {
  std::vector<char32_t> points;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    const bool broken = point.value == kReplacement && point.length == 1;
    if (!broken) points.push_back(point.value);
    at += point.length;
  }
  return points;
}

void append_utf8(std::string& text, char32_t code_point) {
  const auto put_lead = [&](unsigned mark, unsigned shift) {
    text += static_cast<char>(mark | code_point >> shift);
  };
  const auto put_rest = [&](unsigned shift) {
    text += static_cast<char>(0x80U | (code_point >> shift & 0x3FU));
  };
  if (code_point < 0x80) return put_lead(0, 0);
  if (code_point < 0x800) {
    put_lead(0xC0, 6);
  } else if (code_point < 0x10000) {
    put_lead(0xE0, 12);
    put_rest(6);
  } else {
    put_lead(0xF0, 18);
    put_rest(12);
    put_rest(6);
  }
  put_rest(0);
}

std::string same_length_utf8(std::string_view text) {
  std::string valid(text);
  for (std::size_t at = 0; at < valid.size();) {
    const std::size_t length = sequence_length(valid, at);
    if (length == 0 || valid[at] == '\0') valid[at] = '?';
    at += std::max<std::size_t>(length, 1);
  }
  return valid;
}

std::size_t code_point_count(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += is_continuation(c) ? 0 : 1;
  return count;
}

std::string shortened(std::string_view text, std::size_t limit) {
  if (code_point_count(text) <= limit) return std::string(text);
  if (limit == 0) return {};
  std::size_t at = 0;
  for (std::size_t kept = 0; kept + 1 < limit; ++kept) {
    ++at;
    while (at < text.size() && is_continuation(text[at])) ++at;
  }
  return std::string(text.substr(0, at)) + "…";
}

bool has_right_to_left(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    for (const auto& [first, last] : kRightToLeft) {
      if (point.value >= first && point.value <= last) return true;
    }
    at += point.length;
  }
  return false;
}

std::string visible_token(std::string_view token) {
  if (token.empty()) return "∅";
  const std::size_t first_inner = token.find_first_not_of(' ');
  const std::size_t last_inner = token.find_last_not_of(' ');
  if (first_inner == std::string_view::npos) {
    std::string blanks;
    for (std::size_t i = 0; i < token.size(); ++i) blanks += "␣";
    return blanks;
  }
  std::string text;
  for (std::size_t at = 0; at < token.size(); ++at) {
    if (is_plain(token[at])) {
      text += token[at];
    } else {
      text += visible_byte(token, at, first_inner, last_inner);
    }
  }
  return text;
}

}  // namespace attn
