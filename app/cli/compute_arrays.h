// Numbers of chosen stages, layers, heads and samples as array files or tables.
#pragma once

#include <string>

#include "cli/cli.h"
#include "cli/selection.h"

namespace attn::cli {

struct ArraysAsked : MatricesAsked {
  std::string format;     // "npz"; empty: by the ending of the output
  std::string reference;  // a document whose numbers are subtracted, or empty
};

// Adds the flags of matrices, and --format. `asked` is borrowed.
void add_array_flags(Flags& options, ArraysAsked& asked);

// True if an array file or a table was asked for, rather than JSON of everything.
bool writes_arrays(const ArraysAsked& asked, const Destination& destination);

// Computes and writes. Arrays have the axes (samples, layers, heads, rows, columns), whatever was
// chosen; a stage that joins the heads has one. Tables have a row of names, then in every row the
// numbers of sample, layer and head where several were chosen, the name of the row, and its cells.
Result<int> print_arrays(const ArraysAsked& asked, Context& context);

}  // namespace attn::cli
