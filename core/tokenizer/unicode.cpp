// Normal forms, categories and small letters by utf8proc.
#include "tokenizer/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace attn::tokenizing {
namespace {

utf8proc_category_t category_of(char32_t c) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(c));
}

}  // namespace

bool is_all_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string normal_form(std::string_view text, NormalForm form) {
  if (is_all_ascii(text)) return std::string(text);
  const bool is_composed = form == NormalForm::C || form == NormalForm::KC;
  const bool is_compatible = form == NormalForm::KC || form == NormalForm::KD;
  const int options = UTF8PROC_STABLE | (is_composed ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE) |
                      (is_compatible ? UTF8PROC_COMPAT : 0);
  utf8proc_uint8_t* bytes = nullptr;
  const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                             static_cast<utf8proc_ssize_t>(text.size()), &bytes,
                                             static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(bytes, &std::free);
  if (size < 0) return std::string(text);  // never of well-formed text
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

std::string small_letters(std::string_view text) {
  if (is_all_ascii(text)) return in_small_letters(text);
  constexpr char32_t kCapitalDottedI = 0x130;  // becomes two characters, unlike all others
  std::string small;
  each_code_point(text, [&](char32_t c, std::string_view) {
    if (c == kCapitalDottedI) {
      small += "i\u0307";
    } else {
      append_utf8(small, static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(c))));
    }
  });
  return small;
}

bool is_blank_character(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r');
  const utf8proc_category_t category = category_of(c);
  return c == 0x85 || (category >= UTF8PROC_CATEGORY_ZS && category <= UTF8PROC_CATEGORY_ZP);
}

bool is_part_of_word(char32_t c) {
  const utf8proc_category_t category = category_of(c);
  return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NL) ||
         category == UTF8PROC_CATEGORY_PC;
}

std::size_t blanks_at_start(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const CodePoint point = code_point_at(text, at);
    if (!is_blank_character(point.value)) break;
    at += point.length;
  }
  return at;
}

std::size_t blanks_at_end(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0) {
    const CodePoint point = last_code_point(text.substr(0, end));
    if (!is_blank_character(point.value)) break;
    end -= point.length;
  }
  return text.size() - end;
}

CodePoint last_code_point(std::string_view text) {
  return code_point_at(text, cut_to_bytes(text, text.size() - 1).size());
}

std::size_t first_grapheme(std::string_view text) {
  utf8proc_int32_t state = 0;
  CodePoint last = code_point_at(text, 0);
  std::size_t at = last.length;
  while (at < text.size()) {
    const CodePoint next = code_point_at(text, at);
    const bool ends =
        utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(last.value),
                                         static_cast<utf8proc_int32_t>(next.value), &state);
    if (ends) break;
    at += next.length;
    last = next;
  }
  return at;
}

}  // namespace attn::tokenizing
