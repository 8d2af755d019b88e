// Facts of the arrays of a file: names, types and shapes, and properties of their numbers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "base/tensor.h"
#include "document/tensors/array_file.h"
#include "text/known_names.h"

namespace attn {

// Reasons for or against a reading.
struct Evidence {
  int points = 0;
  std::string because;
};

inline constexpr int kNoOther = 1000;  // the margin of the only reading

// Facts about rows of numbers, along the last axis. Lists by the axis that may count the queries.
struct RowFacts {
  bool sum_to_one = false;
  std::string sums;               // "every row sums to 1"; "row 0 sums to 3"
  std::vector<bool> is_triangle;  // nothing is above the right-aligned diagonal
  // The only axis along which whole columns of 0 differ.
  std::vector<std::optional<std::size_t>> differs_along;
  std::vector<std::size_t> columns;  // a hash of the columns that are 0
};

struct ArrayFacts {
  std::string name;
  std::string type;  // "float32"; "text"
  Shape shape;
  RowFacts rows = {};  // number of rows read
};

std::vector<ArrayFacts> facts_of(const ArrayListing& listing);
NameType type_of(const ArrayFacts& array);

// Facts of the lists of tokens and ids; 0: unknown.
struct TokenFacts {
  std::size_t queries = 0, keys = 0;            // lengths of two lists
  std::size_t all = 0;                          // length of one list for both
  std::size_t lists = 0;                        // one for each sample
  std::vector<std::vector<bool>> padding = {};  // tokens that pad; only of lists that have some
};

// Reads all rows up to 4 Mi numbers, of more numbers a sample of rows; a triangle or columns of 0
// that are found there are checked in all rows of up to 256 Mi numbers, and ignored in larger
// arrays. `is_known`: its name is one of attention; for other names the first row that does not sum
// to 1 ends the pass. An error if it was cancelled.
Result<RowFacts> row_facts(const Tensor& numbers, bool is_known, Progress* progress);

}  // namespace attn
