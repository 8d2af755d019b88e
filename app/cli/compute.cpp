// attnscope compute: writes numbers as JSON, array files or tables, row by row.
#include "cli/compute.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "base/json.h"
#include "base/json_writer.h"
#include "cli/console.h"
#include "document/json/write.h"
#include "document/problem.h"
#include "document/tensors/tensor_file.h"
#include "engine/kernels/parallel.h"
#include "engine/matrix/difference.h"
#include "export/array_writer.h"
#include "numbers/number_table.h"
#include "session/build_information.h"

namespace attn::cli {

struct OutputFormat {
  std::string_view name, label;
  std::optional<ArrayFileFormat> arrays{};  // nothing: text
  char separator = '\0';                    // of tables
};

namespace {

constexpr OutputFormat kFormats[] = {
    {"json", "JSON"},
    {"npy", "NumPy array", ArrayFileFormat::Npy},
    {"npz", "NumPy archive", ArrayFileFormat::Npz},
    {"safetensors", "safetensors", ArrayFileFormat::Safetensors},
    {"csv", "CSV", std::nullopt, ','},
    {"tsv", "TSV", std::nullopt, '\t'},
};

// Returns the format that is given, else that of the ending of the output, else JSON.
Result<const OutputFormat*> format_of(const Destination& destination) {
  const bool is_given = !destination.format.empty();
  const std::string name = is_given ? destination.format : ending_of(destination.path);
  const auto* const format = std::ranges::find(kFormats, name, &OutputFormat::name);
  if (format != std::end(kFormats)) return format;
  if (!is_given) return &kFormats[0];
  Error error = unknown_name("format", name, number_formats());
  error.expected = joined(number_formats(), " or ");
  return error;
}

// A table of several documents, which is written once all were read.
struct JoinedTable {
  Output output;
  std::string head{};      // names of the columns; empty before the first document
  bool is_broken = false;  // within the rows of a document
};

// Matrices of a document that are written.
struct Written {
  Computed of;
  JoinedTable* table;  // to add to; null: files of their own
  std::vector<ChosenMatrices> chosen{};
  StepCount* cells = nullptr;  // counts the written cells, for progress

  auto numbers(const ChosenMatrices& one, const HeadAddress& at) const {
    return numbers_of(one, of.result->shape(), at, table != nullptr);
  }
};

// The rows of all matrices of one name in order. All are borrowed.
struct ChosenRows {
  const Written& written;
  const ChosenMatrices& chosen;
  Context& context;
  std::vector<HeadAddress> addresses = chosen.addresses();
  const Subtracted* less = chosen.less.get();
  std::vector<HeadAddress> subtracted =
      less ? less->chosen.addresses() : std::vector<HeadAddress>{};
  std::size_t read = 0;  // addresses whose rows were begun
  MatrixPtr matrix{};
  std::optional<RowReader> rows{};
  Status status = ok_status();  // an error ends the rows

  const HeadAddress& at() const { return addresses[read - 1]; }

  bool next() {
    if (rows && rows->next()) return written.cells->add(rows->cells().size()), true;
    if (read == addresses.size() || !status) return false;
    status = begin(addresses[read++]);
    return next();
  }

  Status begin(const HeadAddress& at) {
    rows.reset();
    Result<MatrixPtr> made = matrix_at(written.of, chosen, at, context);
    if (made && less != nullptr) {
      const auto other = matrix_at(*less->of, less->chosen, subtracted[read - 1], context);
      if (!other) return other.error();
      made = Difference::unseen(*made, *other, (*made)->id());
    }
    if (!made) return made.error();
    matrix = *made;
    rows.emplace(*matrix, CellRange{chosen.part.row, chosen.part.col, chosen.extents.rows,
                                    chosen.extents.cols});
    return ok_status();
  }
};

// Returns the name of a row or column in quotes, with tokens as they are in the document.
std::string quoted_name(const Written& written, MatrixAxis axis, const HeadAddress& at,
                        std::size_t index) {
  if (axis != MatrixAxis::Queries && axis != MatrixAxis::Keys)
    return quoted_label(name_on_axis(written.of, axis, at, index));
  const Side side = axis == MatrixAxis::Queries ? Side::Query : Side::Key;
  return quoted_label(tokens_of(written.of.document, side, at)[index]);
}

std::string table_head(const Written& written, const ChosenMatrices& chosen, char separator) {
  std::string text;
  const auto add = [&](std::string_view name) { text.append(name).append(1, separator); };
  const HeadAddress first = chosen.addresses().front();
  if (written.table != nullptr) add("file");
  for (const auto& [name, number] : written.numbers(chosen, first)) add(name);
  const char* const rows = chosen.rows == MatrixAxis::Keys    ? "key"
                           : chosen.rows == MatrixAxis::Heads ? "head"
                                                              : "query";
  if (chosen.rows != MatrixAxis::One) add(rows);
  for (std::size_t col = 0; col < chosen.extents.cols; ++col) {
    add(quoted_name(written, chosen.columns, first, chosen.part.col + col));
  }
  text.back() = '\n';
  return text;
}

// Writes the names of the columns, which only the first document of a table does.
Status begin_table(Output& output, const Written& written, char separator, Context& context) {
  const std::string head = table_head(written, written.chosen.front(), separator);
  std::string own, &known = written.table != nullptr ? written.table->head : own;
  if (known.empty()) output.text() += known = head;
  if (head == known) return ok_status();
  context.console.file.clear();  // the call is wrong, not this document
  return usage_error(spoken_name(context.common.file) + " has other columns than the table",
                     "write a file of each document, as in -o 'out-{name}.csv'");
}

Status write_table(Output& output, const Written& written, char separator, Context& context) {
  const ChosenMatrices& chosen = written.chosen.front();
  if (Status begun = begin_table(output, written, separator, context); !begun) return begun;
  ChosenRows rows{written, chosen, context};
  while (rows.next() && output.pass_on()) {
    std::string& text = output.text();
    const auto add = [&](std::string_view cell) { text.append(cell).append(1, separator); };
    if (written.table != nullptr) add(quoted_label(spoken_name(context.common.file)));
    for (const auto& [name, number] : written.numbers(chosen, rows.at())) {
      add(std::to_string(number));
    }
    if (chosen.rows != MatrixAxis::One) {
      add(quoted_name(written, chosen.rows, rows.at(), rows.rows->row()));
    }
    for (const float cell : rows.rows->cells()) add(shortest_text(cell));
    text.back() = '\n';
  }
  return rows.status;
}

// Returns names for measures, distances, vocabularies and parts; none for other axes, which are
// tokens or features.
std::vector<std::string> names_along(const Written& written, const ChosenMatrices& chosen,
                                     bool columns) {
  const MatrixAxis axis = columns ? chosen.columns : chosen.rows;
  if (!has_names(axis) && chosen.part.rows == 0) return {};
  const std::size_t first = columns ? chosen.part.col : chosen.part.row;
  std::vector<std::string> names(columns ? chosen.extents.cols : chosen.extents.rows);
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = name_on_axis(written.of, axis, chosen.addresses().front(), first + i);
  }
  return names;
}

// Notes the mask of queries; one with numbers by sample, layer or head only if all are written.
void note_mask(Json& note, const Written& written, const ChosenMatrices& chosen, Console& console) {
  constexpr std::size_t kMostCells = 100'000;
  const Mask& mask = mask_of(written.of.result->problem(), chosen.id.head);
  if (!chosen.is_stage() || chosen.id.stage != Stage::Query || mask == Mask{}) return;
  Mask rules;
  rules.causal = mask.causal;
  if (mask == rules) return void(note["causal"] = true);
  rules.window = mask.window;
  rules.sink_tokens = mask.sink_tokens;
  const AttentionShape& shape = written.of.result->shape();
  const bool is_whole =
      chosen.addresses().size() == element_count({shape.samples, shape.layers, shape.heads});
  const bool suits =
      mask == rules || (is_whole && mask.visible.size() + mask.bias.size() <= kMostCells);
  const std::string text = suits ? mask_text(mask) : "";
  if (!text.empty() && text.find("\"file\"") == text.npos)
    return void(note["mask"] = parse_own_json(text));
  console.warning("the file is without the mask, which is too large, or of more than it holds");
}

Json texts_of(const TokenLists& lists) {
  Json json = Json::array();
  for (const TokenList& list : lists) json.push_back(list.texts());
  return lists.size() == 1 ? json.front() : json;
}

// Notes the tokens of the rows, and those of the columns if these are other ones.
void note_tokens(Json& note, const Written& written) {
  const Document& document = written.of.document;
  const HeadAddress& first = written.chosen.front().id.head;
  const bool of_keys = listed_side(document, first, Side::Query) == Side::Key;
  note["tokens"] = texts_of(of_keys ? document.key_tokens : document.query_tokens);
  const bool one_sequence = std::ranges::all_of(written.chosen, [&](const ChosenMatrices& chosen) {
    return keys_are_queries(document, chosen.id.head);
  });
  if (!one_sequence) note["key_tokens"] = texts_of(document.key_tokens);
}

// Returns tokens, numbers and names, with which the file can be read back as a document.
std::string note_of(const Written& written, Console& console) {
  const std::string& title = written.of.document.title;
  Json note;
  const bool is_whole = written.chosen.front().part.rows == 0;
  if (is_whole) note_tokens(note, written);
  if (!title.empty()) note["title"] = title;
  for (const std::size_t layer : written.chosen.front().layers) {
    if (written.chosen.front().joins_layers) break;
    note["layers"].push_back(layer_number(written.of.result->shape(), layer, 0));
  }
  for (const ChosenMatrices& chosen : written.chosen) {
    note_mask(note, written, chosen, console);
    note["axes"][chosen.name] = Json::array_t{"samples", "layers", "heads", axis_name(chosen.rows),
                                              axis_name(chosen.columns)};
    const std::vector<std::string> columns = names_along(written, chosen, true);
    if (!columns.empty()) note[chosen.name] = columns;
    if (!is_whole) note[chosen.name + "_rows"] = names_along(written, chosen, false);
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
  ArrayWriter writer(format, std::move(arrays), note_of(written, context.console), output.text());
  for (const ChosenMatrices& chosen : written.chosen) {
    ChosenRows rows{written, chosen, context};
    while (rows.next()) {
      writer.append(rows.rows->cells());
      if (!output.pass_on()) return ok_status();
    }
    if (!rows.status) return rows.status;
  }
  writer.finish();
  return ok_status();
}

// Writes lists nested as samples, layers, heads unless they are joined, rows unless there is one.
Status write_nested(Output& output, ObjectWriter& object, const Written& written,
                    const ChosenMatrices& chosen, Context& context) {
  std::vector<std::size_t> counts{chosen.samples.size(), chosen.layers.size()};
  if (!chosen.joins_heads) counts.push_back(chosen.heads.size());
  if (chosen.rows != MatrixAxis::One) counts.push_back(chosen.extents.rows);
  object.member(chosen.name);
  ChosenRows rows{written, chosen, context};
  append_nested(output.text(), counts, 1, [&](std::size_t) {
    if (output.pass_on() && rows.next()) append_row(output.text(), rows.rows->cells());
  });
  return rows.status;
}

// Writes the meaning of the levels of each list: the numbers of samples, layers and heads, without
// those that it joins, and the names of measures and distances.
void write_axes(ObjectWriter& object, const Written& written) {
  const AttentionShape& shape = written.of.result->shape();
  ObjectWriter axes(object.member("axes"), 1);
  for (const ChosenMatrices& chosen : written.chosen) {
    ObjectWriter of_one(axes.member(chosen.name), 2);
    for (const NumberedAxis& axis : numbered_axes()) {
      if (is_joined(chosen, axis)) continue;
      std::vector<std::uint64_t> numbers;
      for (const std::size_t index : chosen.*axis.chosen) {
        numbers.push_back(number_at(axis, shape, index));
      }
      append_row(of_one.member(std::string(axis.name) + "s"), numbers);
    }
    for (const bool columns : {false, true}) {
      const std::vector<std::string> names = names_along(written, chosen, columns);
      const MatrixAxis axis = columns ? chosen.columns : chosen.rows;
      if (!names.empty()) append_row(of_one.member(axis_name(axis)), names);
    }
    of_one.end();
  }
  axes.end();
}

Status write_json(Output& output, const Written& written, Context& context) {
  ObjectWriter object(output.text(), 0);
  object.number("attnscope_result", 1);
  object.text("version", std::string(program_version()));
  write_tokens(object, written.of.document);
  ObjectWriter shape(object.member("shape"), 1);
  for (const auto& [name, extent] : extents_of(written.of.result->shape())) {
    shape.number(name, extent);
  }
  shape.end();
  write_axes(object, written);
  for (const ChosenMatrices& chosen : written.chosen) {
    Status read = write_nested(output, object, written, chosen, context);
    if (!read) return read;
  }
  object.end();
  output.text() += '\n';
  return ok_status();
}

// True for stages that are written without names; for Q, K and V only if projections made them.
bool is_wanted(const AttentionProblem& problem, Stage stage, bool stages) {
  if (stage == Stage::Weights || stage == Stage::Output) return true;
  const bool input = stage == Stage::Query || stage == Stage::Key || stage == Stage::Value;
  const bool projected = makes_projections(problem);
  return stages && (projected || !(input || stage == Stage::Concat || stage == Stage::Projected));
}

// Returns the matrices that the request names. Without names these are, for JSON, weights and
// output or all stages, and for other formats the weights.
Result<std::vector<ChosenMatrices>> wanted_matrices(const FigureRequest& request,
                                                    const OutputFormat& format, bool all_stages,
                                                    const AttentionProblem& problem) {
  const bool is_json = &format == kFormats;
  auto chosen = chosen_matrices(request, problem, is_json || all_stages ? "" : "weights");
  if (!chosen || !is_json || !text_of(request, "stage").empty()) return chosen;
  std::erase_if(*chosen, [&](const ChosenMatrices& one) {
    return !is_wanted(problem, one.id.stage, all_stages);
  });
  return chosen;
}

std::uint64_t count_cells(const std::vector<ChosenMatrices>& all) {
  std::uint64_t count = 0;
  for (const ChosenMatrices& chosen : all) count += element_count(chosen.shape());
  return count;
}

// Checks that a table or .npy holds one matrix of each head, and that the bytes fit, which are
// almost all numbers: exactly counted for arrays, approximately for text.
Status check_format(const RequestedFile& file, const OutputFormat& format) {
  constexpr std::size_t kBytesOfText = 12;
  const bool holds_one = format.separator != '\0' || format.arrays == ArrayFileFormat::Npy;
  if (holds_one && file.chosen.size() > 1) {
    return usage_error(
        std::string(format.label) + " holds one stage, not " + std::to_string(file.chosen.size()),
        "write .npz or .safetensors, or one file a stage, as in -o 'out-{stage}." +
            std::string(format.name) + "'");
  }
  const std::size_t cells = count_cells(file.chosen);
  return format.arrays ? check_room(file.destination, element_count({cells, sizeof(float)}))
                       : check_size(file.destination, element_count({cells, kBytesOfText}));
}

// Writes with progress, unless matrices are derived from weights, which report their own.
Status write(Output& output, Written& written, const OutputFormat& format, Context& context) {
  const auto work = [&](Progress* progress) {
    StepCount cells(progress, count_cells(written.chosen));
    written.cells = &cells;
    if (format.arrays) return write_arrays(output, written, *format.arrays, context);
    if (format.separator == '\0') return write_json(output, written, context);
    return write_table(output, written, format.separator, context);
  };
  const bool all_computed = std::ranges::all_of(
      written.chosen, [](const ChosenMatrices& chosen) { return is_computed(chosen.id); });
  return all_computed ? with_progress(context.console, "Writing", work) : work(nullptr);
}

Status write_file(RequestedFile& file, Written& written, const OutputFormat& format,
                  Context& context) {
  written.chosen = std::move(file.chosen);
  Output own(context.console, file.destination);
  Output& output = written.table != nullptr ? written.table->output : own;
  Status good = write(output, written, format, context);
  if (good) good = check_files(written.of.document);
  const Subtracted* less = written.chosen.front().less.get();
  if (good && less != nullptr) good = check_files(less->of->document);
  if (written.table == nullptr) return good ? own.finish() : good;
  written.table->is_broken |= !good.ok();
  return good;
}

// Subtracts the matrices of the same names of another document.
Status subtract_reference(std::vector<RequestedFile>& files, const std::string& reference,
                          Influence influence, Context& context) {
  auto opened = computed_document(reference, context, influence);
  if (!opened) return opened.error();
  const auto other = std::make_shared<const Computed>(*std::move(opened));
  for (RequestedFile& file : files) {
    Status there = subtract(file.chosen, file.request, other, reference);
    if (!there) return there;
  }
  return ok_status();
}

// Returns the number of layers through the last one that is chosen; all of them for what is made
// from all.
std::size_t layers_read(const std::vector<RequestedFile>& files) {
  std::size_t layers = 0;
  for (const RequestedFile& file : files) {
    for (const ChosenMatrices& chosen : file.chosen) {
      const bool of_all = chosen.joins_layers || chosen.layers.empty();
      layers = std::max(layers, of_all ? kAnyCount : std::ranges::max(chosen.layers) + 1);
    }
  }
  return layers;
}

// Chooses matrices by their names; `all_stages` includes those between inputs and output.
Status choose_by_names(bool all_stages, std::vector<RequestedFile>& files,
                       const OutputFormat& format, Computed& of, Context& context) {
  const FigureRequest& all = files.front().request;
  const AttentionProblem problem = make_problem(of.document);
  for (RequestedFile& file : files) {
    auto chosen = wanted_matrices(file.request, format, all_stages, problem);
    if (!chosen) return chosen.error();
    file.chosen = *std::move(chosen);
  }
  if (Status good = check_format(files, format, of.document, context); !good) return good;
  const bool any_stage = all_stages || !text_of(all, "stage").empty();
  const Influence influence = any_stage ? Influence::Always : Influence::IfQuick;
  auto result = compute_document(of.document, context, influence, layers_read(files));
  if (!result) return result.error();
  of.result = *std::move(result);
  if (all.reference.empty()) return ok_status();
  return subtract_reference(files, all.reference, influence, context);
}

// Writes the files of a document, or its rows of the table unless that is null.
Result<int> print_numbers_of(Source& source, const OutputFormat& format, JoinedTable* table,
                             const ChooseMatrices& choose, Progress* progress, Context& context) {
  Result<Reading> reading = source.read(context);
  if (!reading) return reading.error();
  Written written{{std::move(reading->document), nullptr}, table};
  std::vector<RequestedFile>& files = source.outputs;
  const Status good = choose(files, format, written.of, context);
  if (!good) return good.error();
  Failures failures(context.console, files.size(), "files");
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Status wrote = write_file(files[i], written, format, context);
    report(progress, i + 1, files.size());
    if (!wrote && !failures.add(output_name(files[i].places), wrote.error())) break;
  }
  return failures.result();
}

// Returns the lists of which each file has one value, as its name has their place.
PlaceValues lists_in(const std::string& pattern, const FigureRequest& request) {
  PlaceValues lists{{"name", ""}};
  for (const std::string_view place : {"stage", "sample", "layer", "head"}) {
    const bool has = pattern.find("{" + std::string(place) + "}") != pattern.npos;
    lists.emplace_back(place, has ? text_of(request, place) : "");
  }
  return lists;
}

}  // namespace

Status check_format(const std::vector<RequestedFile>& files, const OutputFormat& format,
                    const Document& document, const Context& context) {
  for (const RequestedFile& file : files) {
    Status good = check_sources(document, file.destination, context.common);
    if (good) good = check_format(file, format);
    if (!good) return good;
  }
  return ok_status();
}

std::vector<std::string_view> number_formats() {
  return names_of(std::span(kFormats), &OutputFormat::name);
}

Result<int> print_numbers(const FigureRequest& request, Context& context,
                          const ChooseMatrices& choose) {
  const Destination& destination = context.common.destination;
  const auto format = format_of(destination);
  if (!format) return format.error();
  auto sources = sources_of(context, request, lists_in(destination.path, request));
  if (!sources) return sources.error();
  const bool joins =
      (*format)->separator != '\0' && sources->size() > 1 && !has_places(destination.path);
  const Status ends = check_ending(destination, (*format)->name, (*format)->label);
  if (!ends) return ends.error();
  const auto named = name_outputs(*sources, request.reference, joins, context);
  if (!named) return named.error();
  JoinedTable table{{context.console, destination}};
  const Result<int> code =
      each_source(*sources, "File", context, [&](Source& source, auto&&... of) {
        return print_numbers_of(source, **format, joins ? &table : nullptr, choose, of...);
      });
  const bool is_whole = !table.is_broken && !table.head.empty();
  const Status written = is_whole ? table.output.finish() : ok_status();
  return written ? code : written.error();
}

Definition define_compute(CommonFlags& common) {
  auto request = std::make_shared<FigureRequest>();
  auto all_stages = std::make_shared<bool>(false);
  Flags options{
      {"FILE", "", kFilesHelp, &common.files, true},
      {"-o,--output", "OUT",
       "Where to write; - is standard output (default); several have a name such as "
       "'out-{name}-{layer}-{head}.npz'",
       &common.destination.path},
      {"-f,--force", "",
       "Replace OUT when it exists, and write more than 100 MB of text into a file",
       &common.destination.force},
      {"--stages", "", "Every stage between the inputs and the output, not only weights and output",
       all_stages.get()}};
  add_matrix_flags(options, request);
  options.insert(
      options.end(),
      {{"--reference", "FILE", "Another document, whose numbers are subtracted",
        &request->reference},
       {"--format", "FORMAT", "What to write (default: by the extension of OUT, else json)",
        &common.destination.format, false, number_formats()}});
  add_shared(options, common, kSeed | kChanges | kComputing | kMessages);
  const auto run = [request, all_stages](Context& context) {
    return print_numbers(*request, context, [&](auto&&... of_files) {
      return choose_by_names(*all_stages, of_files...);
    });
  };
  return {
      std::move(options), run,
      "Matrices are nested (sample, layer, head, row, column), without the head where a stage "
      "joins\n"
      "the heads. In JSON \"axes\" has the numbers of each, and the names of measures and "
      "distances.\n"
      "A decoder's attention to its own rows has names that begin with self_, an encoder's with\n"
      "encoder_.\n"};
}

}  // namespace attn::cli
