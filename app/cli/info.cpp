// attnscope info: contents of a document, cost of computing it and, on request, measures of its
// heads.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <utility>

#include "attention/cost.h"
#include "base/joined.h"
#include "base/mapped_file.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "cli/batch.h"
#include "cli/load.h"
#include "cli/model_facts.h"
#include "document/cost.h"
#include "document/edit.h"
#include "document/load/array_reading.h"
#include "document/load/open.h"
#include "document/problem.h"
#include "document/tensors/tensor_file.h"
#include "document/token_ids.h"
#include "engine/compute.h"
#include "engine/measures.h"
#include "export/provenance.h"
#include "session/build_information.h"
#include "session/figure_file.h"

namespace attn::cli {
namespace {

using NamedShape = std::pair<std::string, Shape>;

// Returns the shape with the axes of samples, heads and layers that documents may omit.
Shape full_shape(const TensorInfo& info, const AttentionProblem& problem) {
  for (const Tensor* tensor : {&problem.q, &problem.k, &problem.v, &problem.weights,
                               &problem.self_weights, &problem.encoder_weights}) {
    if (!tensor->shares_with(*info.tensor)) continue;
    Shape shape = tensor->shape();  // of one layer
    const std::size_t layers = info.tensor->size() / tensor->size();
    if (layers > 1) shape.insert(shape.begin(), layers);
    return shape;
  }
  Shape shape = info.tensor->shape();
  if (shape.size() == 2) shape.insert(shape.begin(), 1);
  return shape;
}

// Returns the given tensors by their names in documents. Omits key and value embeddings equal to
// the queries'; matrices are those of the first block.
std::vector<NamedShape> inputs_of(const Document& document, const AttentionProblem& problem) {
  std::vector<NamedShape> shapes;
  for (const TensorInfo& info : tensors_of(document.model, problem.shape, 0)) {
    const bool input = info.use == TensorUse::Input || info.use == TensorUse::Map;
    if (!info.is_there() || info.use == TensorUse::Norm) continue;
    const std::size_t prefix = info.block ? block_prefix(*info.block).size() : 0;
    shapes.emplace_back(info.name.substr(prefix),
                        input ? full_shape(info, problem) : info.tensor->shape());
  }
  return shapes;
}

// True for stages worth listing.
bool is_shown(const AttentionProblem& problem, Stage stage) {
  using enum Stage;
  constexpr std::array kInputs{Query, Key, Value};
  constexpr std::array kOutputs{Weights, Output, Concat, Projected, DecoderState, DecoderOutput};
  return std::ranges::count(kOutputs, stage) > 0 ||
         (makes_projections(problem) && std::ranges::count(kInputs, stage) > 0);
}

// Returns the outputs in order of computation.
std::vector<NamedShape> outputs_of(const AttentionProblem& problem) {
  if (!has_scores(problem)) return {};
  const AttentionShape& s = problem.shape;
  std::vector<NamedShape> shapes;
  for (const Stage stage : stages_of(problem)) {
    const StageInfo& info = stage_info(stage);
    if (!is_shown(problem, stage)) continue;
    const bool two = stage == Stage::Weights && attentions_of(problem).size() > 1;
    if (two) shapes.emplace_back("self_weights", Shape{s.samples, s.heads, s.n_q, s.n_q});
    const StageShape extents = stage_shape(s, stage);
    Shape shape{s.samples, extents.rows, extents.cols};
    if (info.per_head) shape.insert(shape.begin() + 1, info.rows_are_keys() ? s.kv_heads : s.heads);
    shapes.emplace_back(info.name, std::move(shape));
  }
  return shapes;
}

// A head with its measures.
struct MeasuredAddress {
  HeadAddress at;
  HeadMeasures measures;
};

struct Facts {
  std::string file;
  Reading report;
  AttentionShape shape;
  std::vector<NamedShape> inputs, outputs;
  DocumentCost whole;
  std::uint64_t memory_bytes = 0;
  std::optional<LayerSize> cost;  // none for given weights
  std::vector<ResultNote> number_notes{};
  std::vector<MeasuredAddress> measures{};  // only on request
};

constexpr std::size_t kKernel = 3;  // kernel of the convolution in the table of costs

// Returns the measures by layer and sample; of a decoder self-attention first.
std::vector<MeasuredAddress> measure_all(const Document& document, const AttentionResult& result) {
  std::vector<MeasuredAddress> heads;
  const AttentionShape& shape = result.shape();
  for (const AttentionInfo& info : attentions_of(document)) {
    HeadAddress at = info.at();
    for (at.layer = 0; at.layer < shape.layers; ++at.layer) {
      for (at.sample = 0; at.sample < shape.samples; ++at.sample) {
        const TokenIds tokens = token_ids(document, at);
        for (at.head = 0; at.head < shape.heads; ++at.head) {
          heads.push_back({at, measure_head(result, at, tokens)});
        }
      }
    }
  }
  return heads;
}

// Returns the facts of the file, with those that require computing if `measures`.
Result<Facts> facts_of(bool measures, Context& context) {
  Result<Reading> report = load_document(context.common.file, context);
  if (!report) return report.error();
  const Document document = report->document;
  const AttentionProblem problem = make_problem(document);
  Facts facts{.file = context.common.file,
              .report = *std::move(report),
              .shape = problem.shape,
              .inputs = inputs_of(document, problem),
              .outputs = outputs_of(problem),
              .whole = cost_of(document),
              .memory_bytes = needed_bytes(problem, entered_bytes(document)),
              .cost = cost_basis(problem, kKernel)};
  if (!measures) {
    facts.number_notes = with_progress(context.console, "Computing", [&](Progress* progress) {
      return notes_on_numbers(document, context.common, progress);
    });
    return facts;
  }
  const Result<ResultPtr> result = compute_document(document, context);
  if (!result) return result.error();
  facts.number_notes = notes_on_all(**result);
  facts.measures = measure_all(document, **result);
  return facts;
}

bool of_decoder(const std::vector<MeasuredAddress>& heads) {
  return !heads.front().at.same_attention(heads.back().at);
}

std::string joined_labels(const MeasuredAddress& head) {
  return joined(labels_of(head.measures), ", ", &HeadLabelInfo::label);
}

// Adds columns of the numbers by which heads differ.
template <class Add>
void add_numbers(const AttentionShape& shape, const std::vector<MeasuredAddress>& heads,
                 const Add& add) {
  const auto number = [&](std::string_view heading, std::size_t HeadAddress::*axis) {
    add({"", heading}, [axis](const auto& head) { return std::to_string(head.at.*axis); });
  };
  if (of_decoder(heads)) {
    add({"", "Attention"},
        [](const auto& head) { return std::string(attention_info(head.at).name); });
  }
  if (shape.layers > 1) {
    add({"", "Layer"},
        [&](const auto& head) { return std::to_string(layer_number(shape, head.at.layer, 0)); });
  }
  if (shape.samples > 1) number("Sample", &HeadAddress::sample);
  number("Head", &HeadAddress::head);
}

// Returns the table of measures; after a blank column, the first ones identify the heads.
std::string table_of(const AttentionShape& shape, const std::vector<MeasuredAddress>& heads) {
  std::vector<TextColumn> columns{{std::vector<std::string>(heads.size() + 2), true}};
  const auto add = [&](const std::array<std::string_view, 2>& heading, const auto& cell,
                       bool is_text = false) {
    columns.push_back(column_of({heading.begin(), heading.end()}, heads, cell, is_text));
  };
  add_numbers(shape, heads, add);
  for (const MeasureInfo& measure : all_measures()) {
    add(measure.heading, [&measure](const auto& head) {
      const std::optional<double> value = measure.value(head.measures);
      return value ? fixed_text(*value, 3) : std::string("–");
    });
  }
  add({"", "Labels"}, joined_labels, true);
  return aligned(columns);
}

// Returns a line per head, numbered from 0 like all indices of the command line, followed by the
// rules of the labels.
std::string measures_table(const AttentionShape& shape, const std::vector<MeasuredAddress>& heads) {
  std::string text =
      "\nMeasures, means over the queries of each head\n" + table_of(shape, heads) + "\n";
  for (const HeadLabelInfo& label : all_head_labels()) {
    const bool occurs = std::ranges::any_of(heads, label.holds, &MeasuredAddress::measures);
    if (occurs) text += "  " + std::string(label.label) + ": " + std::string(label.rule) + "\n";
  }
  const std::string left_out = left_out_words(heads);
  return left_out.empty() ? text : text + "  " + left_out + "\n";
}

std::string row(const std::string& name, const std::string& value) {
  constexpr std::size_t kWidth = 18;
  const std::size_t blanks = name.size() < kWidth ? kWidth - name.size() : 1;
  return "  " + name + std::string(blanks, ' ') + printable_line(value) + "\n";
}

std::string count(double number) { return grouped_text(static_cast<std::uint64_t>(number)); }

// Returns the costs of self-attention and its alternatives.
std::string cost_table(const LayerSize& s) {
  const auto label = [](const LayerKindInfo& kind) { return "    " + std::string(kind.label); };
  std::vector<TextColumn> columns{column_of({""}, all_layer_kinds(), label, true)};
  const auto add = [&](const char* heading, double LayerCost::*of) {
    const auto cell = [&](const LayerKindInfo& kind) { return count(kind.cost(s).*of); };
    columns.push_back(column_of({heading}, all_layer_kinds(), cell, true));
  };
  add("operations", &LayerCost::operations);
  add("steps", &LayerCost::steps);
  add("longest path", &LayerCost::path);
  add("numbers kept", &LayerCost::memory);
  return "  one layer, n = " + count(s.n) + ", d = " + count(s.d) + ", k = " + count(s.kernel) +
         ", r = " + count(s.neighbours) + "\n" + aligned(columns);
}

std::string memory_text(const Facts& facts) {
  const Document& document = facts.report.document;
  std::uint64_t mapped = 0;
  for (const TensorInfo& info : tensors_of(document)) {
    if (is_mapped(info.tensor->data())) mapped += info.tensor->size() * sizeof(float);
  }
  const std::string needed = bytes_text(facts.memory_bytes), stages = "numbers and every stage";
  if (mapped == 0) return needed + " for its " + stages;
  return (facts.memory_bytes > 0 ? needed + " for its other " + stages + ", beside " : "") +
         bytes_text(mapped) + " of numbers that are mapped from the file";
}

std::string costs_text(const Facts& facts) {
  std::string text = row("parameters", grouped_text(facts.whole.parameters));
  for (const PartCost& part : facts.whole.parts) {
    text += row("  " + part.name, grouped_text(part.parameters) + " parameters, " +
                                      grouped_text(part.multiply_adds) + " multiply-adds");
  }
  text += row("cost", grouped_text(facts.whole.multiply_adds) + " multiply-adds");
  text += row("memory", memory_text(facts));
  return facts.cost ? text + cost_table(*facts.cost) : text;
}

std::string as_text(const Facts& facts) {
  const Document& document = facts.report.document;
  std::string text = printable_line(spoken_name(facts.file));
  if (!document.title.empty()) text += ": " + printable_line(document.title);
  text += "\n" + row("reading", facts.report.reading);
  for (const auto& [name, fact] : model_facts(facts.report)) text += row(name, fact);
  for (const auto& [name, extent] : extents_of(facts.shape)) {
    text += row(name, std::to_string(extent));
  }
  const bool has_numbers = !facts.shape.layer_numbers.empty();
  if (has_numbers) text += row("layer numbers", layer_numbers_text(facts.shape, 0));
  for (const auto& [name, shape] : facts.inputs) text += row(name, shape_text(shape));
  for (const auto& [name, shape] : facts.outputs)
    text += row(name, shape_text(shape) + ", computed");
  text += costs_text(facts);
  for (const std::string& note : facts.report.notes) text += row("note", note);
  const std::string question = facts.report.arrays ? facts.report.arrays->question() : "";
  if (!question.empty()) text += row("warning", question);
  for (const ResultNote& note : facts.number_notes) text += row(level_name(note), note.text);
  if (!facts.measures.empty()) text += measures_table(facts.shape, facts.measures);
  return text;
}

Json as_json(const std::vector<NamedShape>& tensors) {
  Json json = Json::object();
  for (const auto& [name, shape] : tensors) json[name] = shape;
  return json;
}

// Returns a record for each array of a file.
Json as_json(const std::vector<ArrayRecord>& records) {
  Json list = Json::array();
  for (const ArrayRecord& record : records) {
    list.push_back({{"array", record.array},
                    {"role", record.role},
                    {"axes", record.axes},
                    {"because", record.because},
                    {"other", record.other}});
  }
  return list;
}

Json as_json(const LayerSize& s) {
  const auto whole = [](double number) { return static_cast<std::uint64_t>(number); };
  Json json{{"n", whole(s.n)},
            {"d", whole(s.d)},
            {"heads", whole(s.heads)},
            {"kernel", whole(s.kernel)},
            {"neighbours", whole(s.neighbours)}};
  for (const LayerKindInfo& info : all_layer_kinds()) {
    const LayerCost cost = info.cost(s);
    json["layers"][info.name] = Json{{"operations", whole(cost.operations)},
                                     {"steps", whole(cost.steps)},
                                     {"path", whole(cost.path)},
                                     {"memory", whole(cost.memory)}};
  }
  for (const LayerKindInfo& info : all_layer_kinds()) {
    if (info.crossing == nullptr) continue;
    json["more_than_" + std::string(info.name) + "_above_n"] = whole(info.crossing(s));
  }
  return json;
}

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) {
    list.push_back(std::isfinite(value) ? Json(value) : Json("nan"));
  }
  return list;
}

Json as_json(const AttentionShape& shape, const MeasuredAddress& head) {
  const HeadMeasures& m = head.measures;
  Json json{{"layer", layer_number(shape, head.at.layer, 0)},
            {"sample", head.at.sample},
            {"head", head.at.head},
            {"rows", m.rows},
            {"unseeing_rows", m.left_out.unseeing},
            {"zero_rows", m.left_out.all_zero},
            {"negative_rows", m.left_out.negative},
            {"non_finite_rows", m.left_out.non_finite}};
  for (const MeasureInfo& measure : all_measures()) {
    const std::optional<double> value = measure.value(m);
    json[std::string(measure.name)] = value ? Json(*value) : Json(nullptr);
  }
  json["labels"] = Json::array();
  for (const HeadLabelInfo* label : labels_of(m)) json["labels"].push_back(label->name);
  json["row_entropy"] = numbers(m.row_entropy);
  json["received"] = numbers(m.received);
  return json;
}

// "measures": an object per head (of a decoder with the attention's name), null for undefined
// measures, "nan" in entropies of excluded rows; "labels": the rule of every label.
void add_measures(Json& json, const AttentionShape& shape,
                  const std::vector<MeasuredAddress>& heads) {
  json["measures"] = Json::array();
  for (const MeasuredAddress& head : heads) {
    Json measured = as_json(shape, head);
    if (of_decoder(heads)) measured["attention"] = attention_info(head.at).name;
    json["measures"].push_back(std::move(measured));
  }
  for (const HeadLabelInfo& label : all_head_labels()) {
    json["labels"][std::string(label.name)] = label.rule;
  }
}

std::string as_json(const Facts& facts) {
  const Document& document = facts.report.document;
  Json json{{"version", program_version()}, {"file", facts.file},
            {"title", document.title},      {"description", document.description},
            {"source", document.source},    {"reading", facts.report.reading}};
  for (const auto& [name, fact] : model_facts(facts.report)) json["model"][name] = fact;
  for (const auto& [name, extent] : extents_of(facts.shape)) json["shape"][name] = extent;
  if (!facts.shape.layer_numbers.empty()) json["layer_numbers"] = facts.shape.layer_numbers;
  json["inputs"] = as_json(facts.inputs);
  json["computed"] = as_json(facts.outputs);
  json["parameters"] = facts.whole.parameters;
  for (const PartCost& part : facts.whole.parts) {
    json["parts"][part.name] = {{"parameters", part.parameters},
                                {"multiply_adds", part.multiply_adds}};
  }
  json["multiply_adds"] = facts.whole.multiply_adds;
  json["memory_bytes"] = facts.memory_bytes;
  if (facts.cost) json["cost"] = as_json(*facts.cost);
  add_notes(json, facts.report.notes, facts.number_notes);
  if (facts.report.arrays) json["arrays"] = as_json(facts.report.arrays->records);
  if (!facts.measures.empty()) add_measures(json, facts.shape, facts.measures);
  return json_text(json);
}

// Returns the bytes of a picture in a regular file; empty for all else, such as documents.
std::string bytes_of_picture(const CommonFlags& flags) {
  if (flags.file == "-" || !is_regular_file(flags.file)) return "";
  const auto stream = ByteStream::open(flags.file, {flags.memory_limit_bytes, nullptr, true});
  if (!stream) return "";
  const Result<std::string_view> start = (*stream)->peek(kSniffBytes);
  if (!start || picture_format(*start).empty()) return "";
  Result<std::string> bytes = read_rest(**stream);
  return bytes ? *std::move(bytes) : "";
}

// Returns the words of a recorded call, which shell_word() wrote.
std::vector<std::string> words_of_call(const std::string& call) {
  std::vector<std::string> words(1);
  bool quoted = false;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (call[i] == '\'') {
      quoted = !quoted;
    } else if (call[i] == ' ' && !quoted) {
      words.emplace_back();
    } else {
      const bool is_escape = call[i] == '\\' && !quoted && i + 1 < call.size();
      words.back() += is_escape ? call[++i] : call[i];
    }
  }
  return words;
}

// Returns the value after an option; empty if it is not there.
std::string value_in(const std::vector<std::string>& words, std::string_view option) {
  const auto at = std::ranges::find(words, option);
  return at == words.end() || at + 1 == words.end() ? "" : at[1];
}

// Returns the input that the model of a figure read.
ModelInput input_of(const Provenance& made) {
  ModelInput input;
  const std::vector<std::string> words = words_of_call(made.call);
  if (const std::string text = value_in(words, "--text"); !text.empty()) input.text = text;
  const std::string ids = value_in(words, "--ids");
  for (const std::string& id : split(ids, ',')) {
    if (!id.empty()) input.ids.push_back(std::strtoull(id.c_str(), nullptr, 10));
  }
  return input;
}

// True if the document at `path`, else the record's document in the folder of the figure, is
// unchanged; null when there is none to read.
Json compared(const Provenance& made, std::string path, const CommonFlags& flags) {
  const bool is_example = is_built_in(made.document);
  if (path.empty()) {
    path = is_example ? made.document : folder_of(flags.file) + "/" + file_name(made.document);
  }
  ReadOptions options = read_options(flags);
  options.input = input_of(made);
  const Result<Reading> read = open_document(path, options);
  const Result<std::string> hash = read ? hash_of(read->document) : read.error();
  return hash ? Json(made.hash.find(*hash) != made.hash.npos) : Json();
}

const char* words_of_match(const Json& same, const Provenance& made) {
  if (same.is_null()) return "not found next to the figure; --document FILE names it";
  if (same == false) return "another, or changed since";
  return made.hash.ends_with(kInParts) ? "still the same, judged by parts of its files"
                                       : "still the same";
}

Result<std::string> words_on_picture(const std::string& bytes, const std::string& document,
                                     const Context& context) {
  const std::string& file = context.common.file;
  const std::string format(picture_format(bytes));
  const std::optional<Provenance> made = provenance_in(bytes);
  if (!made) {
    return Error{.kind = ErrorKind::BadInput,
                 .message = spoken_name(file) + " carries no record of how it was made",
                 .found = "a picture as " + format,
                 .hint = "other programs write none, and some that change pictures remove it"};
  }
  const Json same = compared(*made, document, context.common);
  if (context.common.json) {
    return json_text({{"version", program_version()},
                      {"file", file},
                      {"format", format},
                      {"program", made->program},
                      {"document", made->document},
                      {"xxh3", made->hash},
                      {"call", made->call},
                      {"document_matches", same}});
  }
  const char* match = words_of_match(same, *made);
  return printable_line(spoken_name(file)) + ": a figure as " + format + "\n" +
         row("made by", made->program) + row("document", made->document + " (" + match + ")") +
         row("xxh3", made->hash) + row("call", made->call + " -o " + shell_word(file_name(file)));
}

Result<std::string> words_on_document(bool measures, Context& context) {
  const Result<Facts> facts = facts_of(measures, context);
  if (!facts) return facts.error();
  if (const Status whole = check_files(facts->report.document); !whole) return whole.error();
  return context.common.json ? as_json(*facts) : as_text(*facts);
}

// Returns the words on a document, else on a picture; a document is opened once.
Result<std::string> words_on(const std::string& document, bool measures, Context& context) {
  Result<std::string> words =
      document.empty()
          ? words_on_document(measures, context)
          : usage_error("--document is for figures that were exported", "leave out --document");
  const std::string picture = words ? "" : bytes_of_picture(context.common);
  return picture.empty() ? words : words_on_picture(picture, document, context);
}

// Writes several files as texts with a line between them, or as one JSON list.
Result<int> run(const std::string& document, bool measures, Context& context) {
  auto sources = sources_of(context);
  if (!sources) return sources.error();
  const bool json = context.common.json, is_list = json && sources->size() > 1;
  context.console.quiet = true;  // the notes are part of the output
  Console& console = context.console;
  std::string before = is_list ? "[\n" : "";
  const SourceWork write = [&](Source&, Progress*, Context& of_file) {
    const Result<std::string> words = words_on(document, measures, of_file);
    if (!words) return Result<int>(words.error());
    const std::string all = std::exchange(before, is_list ? ",\n" : "\n") + *words;
    return done(json ? console.write(all) : console.print(all));
  };
  const Result<int> code = each_source(*sources, "Document", context, write);
  const Status ended = is_list ? console.write(before == "[\n" ? "[]\n" : "]\n") : ok_status();
  return ended ? code : ended.error();
}

}  // namespace

Definition define_info(CommonFlags& common) {
  auto measures = std::make_shared<bool>(false);
  auto document = std::make_shared<std::string>();
  Flags options{{"FILE", "",
                 "Documents: paths, example:NAME, or - for standard input; or figures that were "
                 "exported, to see how",
                 &common.files, true},
                {"--measures", "",
                 "What each head does: entropy, distance, shares of weight, and words for them",
                 measures.get()},
                {"--document", "FILE",
                 "For a figure: the document to compare with, instead of the one in its record",
                 document.get()}};
  add_shared(options, common, kNumbers | kJson | kSeed | kComputing | kMessages);
  return {std::move(options),
          [measures, document](Context& context) { return run(*document, *measures, context); }};
}

}  // namespace attn::cli
