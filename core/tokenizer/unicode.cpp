// Normal forms, categories and small letters by utf8proc.
#include "tokenizer/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace attn::tokenizing {
namespace {

bool is_between(int first, char32_t c, int last) {
  const utf8proc_category_t category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
  return category >= first && category <= last;
}

bool is_all_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

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

bool is_blank(char32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 ||
         is_between(UTF8PROC_CATEGORY_ZS, c, UTF8PROC_CATEGORY_ZP);
}

bool is_number(char32_t c) { return is_between(UTF8PROC_CATEGORY_ND, c, UTF8PROC_CATEGORY_NO); }
bool is_mark(char32_t c) { return is_between(UTF8PROC_CATEGORY_MN, c, UTF8PROC_CATEGORY_ME); }
bool is_mark_without_width(char32_t c) {
  return is_between(UTF8PROC_CATEGORY_MN, c, UTF8PROC_CATEGORY_MN);
}

bool is_sign(char32_t c) {
  return is_between(UTF8PROC_CATEGORY_PC, c, UTF8PROC_CATEGORY_PO) ||
         (c < 0x80 && is_between(UTF8PROC_CATEGORY_SM, c, UTF8PROC_CATEGORY_SO));
}

bool is_part_of_word(char32_t c) {
  return is_between(UTF8PROC_CATEGORY_LU, c, UTF8PROC_CATEGORY_NL) ||
         is_between(UTF8PROC_CATEGORY_PC, c, UTF8PROC_CATEGORY_PC);
}

bool is_unseen(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return false;
  return c == 0xFFFD || is_between(UTF8PROC_CATEGORY_CC, c, UTF8PROC_CATEGORY_CO);
}

bool is_chinese(char32_t c) {
  constexpr char32_t kBlocks[][2] = {{0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xF900, 0xFAFF},
                                     {0x20000, 0x2A6DF}, {0x2A700, 0x2B81F}, {0x2B920, 0x2CEAF},
                                     {0x2F800, 0x2FA1F}};
  return std::ranges::any_of(kBlocks, [c](const auto& in) { return c >= in[0] && c <= in[1]; });
}

std::size_t blanks_at_start(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_blank(code_point_at(text, at).value)) {
    at += code_point_at(text, at).length;
  }
  return at;
}

std::size_t blanks_at_end(std::string_view text) {
  std::string_view rest = text;
  while (!rest.empty() && is_blank(last_code_point(rest).value)) {
    rest.remove_suffix(last_code_point(rest).length);
  }
  return text.size() - rest.size();
}

CodePoint last_code_point(std::string_view text) {
  return code_point_at(text, cut_to_bytes(text, text.size() - 1).size());
}

}  // namespace attn::tokenizing
