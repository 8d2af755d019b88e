// Any pasted text is a rectangle of finite numbers, which reads back bit for bit when it is copied,
// or is refused; so is what is typed into a cell.
#include <cmath>
#include <cstring>

#include "base/number_text.h"
#include "fuzz.h"
#include "session/number_table.h"

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

bool is_same(const NumberTable& a, const NumberTable& b) {
  return a.rows == b.rows && a.cols == b.cols && a.values.size() == b.values.size() &&
         std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(float)) == 0;
}

void expect_table(std::string_view text) {
  const Result<NumberTable> table = parse_numbers(text);
  if (!table) return expect_clear(table.error());
  expect(table->rows > 0 && table->cols > 0, "a table has cells");
  expect(table->values.size() == table->rows * table->cols, "a table is a rectangle");
  for (const float value : table->values) expect(std::isfinite(value), "pasted numbers are finite");
  const MatrixView cells{table->values.data(), table->rows, table->cols, table->cols};
  const std::string copied = numbers_text(cells, 0, 0, table->rows, table->cols);
  const Result<NumberTable> again = parse_numbers(copied);
  expect(again.ok() && is_same(*again, *table), "what is copied is pasted as it was:\n" + copied);
}

}  // namespace

void fuzz_pasted_text(std::string_view bytes) {
  expect_cell(bytes);
  expect_whole(bytes);
  expect_table(bytes);
}

}  // namespace attn::fuzz
