// Writer of documents and results as readable JSON: one member per line, innermost lists of numbers
// on one line. Streams, so results may be larger than memory. Other JSON goes through base/json.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/tensor.h"

namespace attn {

// Appends one value. Malformed UTF-8 becomes U+FFFD, control characters of terminals are escaped;
// numbers are the shortest that read back to equal bits, non-finite ones are texts ("nan").
void append_json(std::string& out, std::string_view text);
void append_json(std::string& out, float value);
void append_json(std::string& out, std::uint8_t flag);  // true or false
void append_json(std::string& out, std::uint64_t number);
void append_json(std::string& out, std::int64_t number);

// `json` in any layout, with control characters of terminals in texts escaped.
std::string spare_terminals(std::string_view json);

void append_origin(std::string& out, const TensorOrigin& origin);

void append_indent(std::string& out, std::size_t level);

// "[1, 2, 3]" on one line.
template <class Range>
void append_row(std::string& out, const Range& values) {
  out += '[';
  bool first = true;
  for (const auto& value : values) {
    if (!first) out += ", ";
    first = false;
    append_json(out, value);
  }
  out += ']';
}

// A list with one item per line; `item(i)` appends one.
template <class Item>
void append_list(std::string& out, std::size_t count, std::size_t level, Item&& item) {
  out += "[\n";
  for (std::size_t i = 0; i < count; ++i) {
    append_indent(out, level + 1);
    item(i);
    out += i + 1 < count ? ",\n" : "\n";
  }
  append_indent(out, level);
  out += ']';
}

// Nested lists of the extents `counts`; `row(i)` appends the content of the i-th innermost list, in
// row-major order. Without counts there is one row.
template <class Row>
void append_nested(std::string& out, std::span<const std::size_t> counts, std::size_t level,
                   Row&& row, std::size_t before = 0) {
  if (counts.empty()) return row(before);
  append_list(out, counts.front(), level, [&](std::size_t i) {
    append_nested(out, counts.subspan(1), level + 1, row, before * counts.front() + i);
  });
}

// Nested lists with the innermost ones on one line; {"file": "q.npy"} for numbers of a file. Each
// number is a step of `count`, which may be null; the rest is skipped after cancellation.
template <class T>
void append_tensor(std::string& out, const BasicTensor<T>& value, std::size_t level,
                   StepCount* count = nullptr) {
  if (value.origin() != nullptr) return append_origin(out, *value.origin());
  const std::size_t width = value.shape().back();
  append_nested(out, std::span(value.shape()).first(value.rank() - 1), level, [&](std::size_t i) {
    if (count != nullptr && !count->add(width)) return;
    append_row(out, value.values().subspan(i * width, width));
  });
}

// A single list flat, several as a list of lists.
template <class List>
void append_lists(std::string& out, const std::vector<List>& lists, std::size_t level) {
  if (lists.size() == 1) return append_row(out, lists.front());
  append_list(out, lists.size(), level, [&](std::size_t i) { append_row(out, lists[i]); });
}

// Writer of the members of one object, one per line, with commas and indentation.
class ObjectWriter {
 public:
  ObjectWriter(std::string& out, std::size_t level);

  // Starts a member; append its value to the returned text.
  std::string& member(std::string_view key);
  void text(std::string_view key, std::string_view value) { append_json(member(key), value); }
  void raw(std::string_view key, std::string_view json) { member(key) += json; }
  void number(std::string_view key, std::uint64_t value) { append_json(member(key), value); }

  void end();

 private:
  std::string& out_;
  std::size_t level_;
  bool first_ = true;
};

}  // namespace attn
