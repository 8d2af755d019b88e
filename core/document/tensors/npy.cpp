// Parser of .npy headers.
#include "document/tensors/npy.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "base/number_text.h"
#include "base/utf8.h"
#include "document/problem.h"

namespace attn {
namespace {

// --- the header: a magic word, a version, a length and a dictionary as Python writes it

constexpr std::size_t kMostHeaderBytes = 65536;
constexpr std::size_t kMostAxes = 64;  // as many as in NumPy

// Parser of a Python dictionary of strings, booleans and tuples of integers.
class PythonText {
 public:
  explicit PythonText(std::string_view text) : text_(text) {}

  // Skips blanks, and `c` if it follows; true if it did.
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

  // Python 2 wrote an L after long integers.
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

template <class T>
bool put(std::optional<T> read, T& member) {
  if (!read) return false;
  member = *std::move(read);
  return true;
}

// False if the value is invalid for the key.
bool read_member(PythonText& text, const std::string& key, NpyHeader& header) {
  if (key == "descr") return put(text.text(), header.descr);
  if (key == "shape") return put(read_tuple(text), header.shape);
  if (key != "fortran_order") return false;
  header.fortran_order = text.take_word("True");
  return header.fortran_order || text.take_word("False");
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

Result<NpyHeader> read_dictionary(std::string_view dictionary) {
  PythonText text(dictionary);
  NpyHeader header;
  std::set<std::string> missing{"descr", "fortran_order", "shape"};
  const auto torn = [&] {
    return refusal_at("", "the header is no dictionary", text.ahead(),
                      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)}");
  };
  if (!text.take('{')) return torn();
  while (!text.take('}')) {
    const std::optional<std::string> key = text.text();
    if (!key || !text.take(':')) return torn();
    const std::string found = text.ahead();
    if (!read_member(text, *key, header)) return bad_member(*key, found);
    missing.erase(*key);
    if (text.take(',')) continue;
    if (!text.take('}')) return torn();
    break;
  }
  if (!text.at_end()) return torn();
  if (missing.empty()) return header;
  return refusal_at("", "the header lacks a key", "no '" + *missing.begin() + "'",
                    "descr, fortran_order and shape");
}

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8U | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

const ElementType* type_of(std::string_view code) {
  const auto types = all_element_types();
  const auto found = std::ranges::find(types, code, &ElementType::npy);
  return code.empty() || found == types.end() ? nullptr : &*found;
}

Error unknown_type(const std::string& descr) {
  const std::string found = "'" + shortened(printable_line(descr), 40) + "'";
  const std::string known = "one of " + names_of_element_types();
  if (descr.ends_with('O')) {
    return refusal_at(
        "", "the elements are objects of Python, which are never loaded", found, known,
        "make one array of numbers of them: numpy.stack(list(array)).astype(numpy.float32)");
  }
  const bool complex = descr.find('c') != std::string::npos;
  return refusal_at("", "this type of elements is not known", found, known,
                    complex ? "save the real part, the imaginary part or the absolute value"
                            : "convert it first: numpy.save(file, array.astype(numpy.float32))");
}

// Sets the type of an element such as "<f4", or "<U12" of text.
bool set_type(const std::string& descr, StoredArray& array) {
  const bool has_order =
      !descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string::npos;
  const std::string_view code = std::string_view(descr).substr(has_order ? 1 : 0);
  array.swapped = descr.starts_with('>');
  array.type = type_of(code);
  if (array.type != nullptr) return true;
  const Result<std::int64_t> characters = parse_integer(code.substr(code.starts_with('U') ? 1 : 0));
  if (!code.starts_with('U') || !characters || *characters < 1) return false;
  array.characters = static_cast<std::size_t>(*characters);
  return true;
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
  Result<NpyHeader> header = read_dictionary(bytes.substr(start, length));
  if (header) header->data_offset = start + length;
  return header;
}

Result<StoredArray> stored_npy(std::string_view start, std::uint64_t size) {
  Result<NpyHeader> header = read_npy_header(start);
  if (!header) return header.error();
  StoredArray array;
  if (!set_type(header->descr, array)) return unknown_type(header->descr);
  array.fortran_order = header->fortran_order;
  array.shape = std::move(header->shape);
  const Status sound = check_stored(array, size - header->data_offset);
  if (!sound) return sound.error();
  if (start.size() == size) array.data = start.substr(header->data_offset);
  return array;
}

}  // namespace attn
