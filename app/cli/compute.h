// Numbers of chosen matrices as JSON, array files or tables.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "cli/batch.h"
#include "cli/cli.h"

namespace attn::cli {

struct OutputFormat;

// Chooses the matrices of the files of a document, and computes it and any document to subtract.
using ChooseMatrices = std::function<Status(std::vector<RequestedFile>& files,
                                            const OutputFormat& format, Computed& of, Context&)>;

// Refuses files that would replace what is read, and matrices that exceed the format or the disk.
Status check_format(const std::vector<RequestedFile>& files, const OutputFormat& format,
                    const Document& document, const Context& context);

// Returns the names of the formats of numbers, which are also their extensions: "npz".
std::vector<std::string_view> number_formats();

// Computes and writes the numbers of each of the documents. Arrays have the axes (samples, layers,
// heads, rows, columns), whatever was chosen; a stage that joins the heads has one. Tables have a
// row of names, then in every row the numbers of sample, layer and head where several were chosen,
// the name of the row, and its cells. A table of several documents under one name begins with the
// file and has all these numbers; its columns must be the same in all.
Result<int> print_numbers(const FigureRequest& request, Context& context,
                          const ChooseMatrices& choose);

}  // namespace attn::cli
