// Helpers of the tests of all forms: the table in a text, or the error message.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "numbers/read_numbers.h"

namespace attn::test {

using Rows = std::vector<std::vector<float>>;

inline Rows rows_of(const NumberTable& table) {
  Rows rows(table.rows);
  for (std::size_t r = 0; r < table.rows; ++r) {
    for (std::size_t c = 0; c < table.cols; ++c) rows[r].push_back(table.at(r, c));
  }
  return rows;
}

// Fails the test and returns an empty table when the text is refused.
inline NumberTable table_in(std::string_view text, NonFinite non_finite = NonFinite::Refused) {
  const Result<NumberTable> table = read_numbers(text, non_finite);
  EXPECT_TRUE(table.ok()) << text << ": " << (table ? "" : describe(table.error()));
  return table ? *table : NumberTable{};
}

inline Rows numbers_in(std::string_view text, NonFinite non_finite = NonFinite::Refused) {
  return rows_of(table_in(text, non_finite));
}

// Empty when the text is read.
inline std::string refusal_of(std::string_view text, NonFinite non_finite = NonFinite::Refused) {
  const Result<NumberTable> table = read_numbers(text, non_finite);
  if (table) return "";
  EXPECT_EQ(table.error().kind, ErrorKind::BadInput) << text;
  return describe(table.error());
}

}  // namespace attn::test
