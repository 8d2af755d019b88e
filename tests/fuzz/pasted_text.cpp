// Any pasted text is a rectangle of numbers, finite if only these are accepted, which reads back
// bit for bit from every format in which it is copied, or is refused; so is a text typed into a
// cell, and one pasted or read from a file as a document.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include "base/number_text.h"
#include "base/parsed_number.h"
#include "document/json/write.h"
#include "document/load/text_file.h"
#include "fuzz.h"
#include "numbers/number_table.h"
#include "numbers/read_numbers.h"

namespace attn::fuzz {
namespace {

void expect_cell(std::string_view text) {
  const Result<float> number = parse_number(text);
  if (!number) return expect_clear(number.error());
  expect(std::isfinite(*number), "a cell is finite");
  const Result<float> again = parse_number(shortest_text(*number));
  expect(again.ok() && std::memcmp(&*again, &*number, sizeof(float)) == 0,
         "the shortest text is exact: " + shortest_text(*number));
}

void expect_whole(std::string_view text) {
  const Result<std::int64_t> number = parse_integer(text);
  if (!number) return expect_clear(number.error());
  const Result<std::int64_t> again = parse_integer(std::to_string(*number));
  expect(again.ok() && *again == *number, "a whole number reads back");
}

bool is_same_float(float a, float b) {
  return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof(float)) == 0;
}

bool is_same(const NumberTable& a, const NumberTable& b) {
  return a.rows == b.rows && a.cols == b.cols &&
         std::ranges::equal(a.values, b.values, is_same_float);
}

void expect_sound(const NumberTable& table) {
  expect(table.rows > 0 && table.cols > 0, "a table has cells");
  expect(table.values.size() == table.rows * table.cols, "a table is a rectangle");
  for (const auto& [labels, count] :
       {std::pair(table.row_labels.size(), table.rows), {table.column_labels.size(), table.cols}}) {
    expect(labels == 0 || labels == count, "all of a side have labels, or none");
  }
}

void expect_copied(const NumberTable& table) {
  for (const NumberFormat& format : all_number_formats()) {
    if (format.name == "latex" || format.name == "markdown") continue;  // for others to read
    const std::string copied = format.write(table);
    const Result<NumberTable> again = read_numbers(copied, NonFinite::Read);
    expect(again.ok() && is_same(*again, table), "what is copied is pasted as it was:\n" + copied);
    const bool keeps_labels = format.name == "tsv" || format.name == "csv";
    expect(!keeps_labels || (again->row_labels == table.row_labels &&
                             again->column_labels == table.column_labels),
           "labels are kept:\n" + copied);
  }
}

void expect_table(std::string_view text, NonFinite non_finite) {
  const Result<NumberTable> table = read_numbers(text, non_finite);
  if (!table) return expect_clear(table.error());
  expect_sound(*table);
  for (const float value : table->values) {
    expect(non_finite == NonFinite::Read || std::isfinite(value), "pasted numbers are finite");
  }
  expect_copied(*table);
}

// Every pasted document can be saved and read again.
void expect_pasted_document(std::string_view text) {
  const ReadOptions options{.memory_limit_bytes = std::uint64_t{1} << 22U};
  const Result<Reading> pasted = read_pasted(text, options);
  if (!pasted) return expect_clear(pasted.error());
  const Document& document = pasted->document;
  const Result<Reading> again = read_document(write_document(document), "saved");
  expect(again.ok() && again->document == document, "what was pasted is saved as it is");
}

void expect_text_file(std::string_view text) {
  const ReadOptions options{.memory_limit_bytes = std::uint64_t{1} << 22U};
  const Reading read = read_text_file({"x.txt", std::make_shared<ByteStream>(text), options});
  for (const Error& error : read.errors) expect_clear(error);
  if (!read.errors.empty()) return;
  expect(!read.notes.empty(), "it is said what a file was taken for");
  const Result<Reading> again = read_document(write_document(read.document), "saved");
  expect(again.ok() && again->document == read.document, "what was read is saved as it is");
}

}  // namespace

void fuzz_pasted_text(std::string_view bytes) {
  expect_cell(bytes);
  expect_whole(bytes);
  expect_table(bytes, NonFinite::Refused);
  expect_table(bytes, NonFinite::Read);
  expect_pasted_document(bytes);
  expect_text_file(bytes);
}

}  // namespace attn::fuzz
