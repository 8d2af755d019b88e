// What each kind of model takes from another one, and which extents it has.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "attention/problem.h"
#include "document/axes.h"
#include "document/edit/rebuilding.h"
#include "document/problem.h"
#include "engine/compute.h"

namespace attn {

Embeddings kept_embeddings(Rebuilding& rebuilding) {
  if (const Embeddings* kept = embeddings_of(std::as_const(rebuilding.document.model))) {
    return *kept;
  }
  AttentionShape& layout = rebuilding.layout;
  layout.d_model = layout.key_width = layout.value_width = 0;
  return {};
}

Projections kept_projections(const Rebuilding& rebuilding) {
  const Model& model = rebuilding.document.model;
  const auto* layer = std::get_if<AttentionLayer>(&model);
  return layer != nullptr ? layer->projections : first_block_projections(model);
}

namespace {

// The result of the document as it was: the one that is known, or computed into `made`.
Result<const AttentionResult*> result_before(const Rebuilding& rebuilding, ResultPtr& made) {
  if (rebuilding.computed == nullptr) {
    AttentionProblem problem = make_problem(rebuilding.before);
    problem.most_influence_steps = 0;
    Result<ResultPtr> result = compute(std::move(problem));
    if (!result) return result.error();
    made = *std::move(result);
  }
  return made ? made.get() : rebuilding.computed;
}

// Numbers of a stage as a document keeps them: a NaN is the one that documents write. `counts` of
// layers, samples and heads of an attention; of the heads the stage has every `step`-th.
Tensor read_stage(const AttentionResult& result, Stage stage, const HeadAddress& counts,
                  std::size_t step = 1) {
  const StageShape extent = result.stage_shape(stage, counts);
  Shape shape{counts.layer, counts.sample, counts.head, extent.rows, extent.cols};
  std::vector<float> values(element_count(shape));
  const std::size_t cells = extent.rows * extent.cols;
  for (std::size_t map = 0; map < values.size() / cells; ++map) {
    const std::size_t input = map / counts.head;
    const HeadAddress at =
        counts.moved_to(input / counts.sample, input % counts.sample, map % counts.head * step);
    result.read(stage, at, {0, 0, extent.rows, extent.cols}, values.data() + map * cells);
  }
  for (float& number : values) {
    if (std::isnan(number)) number = std::numeric_limits<float>::quiet_NaN();
  }
  return Tensor(std::move(shape), std::move(values));
}

std::vector<Axis> all_axes() {
  std::vector<Axis> axes;
  axes.reserve(std::size(kAxes));
  for (const AxisInfo& info : kAxes) axes.push_back(info.axis);
  return axes;
}

Status adopt_weights(Rebuilding& rebuilding) {
  ResultPtr made;
  const Result<const AttentionResult*> result = result_before(rebuilding, made);
  if (!result) return result.error();
  const AttentionShape& s = (*result)->shape();
  GivenWeights model{
      read_stage(**result, Stage::Weights, rebuilding.at.moved_to(s.layers, s.samples, s.heads)),
      all_axes()};
  rebuilding.layout = shape_of(model);
  rebuilding.document.model = std::move(model);
  rebuilding.document.position = {};
  rebuilding.remarks.sentences.emplace_back("The weights are as they were computed");
  return ok_status();
}

Tensor without_layers(const Tensor& tensor) {
  return tensor.reshaped(Shape(tensor.shape().begin() + 1, tensor.shape().end()));
}

// Of the first layer; of finished weights there is nothing to read.
Status adopt_qkv(Rebuilding& rebuilding) {
  Document& document = rebuilding.document;
  if (!has_scores(rebuilding.before.model)) {
    document.model = GivenQkv{};
    rebuilding.layout.layers = 1;
    return ok_status();
  }
  ResultPtr made;
  const Result<const AttentionResult*> result = result_before(rebuilding, made);
  if (!result) return result.error();
  const AttentionShape& s = (*result)->shape();
  const auto read = [&](Stage stage, std::size_t heads) {
    return without_layers(
        read_stage(**result, stage, rebuilding.at.moved_to(1, s.samples, heads), s.heads / heads));
  };
  GivenQkv model{read(Stage::Query, s.heads), read(Stage::Key, s.kv_heads),
                 read(Stage::Value, s.kv_heads)};
  rebuilding.layout = shape_of(model);
  document.model = std::move(model);
  // Positions that were added are in the numbers; those that do not act across have no place.
  const bool added = is_added(document.position);
  if (added) rebuilding.remarks.sentences.emplace_back("The positions are in Q, K and V");
  if (added || !counts_positions((*result)->problem(), rebuilding.at)) document.position = {};
  rebuilding.remarks.sentences.emplace_back(s.layers > 1 ? "Q, K and V are as block 1 computed them"
                                                         : "Q, K and V are as they were computed");
  return ok_status();
}

void adopt_layer(Rebuilding& rebuilding) {
  AttentionShape& layout = rebuilding.layout;
  if (layout.d_ff > 0) {
    rebuilding.remarks.sentences.push_back(
        "The attention of " + std::string(layout.layers > 1 ? "block 1" : "the block") +
        " is kept, without what is around it");
  }
  AttentionLayer layer{kept_embeddings(rebuilding), 1, kept_projections(rebuilding)};
  layout.layers = 1;
  layout.d_ff = 0;
  if (layer.projections.w_q.empty()) layout.d_out = layout.d_model;
  rebuilding.document.model = std::move(layer);
}

Status adopt(Rebuilding& rebuilding) {
  if (structure_kind_of(rebuilding.document.model) == rebuilding.wanted.kind) return ok_status();
  switch (rebuilding.wanted.kind) {
    case StructureKind::Weights:
      return adopt_weights(rebuilding);
    case StructureKind::Qkv:
      return adopt_qkv(rebuilding);
    case StructureKind::Layer:
      adopt_layer(rebuilding);
      break;
    case StructureKind::Blocks:
      adopt_blocks(rebuilding);
      break;
    case StructureKind::Decoder:
      adopt_decoder(rebuilding);
      break;
    case StructureKind::Cells:
      adopt_cells(rebuilding);
      break;
  }
  return ok_status();
}

// Positions of the keys as those of the queries: those of the same tokens.
Rearrangement keys_as_queries(const Document& document) {
  const TokenList& queries = tokens_of(document, Side::Query);
  const std::vector<std::string> texts(queries.begin(), queries.end());
  Rearrangement change;
  for (const std::size_t place : matched_tokens(tokens_of(document, Side::Key), texts)) {
    if (place == kNewPlace) {
      change.add(texts[change.sources.size()]);
    } else {
      change.sources.push_back(place);
    }
  }
  return change;
}

void move_keys(Rebuilding& rebuilding) {
  Document& document = rebuilding.document;
  AttentionShape& layout = rebuilding.layout;
  std::vector<std::string>& sentences = rebuilding.remarks.sentences;
  const Rearrangement change = keys_as_queries(document);
  if (embeddings_of(std::as_const(document.model)) == nullptr) {
    rearrange_tensors(document, layout, Extent::Keys, change);
    if (!change.added.empty()) {
      sentences.emplace_back(
          "Keys that are no tokens of the queries are gone, what the queries have beyond them is "
          "generated");
    }
  }
  const Mask before = document.mask;
  rearrange_rules(document.mask, Side::Key, layout.n_k, change);
  if (before != document.mask) sentences.emplace_back("The mask follows the queries' tokens");
  layout.n_k = layout.n_q;
}

void make_self(Rebuilding& rebuilding) {
  Document& document = rebuilding.document;
  if (rebuilding.layout.n_q != rebuilding.layout.n_k) move_keys(rebuilding);
  if (Embeddings* embeddings = embeddings_of(document.model))
    embeddings->key = embeddings->value = {};
  document.cross = false;
  document.key_tokens.clear();
  rebuilding.remarks.sentences.emplace_back("The keys are the queries' own tokens");
}

}  // namespace

void make_cross(Rebuilding& rebuilding) {
  Document& document = rebuilding.document;
  document.cross = true;
  document.key_tokens = document.query_tokens;
  rebuilding.remarks.sentences.emplace_back("The keys begin as a copy of the queries' tokens");
  Embeddings* embeddings = embeddings_of(document.model);
  if (embeddings != nullptr && embeddings->key.empty()) embeddings->key = embeddings->query;
}

// Blocks have one way to attend only, so that sides change before other kinds become blocks; what
// is computed is computed before they do.
Status adopt_kind(Rebuilding& rebuilding) {
  Document& document = rebuilding.document;
  if (rebuilding.wanted.kind == StructureKind::Blocks && document.cross) make_self(rebuilding);
  if (Status adopted = adopt(rebuilding); !adopted) return adopted;
  if (document.cross && !rebuilding.wanted.cross) make_self(rebuilding);
  if (!document.cross && rebuilding.wanted.cross) make_cross(rebuilding);
  return ok_status();
}

// Widths of their own stay where they are still others.
AttentionShape target_of(const Rebuilding& rebuilding) {
  const Structure& wanted = rebuilding.wanted;
  const AttentionShape& layout = rebuilding.layout;
  const Model& model = rebuilding.document.model;
  AttentionShape target = layout;
  target.layers = wanted.layers;
  target.samples = wanted.samples;
  target.heads = wanted.heads;
  target.kv_heads = wanted.key_value_heads;
  target.d_k = wanted.d_k;
  target.d_v = wanted.d_v;
  target.d_q = layout.d_q == wanted.d_k ? 0 : layout.d_q;
  const Embeddings* x = embeddings_of(model);
  if (x == nullptr) return target;
  target.d_q = 0;
  target.d_model = target.d_out = wanted.d_model;
  const std::size_t keys = x->key.empty() ? 0 : layout.key_width;
  target.key_width = keys == wanted.d_model ? 0 : keys;
  const std::size_t values = x->value.empty() ? 0 : layout.value_width;
  target.value_width = values == key_embedding_columns(target) ? 0 : values;
  if (info_of(model).has_steps) return target_of_cells(rebuilding, target);
  if (wanted.kind == StructureKind::Layer) {
    if (layout.d_out != layout.d_model) target.d_out = layout.d_out;
  } else if (layout.d_ff == 0 || layout.d_ff == kUsualNetworkFactor * layout.d_model) {
    target.d_ff = kUsualNetworkFactor * target.d_model;
  }
  return target;
}

namespace {

Tensor at_depth(const Tensor& tensor, std::size_t depth, bool needed) {
  if (tensor.empty()) return needed ? Tensor(Shape(depth, 0), {}) : Tensor();
  Shape shape = tensor.shape();
  shape.insert(shape.begin(), depth - shape.size(), 1);
  return tensor.reshaped(shape);
}

// With axes of samples, heads and layers. `s`: the layout.
void lift(Embeddings& model, const AttentionShape& /*s*/, bool cross) {
  model.query = at_depth(model.query, 3, true);
  model.key = at_depth(model.key, 3, cross);
  model.value = at_depth(model.value, 3, false);
}

void lift(GivenQkv& model, const AttentionShape& /*s*/, bool /*cross*/) {
  for (Tensor* tensor : {&model.q, &model.k, &model.v}) *tensor = at_depth(*tensor, 4, true);
}

void lift(GivenWeights& model, const AttentionShape& s, bool /*cross*/) {
  model = {model.weights.reshaped({s.layers, s.samples, s.heads, s.n_q, s.n_k}), all_axes()};
}

// Of one sample, head or layer, where the text wrote such an axis: it stays one.
bool stays(std::size_t from, std::size_t to, bool was_written) {
  return to > 1 || (was_written && from == 1);
}

void cut_depth(Tensor& tensor, std::size_t depth) {
  if (tensor.empty()) return;
  const Shape& shape = tensor.shape();
  tensor = tensor.reshaped(Shape(shape.end() - static_cast<std::ptrdiff_t>(depth), shape.end()));
}

void lower(Embeddings& now, const Rebuilding& rebuilding, const AttentionShape& target) {
  const Embeddings* before = embeddings_of(rebuilding.before.model);
  const bool had_samples = before != nullptr && before->query.rank() == 3;
  if (stays(rebuilding.layout.samples, target.samples, had_samples)) return;
  for (Tensor* tensor : {&now.query, &now.key, &now.value}) cut_depth(*tensor, 2);
}

void lower(GivenQkv& now, const Rebuilding& rebuilding, const AttentionShape& target) {
  const auto* before = std::get_if<GivenQkv>(&rebuilding.before.model);
  const std::size_t depth = before == nullptr ? 2 : before->q.rank();
  const AttentionShape& from = rebuilding.layout;
  if (stays(from.samples, target.samples, depth == 4)) return;
  const std::size_t left = stays(from.heads, target.heads, depth == 3) ? 3 : 2;
  for (Tensor* tensor : {&now.q, &now.k, &now.v}) cut_depth(*tensor, left);
}

void lower(GivenWeights& now, const Rebuilding& rebuilding, const AttentionShape& target) {
  const auto* before = std::get_if<GivenWeights>(&rebuilding.before.model);
  const AttentionShape& from = rebuilding.layout;
  const std::size_t counts[][2] = {
      {from.layers, target.layers}, {from.samples, target.samples}, {from.heads, target.heads}};
  std::vector<Axis> axes;
  Shape shape;
  for (std::size_t i = 0; i < now.axes.size(); ++i) {
    const bool had =
        before != nullptr && std::ranges::find(before->axes, now.axes[i]) != before->axes.end();
    if (i < std::size(counts) && !stays(counts[i][0], counts[i][1], had)) continue;
    axes.push_back(now.axes[i]);
    shape.push_back(now.weights.extent(i));
  }
  now = {now.weights.reshaped(shape), std::move(axes)};
}

}  // namespace

void resize_model(Rebuilding& rebuilding, const AttentionShape& target) {
  const auto each_input = [&](const auto& visit) {
    std::visit(
        [&](auto& kind) {
          if constexpr (requires { kind.embeddings; }) {
            kind.heads = target.heads;
            visit(kind.embeddings);
          } else {
            visit(kind);
          }
        },
        rebuilding.document.model);
  };
  each_input([&](auto& inputs) { lift(inputs, rebuilding.layout, rebuilding.document.cross); });
  resize_blocks(rebuilding);
  resize_tensors(rebuilding, target);
  each_input([&](auto& inputs) { lower(inputs, rebuilding, target); });
}

namespace {

std::uint64_t numbers_of(const AttentionShape& s, std::initializer_list<std::size_t> counts) {
  return saturating_product(s.samples, element_count(Shape(counts)));
}

std::uint64_t numbers_of_projections(const AttentionShape& s) {
  return saturating_sum(
      saturating_sum(element_count({s.d_model, s.heads, s.d_k}),
                     element_count({key_embedding_columns(s), s.kv_heads, s.d_k + s.d_v})),
      element_count({s.heads, s.d_v, s.d_model}));
}

bool has_blocks(StructureKind kind) {
  return kind == StructureKind::Blocks || kind == StructureKind::Decoder;
}

std::uint64_t numbers_of_kind(StructureKind kind, const AttentionShape& s) {
  if (kind == StructureKind::Weights) return numbers_of(s, {s.layers, s.heads, s.n_q, s.n_k});
  if (kind == StructureKind::Qkv) {
    return saturating_sum(numbers_of(s, {s.heads, s.n_q, query_columns(s)}),
                          numbers_of(s, {s.kv_heads, s.n_k, s.d_k + s.d_v}));
  }
  const std::uint64_t embeddings = saturating_sum(numbers_of(s, {s.n_q, s.d_model}),
                                                  numbers_of(s, {s.n_k, key_embedding_columns(s)}));
  if (kind == StructureKind::Cells) {
    constexpr std::size_t kMostGates = 4, kCells = 3;
    const std::size_t inputs = std::max(s.d_model, key_embedding_columns(s));
    return saturating_sum(embeddings,
                          element_count({kCells, kMostGates, inputs + 2 * s.d_k, s.d_k}));
  }
  const std::size_t attentions = kind == StructureKind::Decoder ? 2 : 1;
  const std::uint64_t layer =
      saturating_sum(saturating_product(attentions, numbers_of_projections(s)),
                     element_count({2, s.d_model, s.d_ff}));
  return saturating_sum(embeddings, saturating_product(s.layers, layer));
}

// What is known of the extents before anything is made.
AttentionShape predicted_shape(const Document& document, const Structure& wanted) {
  const AttentionShape before = shape_of(document);
  AttentionShape shape;
  shape.layers = wanted.layers;
  shape.samples = wanted.samples;
  shape.heads = wanted.heads;
  shape.kv_heads = wanted.key_value_heads;
  shape.n_q = before.n_q;
  shape.n_k = wanted.cross && document.cross ? before.n_k : before.n_q;
  shape.d_k = wanted.d_k;
  shape.d_v = wanted.d_v;
  shape.d_model = shape.d_out = wanted.d_model;
  if (!has_blocks(wanted.kind)) return shape;
  shape.d_ff = before.d_ff > 0 ? before.d_ff : element_count({kUsualNetworkFactor, wanted.d_model});
  return shape;
}

}  // namespace

std::uint64_t predicted_numbers(const Document& document, const Structure& wanted) {
  return numbers_of_kind(wanted.kind, predicted_shape(document, wanted));
}

// What cells keep beside a layer's stages is as long as the tokens.
std::uint64_t predicted_bytes(const Document& document, const Structure& wanted) {
  AttentionProblem problem;
  problem.shape = predicted_shape(document, wanted);
  problem.source = wanted.kind == StructureKind::Weights ? AttentionProblem::Source::Weights
                   : wanted.kind == StructureKind::Qkv   ? AttentionProblem::Source::Qkv
                                                         : AttentionProblem::Source::Embeddings;
  if (has_blocks(wanted.kind)) problem.stack.blocks.resize(1);
  if (wanted.kind == StructureKind::Decoder) problem.stack.blocks.front().cross.emplace();
  const std::uint64_t numbers = numbers_of_kind(wanted.kind, problem.shape);
  return saturating_sum(saturating_product(numbers, sizeof(float)),
                        saturating_sum(kept_bytes(problem), laid_out_bytes(problem)));
}

}  // namespace attn
