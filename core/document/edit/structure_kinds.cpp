// Converts one kind of model into another, and one sequence into two or back.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "attention/problem.h"
#include "document/edit/rebuilding.h"
#include "document/problem.h"
#include "engine/compute.h"

namespace attn {
namespace {

// Returns the numbers of a stage as a document stores them, with NaN in its written form. `counts`:
// layers, samples and heads of an attention; every `step`-th head is read.
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

void adopt_weights(Rebuilding& rebuilding) {
  const AttentionResult& result = *rebuilding.computed;
  const AttentionShape& s = result.shape();
  GivenWeights model{
      read_stage(result, Stage::Weights, rebuilding.at.moved_to(s.layers, s.samples, s.heads)),
      {kWeightAxes.begin(), kWeightAxes.end()}};
  if (attends_across(result.problem(), rebuilding.at)) {
    model.self = read_stage(result, Stage::Weights, {s.layers, s.samples, s.heads, kSelfAttention});
  }
  rebuilding.layout = shape_of(model);
  rebuilding.document.model = std::move(model);
  rebuilding.document.position = {};
  rebuilding.sentences.emplace_back("Keeps the computed weights");
}

bool has_own_positions(const AttentionProblem& problem) {
  return std::ranges::any_of(problem.stack.blocks,
                             [](const auto& block) { return block.rules.position.has_value(); });
}

// Makes Q, K and V of the computed ones; given weights have none.
void adopt_qkv(Rebuilding& rebuilding) {
  Document& document = rebuilding.document;
  if (!has_scores(rebuilding.before.model)) {
    document.model = GivenQkv{};
    return;
  }
  const AttentionResult& result = *rebuilding.computed;
  const AttentionShape& s = result.shape();
  const auto read = [&](Stage stage, std::size_t heads) {
    return read_stage(result, stage, rebuilding.at.moved_to(s.layers, s.samples, heads),
                      s.heads / heads);
  };
  const AttentionProblem& problem = result.problem();
  const bool own = has_own_positions(problem);
  const auto stage_of = [&](auto rotated, auto plain) {
    return own ? rotated(problem, rebuilding.at) : plain(problem, rebuilding.at);
  };
  GivenQkv model{read(stage_of(query_stage, unrotated_query_stage), s.heads),
                 read(stage_of(key_stage, unrotated_key_stage), s.kv_heads),
                 read(Stage::Value, s.kv_heads)};
  rebuilding.layout = shape_of(model);
  document.model = std::move(model);
  // Added positions are part of the numbers; those without effect across sequences are dropped.
  const bool added = is_added(document.position) || own;
  if (added) rebuilding.sentences.emplace_back("Positions are already part of Q, K and V");
  if (added || !counts_positions(result.problem(), rebuilding.at)) document.position = {};
  rebuilding.sentences.emplace_back("Keeps the computed Q, K and V");
}

// Makes the keys a sequence of their own, a copy of the queries.
void make_cross(Rebuilding& rebuilding) {
  Document& document = rebuilding.document;
  document.cross = true;
  document.key_tokens = document.query_tokens;
  rebuilding.sentences.emplace_back("The keys start as a copy of the query tokens");
  Embeddings* embeddings = embeddings_of(document.model);
  if (embeddings != nullptr && embeddings->key.empty()) embeddings->key = embeddings->query;
}

// Returns the parts that a single layer keeps: embeddings, and the projections of a layer or of the
// first block. Clears extents of the layout that belong to absent tensors.
AttentionLayer kept_layer(Rebuilding& rebuilding) {
  const Model& model = rebuilding.document.model;
  AttentionShape& layout = rebuilding.layout;
  layout.layers = 1;
  layout.d_ff = 0;
  if (const auto* layer = std::get_if<AttentionLayer>(&model)) return *layer;
  AttentionLayer kept;
  if (const Embeddings* embeddings = embeddings_of(model)) {
    kept.embeddings = *embeddings;
  } else {
    layout.d_model = layout.key_width = layout.value_width = 0;
  }
  if (const Stack* stack = stack_of(model)) {
    const TransformerBlock& first = stack->blocks.front();
    kept.projections = first.cross ? first.cross->projections : first.projections;
  }
  return kept;
}

void adopt_layer(Rebuilding& rebuilding) {
  AttentionShape& layout = rebuilding.layout;
  if (layout.d_ff > 0) {
    rebuilding.sentences.push_back("The attention of " +
                                   std::string(layout.layers > 1 ? "block 1" : "the block") +
                                   " is kept, without what is around it");
  }
  AttentionLayer layer = kept_layer(rebuilding);
  if (layer.projections.w_q.empty()) layout.d_out = layout.d_model;
  rebuilding.document.model = std::move(layer);
}

// Drops values, for models that take their values from the keys.
Embeddings without_values(Embeddings embeddings, AttentionShape& layout) {
  embeddings.value = Tensor();
  layout.value_width = 0;
  return embeddings;
}

// Gives the attention to a second sequence, if there is one, to the first block.
void adopt_blocks(Rebuilding& rebuilding) {
  AttentionLayer layer = kept_layer(rebuilding);
  BlockModel model;
  model.embeddings = without_values(std::move(layer.embeddings), rebuilding.layout);
  TransformerBlock& block = model.stack.blocks.emplace_back();
  if (rebuilding.document.cross) {
    block.cross.emplace().projections = std::move(layer.projections);
  } else {
    model.embeddings.key = Tensor();
    block.projections = std::move(layer.projections);
  }
  rebuilding.document.model = std::move(model);
}

void adopt_decoder(Rebuilding& rebuilding) {
  Document& document = rebuilding.document;
  if (document.cross) return adopt_blocks(rebuilding);
  if (stack_of(document.model) == nullptr) adopt_blocks(rebuilding);
  make_cross(rebuilding);
  document.self_mask = std::exchange(document.mask, {});
  for (TransformerBlock& block : stack_of(document.model)->blocks) block.cross.emplace();
}

void adopt_cells(Rebuilding& rebuilding) {
  RecurrentModel model;
  model.embeddings = without_values(kept_layer(rebuilding).embeddings, rebuilding.layout);
  rebuilding.document.model = std::move(model);
}

// The conversion of any model into one of a kind.
struct Adoption {
  const KindInfo* kind;
  void (*adopt)(Rebuilding&);
};
constexpr Adoption kAdoptions[] = {
    {&GivenWeights::kInfo, adopt_weights},  {&GivenQkv::kInfo, adopt_qkv},
    {&AttentionLayer::kInfo, adopt_layer},  {&BlockModel::kEncoder, adopt_blocks},
    {&BlockModel::kDecoder, adopt_decoder}, {&RecurrentModel::kInfo, adopt_cells}};

// Remarks rules that only blocks have of their own.
void drop_block_rules(Rebuilding& rebuilding) {
  const Stack* stack = stack_of(std::as_const(rebuilding.document.model));
  if (stack == nullptr || rebuilding.wanted.kind->has_networks()) return;
  const auto has_rules = [](const auto& block) { return block.rules != BlockRules{}; };
  if (std::ranges::none_of(stack->blocks, has_rules)) return;
  rebuilding.sentences.emplace_back("Drops the windows, positions and sinks of single blocks");
}

Status adopt(Rebuilding& rebuilding) {
  const KindInfo* wanted = rebuilding.wanted.kind;
  if (&info_of(rebuilding.document.model) == wanted) return ok_status();
  drop_block_rules(rebuilding);
  const bool needed = !wanted->is_embedded() && has_scores(rebuilding.before.model);
  if (needed && rebuilding.computed == nullptr) {
    AttentionProblem problem = make_problem(rebuilding.before);
    problem.most_influence_steps = 0;
    Result<ResultPtr> result = compute(problem);
    if (!result) return result.error();
    rebuilding.computed = *std::move(result);
  }
  std::ranges::find(kAdoptions, wanted, &Adoption::kind)->adopt(rebuilding);
  return ok_status();
}

// Returns the rearrangement of keys to the tokens of the queries, where equal tokens stay.
Rearrangement keys_as_queries(const Document& document) {
  const std::vector<std::string> texts = tokens_of(document, Side::Query).texts();
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
  std::vector<std::string>& sentences = rebuilding.sentences;
  const Rearrangement change = keys_as_queries(document);
  if (embeddings_of(std::as_const(document.model)) == nullptr) {
    rearrange_tensors(document, layout, Extent::Keys, change);
    if (!change.added.empty()) {
      sentences.emplace_back(
          "Drops keys that are not query tokens; generates numbers for queries that had no key");
    }
  }
  const Mask before = document.mask;
  rearrange_rules(document.mask, Side::Key, layout.n_k, change);
  if (before != document.mask) sentences.emplace_back("The mask follows the query tokens");
  layout.n_k = layout.n_q;
}

void make_self(Rebuilding& rebuilding) {
  Document& document = rebuilding.document;
  if (rebuilding.layout.n_q != rebuilding.layout.n_k) move_keys(rebuilding);
  if (Embeddings* embeddings = embeddings_of(document.model))
    embeddings->key = embeddings->value = {};
  document.cross = false;
  document.key_tokens.clear();
  rebuilding.sentences.emplace_back("The keys are now the query tokens");
}

}  // namespace

void keep_self_attention(Rebuilding& rebuilding) {
  Document& document = rebuilding.document;
  if (auto* given = std::get_if<GivenWeights>(&document.model)) {
    if (given->self.empty()) return void(given->encoder = {});  // the keys are dropped
    *given = {given->self, given->axes};
  } else {
    auto& model = std::get<BlockModel>(document.model);
    model.embeddings.key = {};
    for (TransformerBlock& block : model.stack.blocks) block.cross.reset();
  }
  document.mask = std::exchange(document.self_mask, {});
  document.cross = false;
  document.key_tokens.clear();
  rebuilding.at.attention = kSelfAttention;
  if (rebuilding.before.mask != Mask{}) {
    rebuilding.sentences.emplace_back("Dropped the mask of the cross-attention");
  }
}

// A kind of one sequence loses the second one before the conversion; other kinds change between one
// and two after it.
Status adopt_kind(Rebuilding& rebuilding) {
  Document& document = rebuilding.document;
  if (rebuilding.wanted.kind->sequences == 1 && document.cross) make_self(rebuilding);
  if (Status adopted = adopt(rebuilding); !adopted) return adopted;
  if (document.cross && !rebuilding.wanted.cross) make_self(rebuilding);
  if (!document.cross && rebuilding.wanted.cross) make_cross(rebuilding);
  return ok_status();
}

}  // namespace attn
