// Tables with one row per enumerator, checked at compile time.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace attn {

// True if the value has an enumerator: compilers print "(Enum)7" for others.
template <auto Value>
consteval bool is_named() {
  const std::string_view text = __PRETTY_FUNCTION__;
  constexpr std::string_view kBefore = "Value = ";
  return text[text.find(kBefore) + kBefore.size()] != '(';
}

// Number of enumerators. Precondition: their values are 0, 1, 2, ….
template <class Enum, std::size_t First = 0>
consteval std::size_t count_of() {
  if constexpr (is_named<static_cast<Enum>(First)>()) {
    return count_of<Enum, First + 1>();
  } else {
    return First;
  }
}

// True if row i of the table is that of enumerator i: static_assert(is_indexed_by(kRows,
// &Row::kind)).
template <class Table, class Row, class Enum>
constexpr bool is_indexed_by(const Table& table, Enum Row::*key) {
  if (std::size(table) != count_of<Enum>()) return false;
  std::size_t place = 0;
  for (const Row& row : table) {
    if (static_cast<std::size_t>(row.*key) != place++) return false;
  }
  return true;
}

// Precondition: is_indexed_by.
template <class Row, std::size_t kRows, class Enum>
constexpr const Row& row_of(const std::array<Row, kRows>& rows, Enum value) {
  return rows[static_cast<std::size_t>(value)];
}

}  // namespace attn
