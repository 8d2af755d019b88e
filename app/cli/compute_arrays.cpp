// Rows of chosen matrices, streamed to NumPy, safetensors, CSV or TSV.
#include "cli/compute_arrays.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/joined.h"
#include "base/json.h"
#include "cli/console.h"
#include "cli/load.h"
#include "cli/selection.h"
#include "document/problem.h"
#include "document/tensors/tensor_file.h"
#include "engine/matrix/matrix.h"
#include "export/array_writer.h"
#include "numbers/number_table.h"
#include "plot/kit/names.h"
#include "text/nearest.h"

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

// All rows of the chosen matrices in order, until a visit returns false.
void each_row(const ResultPtr& result, const ChosenStage& chosen,
              const std::function<bool(const HeadAddress& at, RowReader& rows)>& visit) {
  each_matrix(result, chosen, [&](const HeadAddress& at, const Matrix& matrix) {
    RowReader rows(matrix, every_row(matrix.extents(), 1));
    while (rows.next()) {
      if (!visit(at, rows)) return false;
    }
    return true;
  });
}

// Names of the rows or columns of a stage: tokens, or features.
std::string name_of(const Document& document, Stage stage, const HeadAddress& at, bool rows,
                    std::size_t index) {
  const StageInfo& info = stage_info(stage);
  if (rows) {
    return token_label(document, info.rows_are_keys() ? Side::Key : Side::Query, at, index);
  }
  if (info.token_by_token()) return token_label(document, Side::Key, at, index);
  return std::to_string(index);
}

struct Table {
  const Document& document;
  const ResultPtr& result;
  const ChosenStage& chosen;
  char separator;
};

// Numbers of the address, of which those that are the same in all rows are left out.
void append_address(std::string& text, const Table& table, const HeadAddress& at) {
  const std::pair<std::size_t, std::size_t> parts[] = {{table.chosen.samples.size(), at.sample},
                                                       {table.chosen.layers.size(), at.layer},
                                                       {table.chosen.heads.size(), at.head}};
  for (const auto& [count, number] : parts) {
    if (count > 1) text += std::to_string(number) + table.separator;
  }
}

std::string table_head(const Table& table) {
  std::string text;
  const std::pair<std::size_t, const char*> parts[] = {{table.chosen.samples.size(), "sample"},
                                                       {table.chosen.layers.size(), "layer"},
                                                       {table.chosen.heads.size(), "head"}};
  for (const auto& [count, name] : parts) {
    if (count > 1) text += std::string(name) + table.separator;
  }
  text += stage_info(table.chosen.stage).rows_are_keys() ? "key" : "query";
  const std::size_t cols = stage_shape(table.result->shape(), table.chosen.stage).cols;
  for (std::size_t col = 0; col < cols; ++col) {
    text +=
        table.separator + quoted_label(name_of(table.document, table.chosen.stage, {}, false, col));
  }
  return text + '\n';
}

void write_table(Output& output, const Table& table) {
  output.text() += table_head(table);
  each_row(table.result, table.chosen, [&](const HeadAddress& at, RowReader& rows) {
    std::string& text = output.text();
    append_address(text, table, at);
    text += quoted_label(name_of(table.document, table.chosen.stage, at, true, rows.row()));
    for (const float cell : rows.cells()) text.append(1, table.separator) += shortest_text(cell);
    text += '\n';
    return output.pass_on();
  });
}

// Tokens and chosen numbers, so that the file can be read back as a document.
std::string note_of(const Document& document, const std::vector<ChosenStage>& stages) {
  Json note;
  const auto names = [](const TokenLists& lists) {
    Json json = Json::array();
    for (const TokenList& list : lists) json.push_back(list.texts());
    return lists.size() == 1 ? json.front() : json;
  };
  note["tokens"] = names(document.query_tokens);
  if (document.cross) note["key_tokens"] = names(document.key_tokens);
  if (!document.title.empty()) note["title"] = document.title;
  note["layers"] = stages.front().layers;
  for (const ChosenStage& chosen : stages) {
    const StageInfo& info = stage_info(chosen.stage);
    note["axes"][std::string(info.name)] =
        Json::array_t{"samples", "layers", "heads", info.rows_are_keys() ? "keys" : "queries",
                      info.token_by_token() ? "keys" : "features"};
  }
  return note.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void write_arrays(Output& output, ArrayFileFormat format, const Document& document,
                  const ResultPtr& result, const std::vector<ChosenStage>& stages) {
  std::vector<WrittenArray> arrays;
  arrays.reserve(stages.size());
  for (const ChosenStage& chosen : stages) {
    arrays.push_back({std::string(stage_info(chosen.stage).name), chosen.shape(result->shape())});
  }
  ArrayWriter writer(format, std::move(arrays), note_of(document, stages), output.text());
  for (const ChosenStage& chosen : stages) {
    each_row(result, chosen, [&](const HeadAddress&, RowReader& rows) {
      writer.append(rows.cells());
      return output.pass_on();
    });
  }
  writer.finish();
}

// One table or .npy holds one stage.
Status check_count(const OutputFormat& format, const std::vector<ChosenStage>& stages) {
  const bool holds_one = !format.arrays || *format.arrays == ArrayFileFormat::Npy;
  if (!holds_one || stages.size() == 1) return ok_status();
  return usage_error(
      std::string(format.label) + " holds one stage, not " + std::to_string(stages.size()),
      "write .npz or .safetensors, or one file a stage");
}

std::uint64_t predicted_bytes(const OutputFormat& format, const AttentionShape& shape,
                              const std::vector<ChosenStage>& stages) {
  constexpr std::size_t kBytesOfANumber = 12;
  std::uint64_t bytes = 0;
  for (const ChosenStage& chosen : stages) {
    bytes += element_count({element_count(chosen.shape(shape)), kBytesOfANumber});
  }
  return format.arrays ? 0 : bytes;
}

}  // namespace

void add_array_flags(Flags& options, ArraysAsked& asked) {
  add_matrix_flags(options, asked);
  options.push_back({"--format",
                     "FORMAT",
                     "What to write (default: by the extension of OUT, else json, which has "
                     "everything)",
                     &asked.format,
                     false,
                     {"json", "csv", "tsv", "npy", "npz", "safetensors"}});
}

bool writes_arrays(const ArraysAsked& asked, const Destination& destination) {
  return asked.any() || format_of(asked, destination) != nullptr;
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
  const Result<Reading> report = load_document(file, context);
  if (!report) return report.error();
  const Result<ResultPtr> result = compute_document(report->document, context, Influence::Always);
  if (!result) return result.error();
  const auto stages = chosen_stages(asked, **result, "weights");
  if (!stages) return stages.error();
  if (const Status fits = check_count(*format, *stages); !fits) return fits.error();
  const std::uint64_t bytes = predicted_bytes(*format, (*result)->shape(), *stages);
  if (const Status fits = check_size(destination, bytes); !fits) return fits.error();
  Output output(context.console, destination);
  if (format->arrays) {
    write_arrays(output, *format->arrays, report->document, *result, *stages);
  } else {
    write_table(output, {report->document, *result, stages->front(), format->separator});
  }
  if (const Status whole = check_files(report->document); !whole) return whole.error();
  return done(output.finish());
}

}  // namespace attn::cli
