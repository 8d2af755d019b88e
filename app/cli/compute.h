// Numbers of chosen matrices as JSON, array files or tables.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/batch.h"
#include "cli/cli.h"
#include "cli/selection.h"

namespace attn::cli {

struct NumbersAsked : MatricesAsked {
  bool all_stages = false;  // without names: every stage
  std::string format;       // "npz"; empty: by the ending of the output
  std::string reference;    // a document whose numbers are subtracted, or empty
};

struct OutputFormat;

// A file of numbers, or a part of one: matrices of one document.
struct NumbersPart {
  MatricesAsked asked;  // with the values of the places in its name
  const OutputFormat& format;
  Destination output;
  std::vector<ChosenMatrices> chosen{};
};

// Chooses the matrices of the parts of a document, and computes it and what is subtracted.
using ChooseMatrices =
    std::function<Status(std::vector<NumbersPart>& parts, Computed& of, Context& context)>;

// Errors for what is read as well, and for matrices that a format does not hold or a disk.
Status check_parts(const std::vector<NumbersPart>& parts, const Document& document);

// Names of the formats of numbers, which are also their extensions: "npz".
std::vector<std::string_view> number_formats();

// Computes and writes the numbers of each of the documents. Arrays have the axes (samples, layers,
// heads, rows, columns), whatever was chosen; a stage that joins the heads has one. Tables have a
// row of names, then in every row the numbers of sample, layer and head where several were chosen,
// the name of the row, and its cells. A table of several documents under one name begins with the
// file and has all these numbers; its columns must be the same in all. The matrices are those that
// are asked for by their names, unless `choose` chooses them.
Result<int> print_numbers(const NumbersAsked& asked, Context& context,
                          const ChooseMatrices& choose = {});

}  // namespace attn::cli
