// attnscope compute: writes the numbers.
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "cli/compute_arrays.h"
#include "cli/console.h"
#include "cli/load.h"
#include "document/json/write.h"
#include "document/problem.h"
#include "document/tensors/tensor_file.h"
#include "engine/matrix/matrix.h"
#include "session/build_information.h"

namespace attn::cli {
namespace {

// Address of row `index` of a stage; indices are nested as row, head, layer, sample.
std::pair<HeadAddress, std::size_t> row_address(std::size_t index,
                                                std::span<const std::size_t> counts,
                                                bool per_head) {
  const auto take = [&index](std::size_t count) {
    const std::size_t at = index % count;
    index /= count;
    return at;
  };
  HeadAddress head;
  const std::size_t row = take(counts.back());
  if (per_head) head.head = take(counts[2]);
  head.layer = take(counts[1]);
  head.sample = index;
  return {head, row};
}

// Numbers of samples, layers, heads (unless the stage joins them) and rows. Keys and values have
// key/value heads; stages after the last block have one layer.
std::vector<std::size_t> counts_of(const AttentionShape& shape, Stage stage) {
  const StageInfo& info = stage_info(stage);
  std::vector<std::size_t> counts{shape.samples, layers_of(shape, stage)};
  if (info.per_head) counts.push_back(info.rows_are_keys() ? shape.kv_heads : shape.heads);
  counts.push_back(stage_shape(shape, stage).rows);
  return counts;
}

// Lists nested as counts_of(). `of`: the attention; `prefix`: of the member's name.
void write_stage(Output& output, ObjectWriter& object, const AttentionResult& result, Stage stage,
                 const HeadAddress& of, const std::string& prefix) {
  const StageInfo& info = stage_info(stage);
  const AttentionShape shape = result.shape(of);
  const std::vector<std::size_t> counts = counts_of(shape, stage);
  const std::size_t group = info.per_head ? shape.heads / counts[2] : 1;
  MatrixPtr matrix;
  std::optional<RowReader> rows;
  object.member(prefix + std::string(info.name));
  append_nested(output.text(), counts, 1, [&](std::size_t index) {
    if (!output.pass_on()) return;
    const auto [at, row] = row_address(index, counts, info.per_head);
    if (row == 0) {
      const HeadAddress head = of.moved_to(at.layer, at.sample, at.head * group);
      matrix = stage_matrix(borrowed(result), {stage, head});
      rows.emplace(*matrix, every_row(matrix->extents(), 1));
    }
    rows->next();
    append_row(output.text(), rows->cells());
  });
}

// Q, K and V are repeated only if projections made them.
bool is_wanted(const AttentionProblem& problem, Stage stage, bool stages) {
  if (stage == Stage::Weights || stage == Stage::Output) return true;
  const bool input = stage == Stage::Query || stage == Stage::Key || stage == Stage::Value;
  const bool projected = makes_projections(problem);
  return stages && (projected || !(input || stage == Stage::Concat || stage == Stage::Projected));
}

// Approximate size of the result's text, almost all of which is numbers.
std::uint64_t predicted_text(const AttentionProblem& problem, bool stages) {
  constexpr std::size_t kBytesOfANumber = 12;
  std::uint64_t bytes = 0;
  for (const Stage stage : stages_of(problem)) {
    if (!is_wanted(problem, stage, stages)) continue;
    std::vector<std::size_t> factors = counts_of(problem.shape, stage);
    factors.insert(factors.end(), {stage_shape(problem.shape, stage).cols, kBytesOfANumber});
    bytes += element_count(factors);
  }
  return bytes;
}

// Stages of an attention; of the last one also those around all attentions.
void write_attention(Output& output, ObjectWriter& object, const AttentionResult& result,
                     const AttentionInfo& info, bool stages) {
  const HeadAddress of = info.at();
  const bool last = of == HeadAddress{};
  for (const Stage stage : result.stages(of)) {
    if (!last && stage_info(stage).around_attention()) continue;
    if (!is_wanted(result.problem(), stage, stages)) continue;
    write_stage(output, object, result, stage, of, last ? "" : std::string(info.name) + "_");
  }
}

void write_result(Output& output, const Document& document, const AttentionResult& result,
                  bool stages) {
  ObjectWriter object(output.text(), 0);
  object.number("attnscope_result", 1);
  object.text("version", std::string(program_version()));
  write_tokens(object, document);
  ObjectWriter shape(object.member("shape"), 1);
  for (const auto& [name, extent] : extents_of(result.shape())) shape.number(name, extent);
  shape.end();
  for (const AttentionInfo& info : attentions_of(document)) {
    write_attention(output, object, result, info, stages);
  }
  object.end();
  output.text() += '\n';
}

Result<int> print_numbers(bool stages, Context& context) {
  const std::string& file = context.common.file;
  const Destination& destination = context.common.destination;
  if (const Status named = check_ending(destination, "json", "JSON"); !named) return named.error();
  if (const Status free = check_destination(destination, {&file, 1}); !free) return free.error();
  const Result<Reading> report = load_document(file, context);
  if (!report) return report.error();
  const std::uint64_t bytes = predicted_text(make_problem(report->document), stages);
  if (const Status fits = check_size(destination, bytes); !fits) return fits.error();
  const Influence influence = stages ? Influence::Always : Influence::IfQuick;
  const Result<ResultPtr> result = compute_document(report->document, context, influence);
  if (!result) return result.error();
  Output output(context.console, destination);
  write_result(output, report->document, **result, stages);
  if (const Status whole = check_files(report->document); !whole) return whole.error();
  return done(output.finish());
}

}  // namespace

Definition define_compute(CommonFlags& common) {
  auto stages = std::make_shared<bool>(false);
  auto asked = std::make_shared<ArraysAsked>();
  Flags options{
      {"FILE", "", kFileHelp, &common.file, true},
      {"-o,--output", "OUT", kOutputHelp, &common.destination.path},
      {"-f,--force", "",
       "Replace OUT when it exists, and write more than 100 MB of text into a file",
       &common.destination.force},
      {"--stages", "", "Every stage between the inputs and the output, not only weights and output",
       stages.get()}};
  add_array_flags(options, *asked);
  add_shared(options, common, kSeed | kComputing | kMessages);
  return {std::move(options),
          [stages, asked](Context& context) {
            const bool arrays = writes_arrays(*asked, context.common.destination);
            return arrays ? print_arrays(*asked, context) : print_numbers(*stages, context);
          },
          "Matrices are nested (sample, layer, head, row, column), without the head where a stage "
          "joins\n"
          "the heads. A decoder's attention to its own rows has names that begin with self_.\n"};
}

}  // namespace attn::cli
