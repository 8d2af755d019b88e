// Adoption of one kind of model from another, and extents of each kind.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "attention/problem.h"
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

// Result of the old document: the given one, or computed into `made`.
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

// Numbers of a stage as a document stores them: NaN in its written form. `counts`: layers, samples
// and heads of an attention; the stage has every `step`-th head.
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

Status adopt_weights(Rebuilding& rebuilding) {
  ResultPtr made;
  const Result<const AttentionResult*> result = result_before(rebuilding, made);
  if (!result) return result.error();
  const AttentionShape& s = (*result)->shape();
  GivenWeights model{
      read_stage(**result, Stage::Weights, rebuilding.at.moved_to(s.layers, s.samples, s.heads)),
      {kWeightAxes.begin(), kWeightAxes.end()}};
  rebuilding.layout = shape_of(model);
  rebuilding.document.model = std::move(model);
  rebuilding.document.position = {};
  rebuilding.remarks.sentences.emplace_back("The weights are as they were computed");
  return ok_status();
}

Tensor without_layers(const Tensor& tensor) {
  return tensor.reshaped(Shape(tensor.shape().begin() + 1, tensor.shape().end()));
}

// Of the first layer; given weights have no Q, K and V.
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
  // Added positions are part of the numbers; those without effect across sequences are dropped.
  const bool added = is_added(document.position);
  if (added) rebuilding.remarks.sentences.emplace_back("The positions are in Q, K and V");
  if (added || !counts_positions((*result)->problem(), rebuilding.at)) document.position = {};
  rebuilding.remarks.sentences.emplace_back(s.layers > 1 ? "Q, K and V are as block 1 computed them"
                                                         : "Q, K and V are as they were computed");
  return ok_status();
}

Status adopt_layer(Rebuilding& rebuilding) {
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
  return ok_status();
}

// How a model becomes one of each kind.
struct Adoption {
  const KindInfo* kind;
  Status (*adopt)(Rebuilding&);
};
constexpr Adoption kAdoptions[] = {
    {&GivenWeights::kInfo, adopt_weights},  {&GivenQkv::kInfo, adopt_qkv},
    {&AttentionLayer::kInfo, adopt_layer},  {&BlockModel::kEncoder, adopt_blocks},
    {&BlockModel::kDecoder, adopt_decoder}, {&RecurrentModel::kInfo, adopt_cells}};

Status adopt(Rebuilding& rebuilding) {
  const KindInfo* wanted = rebuilding.wanted.kind;
  if (&info_of(rebuilding.document.model) == wanted) return ok_status();
  return std::ranges::find(kAdoptions, wanted, &Adoption::kind)->adopt(rebuilding);
}

// Keys rearranged to match equal tokens of the queries.
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

// Blocks attend in one way only, so sides change before other kinds become blocks; computed stages
// are computed before that.
Status adopt_kind(Rebuilding& rebuilding) {
  Document& document = rebuilding.document;
  if (rebuilding.wanted.kind->sequences == 1 && document.cross) make_self(rebuilding);
  if (Status adopted = adopt(rebuilding); !adopted) return adopted;
  if (document.cross && !rebuilding.wanted.cross) make_self(rebuilding);
  if (!document.cross && rebuilding.wanted.cross) make_cross(rebuilding);
  return ok_status();
}

// Widths that differ from the default stay while they still differ.
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
  if (!wanted.kind->has_layers) {
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

// Adds axes of samples, heads and layers. `s`: the layout.
void lift(Embeddings& model, const AttentionShape& /*s*/, bool cross) {
  model.query = at_depth(model.query, 3, true);
  model.key = at_depth(model.key, 3, cross);
  model.value = at_depth(model.value, 3, false);
}

void lift(GivenQkv& model, const AttentionShape& /*s*/, bool /*cross*/) {
  for (Tensor* tensor : {&model.q, &model.k, &model.v}) *tensor = at_depth(*tensor, 4, true);
}

void lift(GivenWeights& model, const AttentionShape& s, bool /*cross*/) {
  model = {model.weights.reshaped({s.layers, s.samples, s.heads, s.n_q, s.n_k}),
           {kWeightAxes.begin(), kWeightAxes.end()}};
}

// True for axes of one sample, head or layer that were written and stay one.
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
  std::vector<Extent> axes;
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
  if (!wanted.kind->has_networks()) return shape;
  shape.d_ff = before.d_ff > 0 ? before.d_ff : element_count({kUsualNetworkFactor, wanted.d_model});
  return shape;
}

}  // namespace

std::uint64_t predicted_numbers(const Document& document, const Structure& wanted) {
  return wanted.kind->numbers(predicted_shape(document, wanted));
}

std::uint64_t predicted_bytes(const Document& document, const Structure& wanted) {
  AttentionProblem problem;
  problem.kind = wanted.kind->problems;
  problem.shape = predicted_shape(document, wanted);
  if (wanted.kind->has_networks()) problem.stack.blocks.resize(1);
  if (wanted.kind->sequences == 2) problem.stack.blocks.front().cross.emplace();
  return saturating_sum(saturating_product(wanted.kind->numbers(problem.shape), sizeof(float)),
                        saturating_sum(materialised_bytes(problem), laid_out_bytes(problem)));
}

}  // namespace attn
