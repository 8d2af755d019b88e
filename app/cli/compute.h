// Numbers of chosen matrices as JSON, array files or tables.
#pragma once

#include <string>

#include "cli/cli.h"
#include "cli/selection.h"

namespace attn::cli {

struct NumbersAsked : MatricesAsked {
  bool all_stages = false;  // without names: every stage
  std::string format;       // "npz"; empty: by the ending of the output
  std::string reference;    // a document whose numbers are subtracted, or empty
  // Without one: what is subtracted of the same document; of no texts: nothing.
  MatricesAsked minus{};
};

// Names of the formats of numbers, which are also their extensions: "npz".
std::vector<std::string_view> number_formats();

// Computes and writes the numbers of each of the documents. Arrays have the axes (samples, layers,
// heads, rows, columns), whatever was chosen; a stage that joins the heads has one. Tables have a
// row of names, then in every row the numbers of sample, layer and head where several were chosen,
// the name of the row, and its cells.
Result<int> print_numbers(const NumbersAsked& asked, Context& context);

}  // namespace attn::cli
