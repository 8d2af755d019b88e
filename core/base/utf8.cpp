// Validation of UTF-8, and display forms of tokens.
#include "base/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace attn {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Length in bytes of the well-formed sequence at `at`, 0 if there is none (Unicode 15, table 3-7).
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[at + i])) return 0;
  }
  const unsigned least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;  // no overlong forms
  const unsigned most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;   // no surrogates
  return byte(1) >= least && byte(1) <= most ? length : 0;
}

// Skips ASCII, eight bytes at a time; may stop early.
std::size_t after_ascii(std::string_view text, std::size_t at) {
  std::uint64_t bytes = 0;
  for (; at + sizeof bytes <= text.size(); at += sizeof bytes) {
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    if ((bytes & 0x8080808080808080U) != 0) break;
  }
  return at;
}

std::size_t bytes_of_first(std::string_view text, std::size_t code_points) {
  std::size_t at = 0;
  for (std::size_t seen = 0; seen < code_points && at < text.size(); ++seen) {
    ++at;
    while (at < text.size() && is_continuation(text[at])) ++at;
  }
  return at;
}

constexpr char32_t kReplacement = 0xFFFD;

// Blocks of right-to-left letters (Unicode 15, DerivedBidiClass).
constexpr std::array<std::array<char32_t, 2>, 5> kRightToLeft{
    {{0x590, 0x8FF}, {0xFB1D, 0xFDFF}, {0xFE70, 0xFEFE}, {0x10800, 0x10FFF}, {0x1E800, 0x1EFFF}}};

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c <= 0x9F); }

bool parts_lines(char32_t c) { return c == '\n' || c == '\t'; }

bool is_noncharacter(char32_t c) { return (c & 0xFFFEU) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF); }

bool turns_direction(char32_t c) {
  return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E ||
         c == 0x200F || c == 0x61C;
}

// Blanks that look like a space, and characters without width.
bool is_unseen(char32_t c) {
  constexpr std::array<char32_t, 10> kUnseen{0xA0,   0xAD,   0x180E, 0x200B, 0x200C,
                                             0x200D, 0x202F, 0x2028, 0x2029, 0xFEFF};
  return (c >= 0x2060 && c <= 0x2064) || std::ranges::find(kUnseen, c) != kUnseen.end();
}

// U+200C and U+200D affect shaping between letters.
bool shapes_letters(std::string_view text, std::size_t at, const CodePoint& point) {
  const auto is_ascii = [&](std::size_t i) { return static_cast<unsigned char>(text[i]) < 0x80; };
  const std::size_t after = at + point.length;
  return (point.value == 0x200C || point.value == 0x200D) && at > 0 && after < text.size() &&
         !is_ascii(at - 1) && !is_ascii(after);
}

std::string hex_digits(char32_t c) {
  std::string digits;
  for (; c > 0 || digits.size() < 4; c >>= 4U) digits.insert(0, 1, "0123456789ABCDEF"[c & 15U]);
  return digits;
}

// "␀" … "␟" for U+0000 … U+001F, "␡" for U+007F.
std::string sign_of(char32_t c) {
  if (c == '\n') return "↵";
  if (c == '\t') return "⇥";
  if (c > 0x7F) return "⟨U+" + hex_digits(c) + "⟩";
  std::string picture;
  append_utf8(picture, c == 0x7F ? 0x2421U : 0x2400U + c);
  return picture;
}

using IsShown = bool (*)(char32_t);

bool is_for_files(char32_t c) { return parts_lines(c) || (!is_control(c) && !is_noncharacter(c)); }
bool is_for_terminals(char32_t c) { return is_for_files(c) && !turns_direction(c); }
bool is_for_lines(char32_t c) { return is_for_terminals(c) && !parts_lines(c); }

// `text` with signs for all code points that are not shown.
std::string with_signs(std::string_view text, IsShown is_shown) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    if (is_shown(point.value)) {
      append_utf8(shown, point.value);
    } else {
      shown += sign_of(point.value);
    }
    at += point.length;
  }
  return shown;
}

std::string visible_blank(std::string_view token, std::size_t at, std::size_t first_inner,
                          std::size_t last_inner) {
  const bool at_an_end = at < first_inner || at > last_inner;
  const bool doubled =
      (at > 0 && token[at - 1] == ' ') || (at + 1 < token.size() && token[at + 1] == ' ');
  return at_an_end || doubled ? "␣" : " ";
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
  constexpr std::array<std::string_view, 4> kStandIns{"?", "¿", "\uFFFD", "\U0001F7D9"};
  std::string valid(text);
  for (std::size_t at = 0; at < valid.size();) {
    const bool is_broken = sequence_length(valid, at) == 0;
    const CodePoint point = code_point_at(valid, at);
    if (is_broken || !is_for_files(point.value)) {
      valid.replace(at, point.length, kStandIns[point.length - 1]);
    }
    at += point.length;
  }
  return valid;
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return small;
}

std::string as_sentence(std::string text) {
  const std::string_view first = std::string_view(text).substr(0, text.find_first_of(" :"));
  const bool word =
      first.size() > 1 && std::ranges::all_of(first, [](char c) { return c >= 'a' && c <= 'z'; });
  if (word) text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string_view cut_to_bytes(std::string_view text, std::size_t most) {
  std::size_t end = std::min(text.size(), most);
  while (end > 0 && end < text.size() && is_continuation(text[end])) --end;
  return text.substr(0, end);
}

std::size_t code_point_count(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += is_continuation(c) ? 0 : 1;
  return count;
}

std::string shortened(std::string_view text, std::size_t limit) {
  if (code_point_count(text) <= limit) return std::string(text);
  if (limit == 0) return {};
  return std::string(text.substr(0, bytes_of_first(text, limit - 1))) + "…";
}

std::string cut_to_ends(std::string_view text, std::size_t limit) {
  const std::size_t count = code_point_count(text);
  if (count <= limit) return std::string(text);
  if (limit == 0) return {};
  const std::size_t tail = (limit - 1) / 2;
  return std::string(text.substr(0, bytes_of_first(text, limit - 1 - tail))) + "…" +
         std::string(text.substr(bytes_of_first(text, count - tail)));
}

bool is_east_asian(char32_t c) {
  constexpr std::array<std::array<char32_t, 2>, 7> kRanges{{{0x1100, 0x11FF},
                                                            {0x2E80, 0x9FFF},
                                                            {0xA960, 0xA97F},
                                                            {0xAC00, 0xD7FF},
                                                            {0xF900, 0xFAFF},
                                                            {0xFF00, 0xFFEF},
                                                            {0x20000, 0x3FFFF}}};
  return std::ranges::any_of(kRanges,
                             [c](const auto& range) { return c >= range[0] && c <= range[1]; });
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

std::string drawable_text(std::string_view text) { return with_signs(text, is_for_files); }

std::string printable_text(std::string_view text) { return with_signs(text, is_for_terminals); }

std::string printable_line(std::string_view text) { return with_signs(text, is_for_lines); }

bool acts_on_terminals(char32_t c) { return is_control(c) || turns_direction(c); }

std::string visible_token(std::string_view token) {
  if (token.empty()) return "⟨empty⟩";
  const std::size_t first_inner = token.find_first_not_of(' ');
  const std::size_t last_inner = token.find_last_not_of(' ');
  if (first_inner == std::string_view::npos) {
    std::string blanks;
    for (std::size_t i = 0; i < token.size(); ++i) blanks += "␣";
    return blanks;
  }
  std::string text;
  for (std::size_t at = 0; at < token.size();) {
    const CodePoint point = code_point_at(token, at);
    if (point.value == ' ') {
      text += visible_blank(token, at, first_inner, last_inner);
    } else if (is_for_lines(point.value) &&
               (!is_unseen(point.value) || shapes_letters(token, at, point))) {
      text += token.substr(at, point.length);
    } else {
      text += sign_of(point.value);
    }
    at += point.length;
  }
  return text;
}

}  // namespace attn
