// The header of .npy files: a magic word, a version, a length and a dictionary as Python writes it.
#include <algorithm>
#include <charconv>
#include <optional>

#include "base/number_text.h"
#include "base/utf8.h"
#include "document/inconsistencies.h"
#include "document/load/npy.h"

namespace attn {
namespace {

constexpr std::size_t kMostHeaderBytes = 65536;
constexpr std::size_t kMostAxes = 64;  // as many as NumPy knows

// Walks through Python's text of a dictionary of texts, truth values and tuples of whole numbers.
class PythonText {
 public:
  explicit PythonText(std::string_view text) : text_(text) {}

  // True, and past it, when `c` comes next after blanks.
  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool take_word(std::string_view word) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  std::optional<std::string> text() {
    for (const char quote : {'\'', '"'}) {
      if (!take(quote)) continue;
      const std::size_t end = text_.find(quote, at_);
      if (end == text_.npos) return std::nullopt;
      const std::string_view inside = text_.substr(at_, end - at_);
      at_ = end + 1;
      return std::string(inside);
    }
    return std::nullopt;
  }

  // Python 2 wrote an L behind long numbers.
  std::optional<std::size_t> count() {
    skip_blanks();
    std::size_t value = 0;
    const char* const start = text_.data() + at_;
    const auto read = std::from_chars(start, text_.data() + text_.size(), value);
    if (read.ec != std::errc{}) return std::nullopt;
    at_ += static_cast<std::size_t>(read.ptr - start);
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;
    return value;
  }

  bool at_end() {
    skip_blanks();
    return at_ >= text_.size();
  }

  std::string ahead() {
    skip_blanks();
    if (at_ >= text_.size()) return "the end of the header";
    return "\"" + shortened(printable_line(text_.substr(at_)), 40) + "\"";
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\n\r").find(text_[at_]) != std::string::npos)
      ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::optional<Shape> read_tuple(PythonText& text) {
  Shape shape;
  if (!text.take('(')) return std::nullopt;
  while (!text.take(')')) {
    const std::optional<std::size_t> extent = text.count();
    if (!extent || shape.size() == kMostAxes) return std::nullopt;
    shape.push_back(*extent);
    if (!text.take(',')) return text.take(')') ? std::optional(shape) : std::nullopt;
  }
  return shape;
}

struct Members {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<Shape> shape;
};

// False when the value is none that the key may have.
bool read_member(PythonText& text, const std::string& key, Members& members) {
  if (key == "descr") return (members.descr = text.text()).has_value();
  if (key == "shape") return (members.shape = read_tuple(text)).has_value();
  if (key != "fortran_order") return false;
  if (text.take_word("True")) {
    members.fortran_order = true;
  } else if (text.take_word("False")) {
    members.fortran_order = false;
  }
  return members.fortran_order.has_value();
}

Error bad_member(const std::string& key, const std::string& found) {
  if (key == "descr") {
    return refusal_at("", "the elements of the array are no plain numbers", found,
                      "one type of numbers, such as '<f4'",
                      "save each field of it as an array of its own");
  }
  if (key == "shape") {
    return refusal_at("", "the header has no shape", found, "whole numbers such as (12, 64)");
  }
  if (key == "fortran_order") {
    return refusal_at("", "the header does not say the order of axes", found, "True or False");
  }
  return refusal_at("", "the header has an unknown key",
                    "\"" + shortened(printable_line(key), 40) + "\"",
                    "descr, fortran_order and shape");
}

Result<Members> read_dictionary(std::string_view header) {
  PythonText text(header);
  Members members;
  const auto torn = [&] {
    return refusal_at("", "the header is no dictionary", text.ahead(),
                      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)}");
  };
  if (!text.take('{')) return torn();
  while (!text.take('}')) {
    const std::optional<std::string> key = text.text();
    if (!key || !text.take(':')) return torn();
    const std::string found = text.ahead();
    if (!read_member(text, *key, members)) return bad_member(*key, found);
    if (text.take(',')) continue;
    if (!text.take('}')) return torn();
    break;
  }
  if (!text.at_end()) return torn();
  return members;
}

Result<NpyHeader> header_of(Members members, std::size_t data_offset) {
  const std::string missing = !members.descr           ? "descr"
                              : !members.fortran_order ? "fortran_order"
                              : !members.shape         ? "shape"
                                                       : "";
  if (!missing.empty()) {
    return refusal_at("", "the header lacks a key", "no '" + missing + "'",
                      "descr, fortran_order and shape");
  }
  return NpyHeader{std::move(*members.descr), *members.fortran_order, std::move(*members.shape),
                   data_offset};
}

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8U | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

}  // namespace

Result<NpyHeader> read_npy_header(std::string_view bytes) {
  constexpr std::size_t kVersionEnd = kNpyMagic.size() + 2;
  if (!bytes.starts_with(kNpyMagic.substr(0, std::min(bytes.size(), kNpyMagic.size())))) {
    return refusal_at("", "this is no file of NumPy", "other bytes at its start", "\\x93NUMPY",
                      "save the array with numpy.save");
  }
  const auto cut = [&](std::size_t needed) {
    return refusal_at("", "the file ends within its header", bytes_text(bytes.size()),
                      "at least " + bytes_text(needed), "copy or save the file again");
  };
  if (bytes.size() < kVersionEnd) return cut(kVersionEnd);
  const auto version = static_cast<unsigned char>(bytes[kNpyMagic.size()]);
  const auto minor = static_cast<unsigned char>(bytes[kNpyMagic.size() + 1]);
  if (version < 1 || version > 3 || minor != 0) {
    return refusal_at("", "this version of the format is not known",
                      std::to_string(version) + "." + std::to_string(minor), "1.0, 2.0 or 3.0",
                      "save the array with numpy.save");
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t start = kVersionEnd + length_bytes;
  if (bytes.size() < start) return cut(start);
  const std::size_t length = little_endian(bytes.substr(kVersionEnd, length_bytes));
  if (length > kMostHeaderBytes) {
    return refusal_at("", "the header is too long to be one", bytes_text(length),
                      "at most " + bytes_text(kMostHeaderBytes));
  }
  if (bytes.size() < start + length) return cut(start + length);
  Result<Members> members = read_dictionary(bytes.substr(start, length));
  if (!members) return members.error();
  return header_of(*std::move(members), start + length);
}

}  // namespace attn
