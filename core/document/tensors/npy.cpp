// Files of NumPy: a magic word, a version, a length and a dictionary as Python writes it, then the
// elements.
#include <algorithm>

#include "base/joined.h"
#include "base/json.h"
#include "base/number_text.h"
#include "base/parsed_number.h"
#include "base/utf8.h"
#include "document/tensors/array_file.h"

namespace attn {
namespace {

constexpr std::size_t kMostHeaderBytes = 65536;
constexpr std::size_t kMostAxes = 64;  // the limit of NumPy

std::string shown(std::string_view text) { return shortened(printable_line(text), 40); }

// Converts a Python dictionary of texts, booleans and tuples of numbers to JSON, in which a list of
// Python is a list in a list. Python allows a comma after the last item, and demands it in a tuple
// of one; Python 2 wrote an L after long integers. "" for other words and brackets.
std::string json_of(std::string_view python) {
  constexpr std::string_view kPython = "()TF", kJson = "[]tf", kBlanks = " \t\r\n";
  std::string json;
  char quote = '\0', before = '\0';  // `before`: the last of "(" and ","
  for (std::size_t at = 0; at < python.size(); ++at) {
    const char c = python[at];
    const bool is_quote = quote == '\0' ? c == '\'' || c == '"' : c == quote;
    if (is_quote) {
      quote = quote == '\0' ? c : '\0';
      json += '"';
    } else if (quote != '\0') {
      json += c;
    } else {
      const std::size_t next = c == ',' ? python.find_first_not_of(kBlanks, at + 1) : python.npos;
      const bool is_last = c == ',' && next != python.npos &&
                           std::string_view(")}").find(python[next]) != python.npos;
      const std::size_t known = kPython.find(c);
      const bool is_number_in_brackets =
          c == ')' && before == '(' && json[json.find_last_not_of(kBlanks)] != '[';
      if (c == 't' || c == 'f' || is_number_in_brackets) return "";
      if (c == '[' || c == ']') json += c;
      if (!is_last && c != 'L') json += known == kPython.npos ? c : kJson[known];
      if (c == '(' || c == ',') before = c;
    }
  }
  return json;
}

bool read_shape(const Json& list, Shape& shape) {
  const bool is_shape = list.is_array() && list.size() <= kMostAxes &&
                        std::ranges::all_of(list, &Json::is_number_unsigned);
  if (is_shape) shape = list.get<Shape>();
  return is_shape;
}

Error bad_member(const std::string& key, const std::string& found) {
  if (key == "descr") {
    return refusal_at("", "the elements of the array are not plain numbers", found,
                      "one type of numbers, such as '<f4'",
                      "save each field of it as an array of its own");
  }
  if (key == "shape") {
    return refusal_at("", "the header has no shape", found, "whole numbers such as (12, 64)");
  }
  if (key == "fortran_order") {
    return refusal_at("", "the header does not say the order of axes", found, "True or False");
  }
  return refusal_at("", "the header has an unknown key", "\"" + shown(key) + "\"",
                    "descr, fortran_order and shape");
}

Error unknown_type(const std::string& descr) {
  const std::string found = "'" + shown(descr) + "'";
  const std::string known = "one of " + joined(names_of(all_element_types(), &ElementType::name));
  if (descr.find('V') != descr.npos) {  // types of other packages, which astype() cannot convert
    return refusal_at(
        "", "the file does not say what the bytes of its elements are", found, known,
        descr.ends_with("V2")
            ? "if they are bfloat16, which NumPy cannot name, make floats of them: import numpy; "
              "numpy.save('NEW.npy', (numpy.load('FILE').view('uint16').astype('uint32') << 16)"
              ".view('float32'))"
            : "make floats of them before they are saved: array.astype('float32')");
  }
  if (descr.ends_with('O')) {
    return refusal_at("", "the elements are objects of Python, which are never loaded", found,
                      known,
                      "make one array of numbers of them: numpy.stack([...]), whose parts have one "
                      "shape; save the "
                      "items of a dictionary apart: numpy.savez(file, **array.item())");
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
  array.type = element_type_by(&ElementType::npy, code);
  if (array.type != nullptr) return true;
  const Result<std::int64_t> characters = parse_integer(code.substr(code.starts_with('U') ? 1 : 0));
  if (!code.starts_with('U') || !characters || *characters < 1) return false;
  array.characters = static_cast<std::size_t>(*characters);
  return true;
}

// Takes a member of the dictionary.
Status read_member(const std::string& key, const Json& value, StoredArray& array) {
  const bool is_sound = key == "descr"           ? value.is_string()
                        : key == "shape"         ? read_shape(value, array.shape)
                        : key == "fortran_order" ? value.is_boolean()
                                                 : false;
  if (!is_sound) {
    const bool is_list = value.is_array() && value.size() == 1 && value.front().is_array();
    const Json& said = is_list ? value.front() : value;
    return bad_member(key, shown(said.dump(-1, ' ', false, Json::error_handler_t::replace)));
  }
  if (key == "fortran_order") array.fortran_order = value.get<bool>();
  if (key != "descr" || set_type(value.get<std::string>(), array)) return ok_status();
  return unknown_type(value.get<std::string>());
}

Result<StoredArray> read_dictionary(std::string_view dictionary) {
  const Json json = parse_own_json(json_of(dictionary));
  if (!json.is_object()) {
    return refusal_at("", "the header is not a dictionary", "\"" + shown(dictionary) + "\"",
                      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)}");
  }
  StoredArray array;
  for (const auto& [key, value] : json.items()) {
    if (const Status read = read_member(key, value, array); !read) return read.error();
  }
  for (const char* key : {"descr", "fortran_order", "shape"}) {
    if (json.contains(key)) continue;
    return refusal_at("", "the header lacks a key", "no '" + std::string(key) + "'",
                      "descr, fortran_order and shape");
  }
  return array;
}

// The dictionary of the header, which the elements follow.
Result<std::string_view> dictionary_in(std::string_view bytes) {
  constexpr std::size_t kVersionEnd = kNpyMagic.size() + 2;
  if (!bytes.starts_with(kNpyMagic.substr(0, std::min(bytes.size(), kNpyMagic.size())))) {
    return refusal_at("", "this is not a NumPy file", "other bytes at its start", "\\x93NUMPY",
                      "save the array with numpy.save");
  }
  const auto cut = [&](std::size_t needed) {
    return damaged_file("the file ends within its header", bytes_text(bytes.size()),
                        "at least " + bytes_text(needed));
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
  const std::uint64_t length = little_endian(bytes.substr(kVersionEnd, length_bytes));
  if (length > kMostHeaderBytes) {
    return refusal_at("", "the header is too long to be one", bytes_text(length),
                      "at most " + bytes_text(kMostHeaderBytes));
  }
  if (bytes.size() < start + length) return cut(start + length);
  return bytes.substr(start, length);
}

}  // namespace

Result<StoredArray> stored_npy(std::string_view start, std::uint64_t size) {
  const Result<std::string_view> dictionary = dictionary_in(start);
  if (!dictionary) return dictionary.error();
  Result<StoredArray> array = read_dictionary(*dictionary);
  if (!array) return array;
  array->header_bytes = static_cast<std::size_t>(dictionary->end() - start.begin());
  const Status sound = check_stored(*array, size - array->header_bytes);
  if (!sound) return sound.error();
  if (start.size() == size) array->data = start.substr(array->header_bytes);
  return array;
}

Result<ArrayListing> list_npy(std::string_view bytes, const ReadOptions& /*options*/) {
  Result<StoredArray> array = stored_npy(bytes, bytes.size());
  if (!array) return array.error();
  return ArrayListing{{*std::move(array)}, "", {}};
}

}  // namespace attn
