// Rows of chosen matrices, streamed to NumPy, safetensors, CSV or TSV.
#include "cli/compute_arrays.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/json.h"
#include "cli/console.h"
#include "cli/selection.h"
#include "document/tensors/tensor_file.h"
#include "engine/matrix/difference.h"
#include "export/array_writer.h"
#include "numbers/number_table.h"

namespace attn::cli {
namespace {

struct OutputFormat {
  std::string_view name, label;
  std::optional<ArrayFileFormat> arrays;  // nothing: a table
  char separator = '\0';
};

constexpr OutputFormat kFormats[] = {
    {"npy", "NumPy array", ArrayFileFormat::Npy},
    {"npz", "NumPy archive", ArrayFileFormat::Npz},
    {"safetensors", "safetensors", ArrayFileFormat::Safetensors},
    {"csv", "CSV", std::nullopt, ','},
    {"tsv", "TSV", std::nullopt, '\t'},
};

const OutputFormat* format_of(const ArraysAsked& asked, const Destination& destination) {
  const std::string name = asked.format.empty() ? ending_of(destination.path) : asked.format;
  const auto format = std::ranges::find(kFormats, name, &OutputFormat::name);
  return format == std::end(kFormats) ? nullptr : format;
}

// What is written: matrices of a document, minus those of another one if there is one.
struct Written {
  const Computed& of;
  const Computed* reference;
  const std::vector<ChosenMatrices>& chosen;
};

Result<MatrixPtr> matrix_of(const Written& written, const ChosenMatrices& chosen,
                            const HeadAddress& at, Context& context) {
  Result<MatrixPtr> matrix = matrix_at(written.of, chosen, at, context);
  if (!matrix || written.reference == nullptr) return matrix;
  Result<MatrixPtr> other = matrix_at(*written.reference, chosen, at, context);
  if (!other) return other;
  const MatrixId id = (*matrix)->id();
  return unseen_difference(*std::move(matrix), *std::move(other), id);
}

// All rows of the matrices of one name in order, until a visit returns false.
using VisitRow = std::function<bool(const HeadAddress& at, RowReader& rows)>;
Status each_row(const Written& written, const ChosenMatrices& chosen, Context& context,
                const VisitRow& visit) {
  for (const HeadAddress& at : chosen.addresses()) {
    const Result<MatrixPtr> matrix = matrix_of(written, chosen, at, context);
    if (!matrix) return matrix.error();
    RowReader rows(**matrix, every_row((*matrix)->extents(), 1));
    while (rows.next()) {
      if (!visit(at, rows)) return ok_status();
    }
  }
  return ok_status();
}

// Numbers of an address with their names, of which those that are the same in all rows are left
// out.
std::vector<std::pair<std::string_view, std::size_t>> numbers_of(const ChosenMatrices& chosen,
                                                                 const HeadAddress& at) {
  std::vector<std::pair<std::string_view, std::size_t>> numbers;
  if (chosen.samples.size() > 1) numbers.emplace_back("sample", at.sample);
  if (chosen.layers.size() > 1) numbers.emplace_back("layer", at.layer);
  if (chosen.heads.size() > 1) numbers.emplace_back("head", at.head);
  return numbers;
}

std::string table_head(const Written& written, const ChosenMatrices& chosen, char separator) {
  std::string text;
  const auto add = [&](std::string_view name) { text.append(name).append(1, separator); };
  for (const auto& [name, number] : numbers_of(chosen, {})) add(name);
  if (chosen.rows != MatrixAxis::One) add(chosen.rows == MatrixAxis::Keys ? "key" : "query");
  for (std::size_t col = 0; col < chosen.extents.cols; ++col) {
    add(quoted_label(name_on_axis(written.of, chosen.columns, chosen.id.head, col)));
  }
  text.back() = '\n';
  return text;
}

Status write_table(Output& output, const Written& written, char separator, Context& context) {
  const ChosenMatrices& chosen = written.chosen.front();
  output.text() += table_head(written, chosen, separator);
  return each_row(written, chosen, context, [&](const HeadAddress& at, RowReader& rows) {
    std::string& text = output.text();
    const auto add = [&](std::string_view cell) { text.append(cell).append(1, separator); };
    for (const auto& [name, number] : numbers_of(chosen, at)) add(std::to_string(number));
    if (chosen.rows != MatrixAxis::One) {
      add(quoted_label(name_on_axis(written.of, chosen.rows, at, rows.row())));
    }
    for (const float cell : rows.cells()) add(shortest_text(cell));
    text.back() = '\n';
    return output.pass_on();
  });
}

// Tokens, numbers and names, so that the file can be read back as a document.
std::string note_of(const Written& written) {
  const Document& document = written.of.document;
  Json note;
  const auto names = [](const TokenLists& lists) {
    Json json = Json::array();
    for (const TokenList& list : lists) json.push_back(list.texts());
    return lists.size() == 1 ? json.front() : json;
  };
  note["tokens"] = names(document.query_tokens);
  if (document.cross) note["key_tokens"] = names(document.key_tokens);
  if (!document.title.empty()) note["title"] = document.title;
  note["layers"] = written.chosen.front().layers;
  for (const ChosenMatrices& chosen : written.chosen) {
    note["axes"][chosen.name] = Json::array_t{"samples", "layers", "heads", axis_name(chosen.rows),
                                              axis_name(chosen.columns)};
    if (chosen.columns != MatrixAxis::Measures && chosen.columns != MatrixAxis::Distances) continue;
    for (std::size_t col = 0; col < chosen.extents.cols; ++col) {
      note[chosen.name].push_back(name_on_axis(written.of, chosen.columns, chosen.id.head, col));
    }
  }
  return note.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Status write_arrays(Output& output, const Written& written, ArrayFileFormat format,
                    Context& context) {
  std::vector<WrittenArray> arrays;
  arrays.reserve(written.chosen.size());
  for (const ChosenMatrices& chosen : written.chosen) {
    arrays.push_back({chosen.name, chosen.shape()});
  }
  ArrayWriter writer(format, std::move(arrays), note_of(written), output.text());
  bool passed_on = true;
  for (const ChosenMatrices& chosen : written.chosen) {
    const Status read =
        each_row(written, chosen, context, [&](const HeadAddress&, RowReader& rows) {
          writer.append(rows.cells());
          return passed_on = output.pass_on();
        });
    if (!read || !passed_on) return read;
  }
  writer.finish();
  return ok_status();
}

// One table or .npy holds one matrix of each head.
Status check_count(const OutputFormat& format, std::size_t count) {
  const bool holds_one = !format.arrays || *format.arrays == ArrayFileFormat::Npy;
  if (!holds_one || count == 1) return ok_status();
  return usage_error(std::string(format.label) + " holds one stage, not " + std::to_string(count),
                     "write .npz or .safetensors, or one file a stage");
}

std::uint64_t predicted_bytes(const OutputFormat& format, const std::vector<ChosenMatrices>& all) {
  constexpr std::size_t kBytesOfANumber = 12;
  std::uint64_t bytes = 0;
  for (const ChosenMatrices& chosen : all) {
    bytes += element_count({element_count(chosen.shape()), kBytesOfANumber});
  }
  return format.arrays ? 0 : bytes;
}

// Refuses a reference that lacks a matrix, or has it in other sizes.
Status check_reference(const std::vector<ChosenMatrices>& chosen,
                       const Result<std::vector<ChosenMatrices>>& of_reference,
                       const std::string& file) {
  if (!of_reference) {
    Error error = of_reference.error();
    error.message = "in " + file + " " + error.message;
    return error;
  }
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Shape here = chosen[i].shape(), there = (*of_reference)[i].shape();
    if (here == there) continue;
    return Error{.kind = ErrorKind::Usage,
                 .message = chosen[i].name + " has another shape in " + file,
                 .found = shape_text(there),
                 .expected = shape_text(here)};
  }
  return ok_status();
}

}  // namespace

void add_array_flags(Flags& options, ArraysAsked& asked) {
  add_matrix_flags(options, asked);
  options.push_back({"--reference", "FILE",
                     "Another document, whose numbers are subtracted in array files and tables",
                     &asked.reference});
  options.push_back({"--format",
                     "FORMAT",
                     "What to write (default: by the extension of OUT, else json, which has "
                     "everything)",
                     &asked.format,
                     false,
                     {"json", "csv", "tsv", "npy", "npz", "safetensors"}});
}

bool writes_arrays(const ArraysAsked& asked, const Destination& destination) {
  return asked.any() || !asked.reference.empty() || format_of(asked, destination) != nullptr;
}

Result<int> print_arrays(const ArraysAsked& asked, Context& context) {
  const std::string& file = context.common.file;
  const Destination& destination = context.common.destination;
  const OutputFormat* const format = format_of(asked, destination);
  if (format == nullptr) {
    return usage_error(
        "--stage, --layer, --head and --sample choose parts of array files and tables",
        "add --format npz, csv, tsv, npy or safetensors");
  }
  const Status named = check_ending(destination, format->name, format->label);
  if (!named) return named.error();
  if (const Status free = check_destination(destination, {&file, 1}); !free) return free.error();
  const Result<Computed> of = computed_file(file, context, Influence::Always);
  if (!of) return of.error();
  const auto chosen = chosen_matrices(asked, *of->result, "weights");
  if (!chosen) return chosen.error();
  std::optional<Computed> reference;
  if (!asked.reference.empty()) {
    Result<Computed> other = computed_file(asked.reference, context, Influence::Always);
    if (!other) return other.error();
    reference = *std::move(other);
    const Status fits = check_reference(
        *chosen, chosen_matrices(asked, *reference->result, "weights"), asked.reference);
    if (!fits) return fits.error();
  }
  Status fits = check_count(*format, chosen->size());
  if (fits) fits = check_size(destination, predicted_bytes(*format, *chosen));
  if (!fits) return fits.error();
  Output output(context.console, destination);
  const Written written{*of, reference ? &*reference : nullptr, *chosen};
  const Status made = format->arrays ? write_arrays(output, written, *format->arrays, context)
                                     : write_table(output, written, format->separator, context);
  if (!made) return made.error();
  if (const Status whole = check_files(of->document); !whole) return whole.error();
  return done(output.finish());
}

}  // namespace attn::cli
