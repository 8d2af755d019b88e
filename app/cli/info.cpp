// attnscope info: what a document holds, what computing it costs and, when asked, what its heads
// do.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>

#include "attention/cost.h"
#include "base/number_text.h"
#include "cli/load.h"
#include "cli/measures_table.h"
#include "cli/notes_json.h"
#include "cli/subcommand.h"
#include "document/edit.h"
#include "document/problem.h"

namespace attn::cli {
namespace {

struct InfoFlags {
  std::string file;
  bool measures = false;
  CommonFlags common;
};

struct NamedShape {
  std::string name;
  Shape shape;
};

using Named = std::vector<std::pair<std::string, const Tensor*>>;

Named tensors_of(const Projections& p, const std::string& prefix) {
  return {{prefix + "w_q", &p.w_q}, {prefix + "b_q", &p.b_q}, {prefix + "w_k", &p.w_k},
          {prefix + "b_k", &p.b_k}, {prefix + "w_v", &p.w_v}, {prefix + "b_v", &p.b_v},
          {prefix + "w_o", &p.w_o}, {prefix + "b_o", &p.b_o}};
}

Named tensors_of(const TransformerBlock& block) {
  Named all = tensors_of(block.projections, "");
  if (block.cross) {
    const Named cross = tensors_of(block.cross->projections, "cross ");
    all.insert(all.end(), cross.begin(), cross.end());
  }
  const FeedForward& network = block.feed_forward;
  all.insert(all.end(), {{"w_1", &network.w_1},
                         {"b_1", &network.b_1},
                         {"w_gate", &network.w_gate},
                         {"b_gate", &network.b_gate},
                         {"w_2", &network.w_2},
                         {"b_2", &network.b_2}});
  return all;
}

// The tensors of the problem that are there, by their names in documents. Key and value embeddings
// that are the queries' are not repeated; matrices are those of the first block, where there are
// blocks.
std::vector<NamedShape> inputs_of(const AttentionProblem& problem) {
  const std::vector<TransformerBlock>& blocks = problem.stack.blocks;
  const bool self = problem.key_embeddings.shares_with(problem.query_embeddings);
  const bool same_values = problem.value_embeddings.shares_with(problem.key_embeddings);
  const Tensor absent;
  Named all = {{"q", &problem.q},
               {"k", &problem.k},
               {"v", &problem.v},
               {self ? "embeddings" : "query_embeddings", &problem.query_embeddings},
               {"key_embeddings", self ? &absent : &problem.key_embeddings},
               {"value_embeddings", same_values ? &absent : &problem.value_embeddings}};
  const Named maps =
      blocks.empty() ? tensors_of(problem.projections, "") : tensors_of(blocks.front());
  all.insert(all.end(), maps.begin(), maps.end());
  all.emplace_back("attention", &problem.weights);
  std::vector<NamedShape> shapes;
  for (const auto& [name, tensor] : all) {
    if (!tensor->empty()) shapes.push_back({name, tensor->shape()});
  }
  for (const RecurrentTensorInfo& info : all_recurrent_tensors()) {
    const Tensor& tensor = info.read(problem.recurrent);
    const std::string cell = info.cell.empty() ? "" : std::string(info.cell) + " ";
    if (!tensor.empty()) shapes.push_back({cell + std::string(info.name), tensor.shape()});
  }
  return shapes;
}

// What is computed from them, in order.
std::vector<NamedShape> outputs_of(const AttentionProblem& problem) {
  if (!has_scores(problem)) return {};
  const AttentionShape& s = problem.shape;
  std::vector<NamedShape> shapes;
  if (makes_projections(problem)) {
    shapes.push_back({"q", {s.samples, s.heads, s.n_q, query_columns(s)}});
    shapes.push_back({"k", {s.samples, s.kv_heads, s.n_k, s.d_k}});
    shapes.push_back({"v", {s.samples, s.kv_heads, s.n_k, s.d_v}});
  }
  if (is_decoder(problem)) shapes.push_back({"self_weights", {s.samples, s.heads, s.n_q, s.n_q}});
  shapes.push_back({"weights", {s.samples, s.heads, s.n_q, s.n_k}});
  shapes.push_back({"output", {s.samples, s.heads, s.n_q, s.d_v}});
  if (problem.source == AttentionProblem::Source::Embeddings) {
    shapes.push_back({"concat", {s.samples, s.n_q, s.heads * s.d_v}});
  }
  if (problem.source == AttentionProblem::Source::Recurrent) {
    shapes.push_back({"decoder_state", {s.samples, s.n_q, query_columns(s)}});
    if (s.d_out > 0) shapes.push_back({"decoder_output", {s.samples, s.n_q, s.d_out}});
    return shapes;
  }
  if (s.d_out > 0) shapes.push_back({"projected", {s.samples, s.n_q, s.d_out}});
  return shapes;
}

std::uint64_t parameters_of(const Projections& p) {
  std::uint64_t count = 0;
  for (const Tensor* tensor : {&p.w_q, &p.w_k, &p.w_v, &p.w_o, &p.b_q, &p.b_k, &p.b_v, &p.b_o}) {
    count += tensor->size();
  }
  return count;
}

// What scores are made with beside the projections: the matrices of the scoring function and the
// table of relative bias.
std::uint64_t score_parameters(const AttentionProblem& problem) {
  std::uint64_t count = 0;
  for (const Mask* mask : {&problem.mask, &problem.self_mask}) {
    if (mask->relative) count += mask->relative->table.size();
  }
  for (const ScoringMatrixInfo& info : all_scoring_matrices()) {
    count += (problem.scoring.*info.tensor).size();
  }
  return count;
}

// With what a shape cannot tell of scores: it counts d_a or else d_k multiply-adds for each.
std::uint64_t attention_multiply_adds(ScoringFunction function, const AttentionShape& shape) {
  const std::uint64_t told = predicted_multiply_adds(shape);
  const ScoringCost cost =
      scoring_info(function).cost({query_columns(shape), shape.d_k, shape.n_k, shape.d_a});
  const std::size_t queries = element_count({shape.layers, shape.samples, shape.heads, shape.n_q});
  const std::size_t cells = element_count({queries, shape.n_k});
  if (has_hidden_units(function)) return told;
  return told + element_count({queries, cost.query}) - element_count({cells, shape.d_k}) +
         element_count({cells, cost.cell});
}

// Parameters and multiply-adds of one part of all blocks.
struct PartCost {
  std::string name;
  std::uint64_t parameters = 0;
  std::uint64_t multiply_adds = 0;
};

// The cells of a recurrent model, what scores, and the output.
std::vector<PartCost> recurrent_parts(const AttentionProblem& problem) {
  const AttentionShape& s = problem.shape;
  PartCost encoder{"encoder", 0, 0};
  PartCost decoder{"decoder", 0, 0};
  PartCost attention{"attention", 0, 0};
  for (const RecurrentTensorInfo& info : all_recurrent_tensors()) {
    const bool of_encoder = info.cell == "encoder" || info.cell == "backward";
    const std::size_t size = info.read(problem.recurrent).size();
    PartCost& part = of_encoder ? encoder : decoder;
    part.parameters += size;
    if (info.name.starts_with("b_")) continue;
    const std::size_t steps = of_encoder ? s.n_k : info.name == "w_initial" ? 1 : s.n_q;
    part.multiply_adds += element_count({s.samples, steps, size});
  }
  attention.parameters = score_parameters(problem);
  AttentionShape scores = s;
  scores.d_model = scores.d_out = scores.key_width = 0;
  attention.multiply_adds = attention_multiply_adds(problem.scoring.function, scores);
  return {encoder, attention, decoder};
}

// What a decoder's attention to the keys takes, in all blocks.
PartCost cross_part(const AttentionProblem& problem) {
  AttentionShape across = problem.shape;
  across.d_ff = 0;
  PartCost cross{"cross-attention", 0, attention_multiply_adds(problem.scoring.function, across)};
  for (const TransformerBlock& block : problem.stack.blocks) {
    cross.parameters += parameters_of(block.cross->projections);
  }
  return cross;
}

// Attentions, networks and norms of a stack; nothing without blocks.
std::vector<PartCost> parts_of(const AttentionProblem& problem) {
  if (problem.source == AttentionProblem::Source::Recurrent) return recurrent_parts(problem);
  const bool decoder = is_decoder(problem);
  const AttentionShape s = decoder ? self_shape(problem.shape) : problem.shape;
  PartCost attention{decoder ? "self-attention" : "attention", score_parameters(problem), 0};
  PartCost network{"feed-forward", 0, 0};
  PartCost norms{"norms", 0, 0};
  const auto add_norm = [&](const Norm& norm) {
    norms.parameters += norm.weight.size() + norm.bias.size();
    norms.multiply_adds += element_count({s.samples, s.n_q, s.d_model});
  };
  AttentionShape layer = s;
  layer.layers = 1;
  layer.d_ff = 0;
  for (const TransformerBlock& block : problem.stack.blocks) {
    attention.parameters += parameters_of(block.projections);
    attention.multiply_adds += attention_multiply_adds(problem.scoring.function, layer);
    const FeedForward& f = block.feed_forward;
    for (const Tensor* matrix : {&f.w_1, &f.w_gate, &f.w_2}) {
      network.parameters += matrix->size();
      network.multiply_adds += element_count({s.samples, s.n_q, matrix->size()});
    }
    for (const Tensor* bias : {&f.b_1, &f.b_gate, &f.b_2}) network.parameters += bias->size();
    add_norm(block.attention_norm);
    if (block.cross) add_norm(block.cross->norm);
    add_norm(block.feed_forward_norm);
  }
  if (problem.stack.blocks.empty()) return {};
  if (problem.stack.final_norm) add_norm(*problem.stack.final_norm);
  if (decoder) return {attention, cross_part(problem), network, norms};
  return {attention, network, norms};
}

struct Facts {
  std::string file;
  ReadReport report;
  AttentionShape shape;
  std::vector<NamedShape> inputs, outputs;
  std::vector<PartCost> parts;
  std::uint64_t parameters = 0;
  std::uint64_t multiply_adds = 0;
  std::uint64_t memory_bytes = 0;
  std::vector<ResultNote> number_notes;
  CostBasis cost;
  std::vector<MeasuredAddress> measures;  // only when asked for
};

constexpr std::size_t kKernel = 3;  // of the convolution beside which attention is put

Facts facts_of(const std::string& file, ReadReport report) {
  Facts facts;
  const AttentionProblem problem = make_problem(report.document);
  facts.file = file;
  facts.report = std::move(report);
  facts.shape = problem.shape;
  facts.inputs = inputs_of(problem);
  facts.outputs = outputs_of(problem);
  facts.parts = parts_of(problem);
  facts.parameters = parameters_of(problem.projections) + problem.position.table.size();
  if (facts.parts.empty()) facts.parameters += score_parameters(problem);
  facts.multiply_adds =
      facts.parts.empty() ? attention_multiply_adds(problem.scoring.function, problem.shape) : 0;
  for (const PartCost& part : facts.parts) {
    facts.parameters += part.parameters;
    facts.multiply_adds += part.multiply_adds;
  }
  facts.memory_bytes = predicted_bytes(problem) + problem.weights.size() * sizeof(float);
  facts.cost = cost_basis(problem, kKernel);
  return facts;
}

// What only the numbers tell. Computes them when measures are asked for, otherwise when it is
// cheap.
Status look_at_numbers(Facts& facts, const InfoFlags& flags, Console& console) {
  const Document& document = facts.report.document;
  if (!flags.measures) {
    const std::uint64_t limit = parse_bytes(flags.common.memory_limit).value();  // read before
    facts.number_notes = notes_on_numbers(document, limit);
    return ok_status();
  }
  const Result<ResultPtr> result = compute_document(document, flags.common, console);
  if (!result) return result.error();
  facts.number_notes = notes_on_all(**result);
  facts.measures = measure_all(document, **result);
  return ok_status();
}

std::string row(const std::string& name, const std::string& value) {
  constexpr std::size_t kWidth = 18;
  const std::size_t blanks = name.size() < kWidth ? kWidth - name.size() : 1;
  return "  " + name + std::string(blanks, ' ') + value + "\n";
}

// Blanks after `text` up to `width` letters.
std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string count(double number) { return grouped_text(static_cast<std::uint64_t>(number)); }

// Of self-attention and what could stand in its place.
std::string cost_table(const CostBasis& basis) {
  constexpr std::size_t kName = 28, kNumber = 18;
  const LayerSize& s = basis.size;
  std::string text = "  one layer, n = " + count(s.n) + ", d = " + count(s.d) +
                     (basis.width_assumed ? " (assumed)" : "") + ", k = " + count(s.kernel) +
                     ", r = " + count(s.neighbours) + "\n    " + padded("", kName) +
                     padded("operations", kNumber) + padded("steps", kNumber) +
                     padded("longest path", kNumber) + "numbers kept\n";
  for (const LayerKindInfo& info : all_layer_kinds()) {
    const LayerCost cost = layer_cost(info.kind, s);
    text += "    " + padded(std::string(info.label), kName) +
            padded(count(cost.operations), kNumber) + padded(count(cost.steps), kNumber) +
            padded(count(cost.path), kNumber) + count(cost.memory) + "\n";
  }
  return text;
}

std::string as_text(const Facts& facts) {
  const Document& document = facts.report.document;
  std::string text = spoken_name(facts.file);
  if (!document.title.empty()) text += ": " + document.title;
  text += "\n" + row("reading", facts.report.reading);
  for (const auto& [name, extent] : extents_of(facts.shape)) {
    text += row(name, std::to_string(extent));
  }
  for (const NamedShape& tensor : facts.inputs) text += row(tensor.name, shape_text(tensor.shape));
  for (const NamedShape& tensor : facts.outputs) {
    text += row(tensor.name, shape_text(tensor.shape) + ", computed");
  }
  text += row("parameters", grouped_text(facts.parameters));
  for (const PartCost& part : facts.parts) {
    text += row("  " + part.name, grouped_text(part.parameters) + " parameters, " +
                                      grouped_text(part.multiply_adds) + " multiply-adds");
  }
  text += row("cost", grouped_text(facts.multiply_adds) + " multiply-adds");
  text += row("memory", bytes_text(facts.memory_bytes) + " with every stage kept");
  text += cost_table(facts.cost);
  for (const std::string& note : facts.report.notes) text += row("note", note);
  for (const ResultNote& note : facts.number_notes) text += row(level_name(note), note.text);
  if (!facts.measures.empty()) text += measures_table(facts.shape, facts.measures);
  return text;
}

Json as_json(const std::vector<NamedShape>& tensors) {
  Json json = Json::object();
  for (const NamedShape& tensor : tensors) json[tensor.name] = tensor.shape;
  return json;
}

Json as_json(const CostBasis& basis) {
  const LayerSize& s = basis.size;
  const auto whole = [](double number) { return static_cast<std::uint64_t>(number); };
  Json json{{"n", whole(s.n)},
            {"d", whole(s.d)},
            {"width_assumed", basis.width_assumed},
            {"heads", whole(s.heads)},
            {"kernel", whole(s.kernel)},
            {"neighbours", whole(s.neighbours)}};
  for (const LayerKindInfo& info : all_layer_kinds()) {
    const LayerCost cost = layer_cost(info.kind, s);
    json["layers"][info.name] = Json{{"operations", whole(cost.operations)},
                                     {"steps", whole(cost.steps)},
                                     {"path", whole(cost.path)},
                                     {"memory", whole(cost.memory)}};
  }
  json["more_than_recurrence_above_n"] = whole(crossing_with(LayerKind::Recurrence, s));
  json["more_than_convolution_above_n"] = whole(crossing_with(LayerKind::Convolution, s));
  return json;
}

std::string as_json(const Facts& facts) {
  const Document& document = facts.report.document;
  Json json{{"file", facts.file},
            {"title", document.title},
            {"description", document.description},
            {"source", document.source},
            {"reading", facts.report.reading}};
  for (const auto& [name, extent] : extents_of(facts.shape)) json["shape"][name] = extent;
  json["inputs"] = as_json(facts.inputs);
  json["computed"] = as_json(facts.outputs);
  json["parameters"] = facts.parameters;
  for (const PartCost& part : facts.parts) {
    json["parts"][part.name] = {{"parameters", part.parameters},
                                {"multiply_adds", part.multiply_adds}};
  }
  json["multiply_adds"] = facts.multiply_adds;
  json["memory_bytes"] = facts.memory_bytes;
  json["cost"] = as_json(facts.cost);
  add_notes(json, facts.report.notes, facts.number_notes);
  if (!facts.measures.empty()) add_measures(json, facts.measures);
  return json_text(json);
}

Result<int> run(const InfoFlags& flags, Context& context) {
  context.console.set_quiet(true);  // the notes are part of what is printed
  Result<ReadReport> report = load_document(flags.file, flags.common, context.console);
  if (!report) return report.error();
  Facts facts = facts_of(flags.file, *std::move(report));
  if (const Status looked = look_at_numbers(facts, flags, context.console); !looked) {
    return looked.error();
  }
  return done(context.console.write(flags.common.json ? as_json(facts) : as_text(facts)));
}

}  // namespace

Action define_info(CLI::App& parser) {
  auto flags = std::make_shared<InfoFlags>();
  add_file(parser, flags->file);
  parser.add_flag("--measures", flags->measures,
                  "What each head does: entropy, distance, shares of weight, and words for them");
  add_json(parser, flags->common);
  add_memory_limit(parser, flags->common);
  add_quiet(parser, flags->common);
  return [flags](Context& context) { return run(*flags, context); };
}

}  // namespace attn::cli
