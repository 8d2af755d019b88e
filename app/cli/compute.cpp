// attnscope compute: the numbers.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>

#include "cli/json_stream.h"
#include "cli/load.h"
#include "cli/subcommand.h"

namespace attn::cli {
namespace {

struct ComputeFlags {
  std::string file;
  Destination destination;
  bool stages = false;
  CommonFlags common;
};

std::string token_list(const TokenList& tokens) {
  std::string text = "[";
  for (const std::string& token : tokens)
    text += (text.size() > 1 ? ", " : "") + json_quoted(token);
  return text + "]";
}

// One list when it serves all samples, else a list of lists.
std::string token_lists(const TokenLists& lists) {
  if (lists.size() == 1) return token_list(lists.front());
  std::string text = "[";
  for (const TokenList& list : lists) text += (text.size() > 1 ? ", " : "") + token_list(list);
  return text + "]";
}

void write_tokens(JsonStream& json, const Document& document) {
  if (document.cross) {
    json.text("  \"query_tokens\": " + token_lists(document.query_tokens) + ",\n");
    json.text("  \"key_tokens\": " + token_lists(document.key_tokens) + ",\n");
  } else {
    json.text("  \"tokens\": " + token_lists(document.query_tokens) + ",\n");
  }
}

void write_shape(JsonStream& json, const AttentionShape& shape) {
  std::string text;
  for (const auto& [name, extent] : extents_of(shape)) {
    text += (text.empty() ? "" : ", ") + json_quoted(name) + ": " + std::to_string(extent);
  }
  json.text("  \"shape\": {" + text + "}");
}

void write_matrix(JsonStream& json, const AttentionResult& result, Stage stage,
                  const HeadAddress& head) {
  const StageShape extent = result.stage_shape(stage);
  std::vector<float> row(extent.cols);
  json.text("[");
  for (std::size_t r = 0; r < extent.rows && !json.failed(); ++r) {
    result.read(stage, head, {r, 0, 1, extent.cols}, row.data());
    if (r > 0) json.text(",\n      ");
    json.numbers(row);
  }
  json.text("]");
}

// Writes `count` items, comma-separated, between brackets.
template <class WriteItem>
void write_list(JsonStream& json, std::size_t count, const char* separator, WriteItem write_item) {
  json.text("[");
  for (std::size_t i = 0; i < count && !json.failed(); ++i) {
    if (i > 0) json.text(separator);
    write_item(i);
  }
  json.text("]");
}

// (sample, layer, head, rows, cols), without the heads where the stage joins them. Keys and values
// have their own heads, and what follows the last block has one layer. `prefix`: of its name.
void write_stage(JsonStream& json, const AttentionResult& result, Stage stage,
                 const std::string& prefix = "") {
  const AttentionShape& shape = result.shape();
  const bool of_keys = stage_info(stage).rows_are_keys();
  const std::size_t heads = of_keys ? shape.kv_heads : shape.heads;
  json.text(",\n  \"" + prefix + std::string(stage_info(stage).name) + "\":\n    ");
  write_list(json, shape.samples, ",\n    ", [&](std::size_t sample) {
    write_list(json, layers_of(shape, stage), ",\n     ", [&](std::size_t layer) {
      if (!stage_info(stage).per_head) return write_matrix(json, result, stage, {layer, sample, 0});
      write_list(json, heads, ",\n      ", [&](std::size_t head) {
        write_matrix(json, result, stage, {layer, sample, head * (shape.heads / heads)});
      });
    });
  });
}

// Q, K and V are only worth repeating where projections made them.
bool is_wanted(const AttentionProblem& problem, Stage stage, bool stages) {
  if (stage == Stage::Weights || stage == Stage::Output) return true;
  const bool input = stage == Stage::Query || stage == Stage::Key || stage == Stage::Value;
  const bool projected = problem.source == AttentionProblem::Source::Embeddings ||
                         problem.source == AttentionProblem::Source::Recurrent;
  return stages && (projected || !(input || stage == Stage::Concat || stage == Stage::Projected));
}

// What is inside a decoder's attention to its own rows.
void write_self(JsonStream& json, const AttentionResult& self, bool stages) {
  for (const Stage stage : self.stages()) {
    if (stage_info(stage).around_attention() || !is_wanted(self.problem(), stage, stages)) continue;
    write_stage(json, self, stage, "self_");
  }
}

Status write_result(JsonStream& json, const Document& document, const AttentionResult& result,
                    bool stages) {
  json.text("{\n  \"attnscope_result\": 1,\n");
  write_tokens(json, document);
  write_shape(json, result.shape());
  if (is_decoder(document)) write_self(json, result.attended(AttentionPart::Self), stages);
  for (const Stage stage : result.stages()) {
    if (is_wanted(result.problem(), stage, stages)) write_stage(json, result, stage);
  }
  json.text("\n}\n");
  return json.finish();
}

Result<int> run(const ComputeFlags& flags, Context& context) {
  context.console.set_quiet(flags.common.quiet);
  if (const Status free = check_destination(flags.destination, {&flags.file, 1}); !free)
    return free.error();
  const Result<ReadReport> report = load_document(flags.file, flags.common, context.console);
  if (!report) return report.error();
  const Result<ResultPtr> result =
      compute_document(report->document, flags.common, context.console);
  if (!result) return result.error();
  Output output(context.console, flags.destination);
  JsonStream json([&](std::string_view part) { return output.write(part); });
  const Status written = write_result(json, report->document, **result, flags.stages);
  if (!written) return written.error();
  return done(output.finish());
}

}  // namespace

Action define_compute(CLI::App& parser) {
  auto flags = std::make_shared<ComputeFlags>();
  add_file(parser, flags->file);
  add_output(parser, flags->destination, "Where to write; - is standard output (default)");
  parser.add_flag("--stages", flags->stages,
                  "Every stage between the inputs and the output, not only weights and output");
  add_memory_limit(parser, flags->common);
  add_quiet(parser, flags->common);
  parser.footer(
      "Matrices are nested (sample, layer, head, row, column), without the head where a stage "
      "joins\n"
      "the heads. A decoder's attention to its own rows has names that begin with self_.\n");
  return [flags](Context& context) { return run(*flags, context); };
}

}  // namespace attn::cli
