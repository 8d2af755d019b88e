// Random problems of every kind, and small ones written by hand.
#include "problems.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "engine/kernels/normalise.h"
#include "kinds/blocks/model.h"
#include "kinds/recurrent/model.h"

namespace attn::test {
namespace {

bool one_in(Random& random, std::size_t times) { return uniform(random, 1, times) == 1; }

BoolTensor random_flags(const Shape& shape, Random& random) {
  std::vector<std::uint8_t> flags(element_count(shape));
  for (std::uint8_t& flag : flags) flag = one_in(random, 4) ? 0 : 1;
  return BoolTensor(shape, std::move(flags));
}

// A shape that broadcasts to the scores: any rank, any axis of extent 1.
Shape broadcast_shape(const AttentionShape& s, Random& random) {
  Shape shape{s.samples, s.heads, s.n_q, s.n_k};
  for (std::size_t& extent : shape) extent = one_in(random, 3) ? 1 : extent;
  shape.erase(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(uniform(random, 0, 3)));
  return shape;
}

PaddingLists random_padding(std::size_t samples, std::size_t n, Random& random) {
  PaddingLists lists;
  const std::size_t count = one_in(random, 2) ? 1 : samples;
  for (std::size_t list = 0; list < count; ++list) {
    const BoolTensor flags = random_flags({n}, random);
    lists.emplace_back(flags.values().begin(), flags.values().end());
  }
  return lists;
}

void add_rules_of_place(const AttentionShape& s, Random& random, Mask& mask) {
  if (one_in(random, 4)) {
    Window window;
    if (!one_in(random, 3)) window.left = uniform(random, 0, 6);
    if (!one_in(random, 3)) window.right = uniform(random, 0, 6);
    if (one_in(random, 2)) window.dilation = uniform(random, 1, 3);
    mask.window = window;
    mask.sink_tokens = uniform(random, 0, 2);
  }
  if (one_in(random, 4)) {
    const std::size_t count = one_in(random, 2) ? 1 : s.samples;
    for (std::size_t i = 0; i < count; ++i) mask.prefix.push_back(uniform(random, 0, 5));
  }
  if (!one_in(random, 5)) return;
  const auto segments = [&](std::size_t n) {
    std::vector<std::int64_t> list;
    for (std::size_t i = 0; i < n; ++i) {
      list.push_back(static_cast<std::int64_t>(uniform(random, 0, 2)));
    }
    return list;
  };
  mask.query_segments = {segments(s.n_q)};
  if (s.n_q != s.n_k || one_in(random, 2)) mask.key_segments = {segments(s.n_k)};
}

void add_biases_of_place(const AttentionShape& s, Random& random, Mask& mask) {
  if (one_in(random, 4)) {
    mask.alibi.emplace();
    mask = with_slopes(std::move(mask), s.heads);
    if (one_in(random, 2)) mask.alibi = std::vector<float>{random.normal()};
  }
  if (!one_in(random, 4)) return;
  RelativeBias relative;
  relative.bidirectional = one_in(random, 2);
  relative.max_distance = uniform(random, 9, 30);
  const std::size_t columns = one_in(random, 2) ? 1 : s.heads;
  relative.table = random_tensor({2 * uniform(random, 2, 8), columns}, random);
  mask.relative = relative;
}

Mask random_mask(const AttentionShape& s, Random& random) {
  Mask mask;
  mask.causal = one_in(random, 3);
  if (one_in(random, 2)) {
    const std::size_t count = one_in(random, 2) ? 1 : s.samples;
    for (std::size_t sample = 0; sample < count; ++sample) {
      mask.causal_offset.push_back(static_cast<std::int64_t>(uniform(random, 0, 6)) - 3);
    }
  }
  if (one_in(random, 3)) mask.key_padding = random_padding(s.samples, s.n_k, random);
  if (one_in(random, 4)) mask.query_padding = random_padding(s.samples, s.n_q, random);
  if (one_in(random, 3)) mask.visible = random_flags(broadcast_shape(s, random), random);
  if (one_in(random, 3)) mask.bias = random_tensor(broadcast_shape(s, random), random);
  add_rules_of_place(s, random, mask);
  add_biases_of_place(s, random, mask);
  return mask;
}

bool takes_other_widths(ScoringFunction function) {
  return !scoring_info(function).needs_equal_widths;
}

template <class Row>
const Row& any_of(std::span<const Row> rows, Random& random) {
  return rows[uniform(random, 0, rows.size() - 1)];
}

// Sets any function with matrices for it, shared by the heads or one per head.
void set_function(AttentionProblem& problem, Random& random) {
  AttentionShape& s = problem.shape;
  Scoring& scoring = problem.scoring;
  scoring.function = any_of(all_scoring_functions(), random).function;
  if (takes_other_widths(scoring.function) && problem.kind == &kQkvProblems) {
    s.d_q = uniform(random, 1, 12);
    problem.q = random_tensor({s.samples, s.heads, s.n_q, s.d_q}, random);
  }
  AttentionShape widths = s;
  widths.d_a = uniform(random, 1, 9);
  for (const ScoringMatrixInfo& info : all_scoring_matrices()) {
    Shape shape = scoring_matrix_shape(scoring.function, info.tensor, widths);
    if (shape.empty() || (is_optional(info.tensor) && one_in(random, 2))) continue;
    if (one_in(random, 2)) shape.insert(shape.begin(), s.heads);
    scoring.*info.tensor = random_tensor(shape, random);
  }
  s.d_a = hidden_units(scoring);
}

void set_normaliser(AttentionProblem& problem, Random& random) {
  Scoring& scoring = problem.scoring;
  if (one_in(random, 2)) scoring.normaliser = any_of(all_normalisers(), random).normaliser;
  if (one_in(random, 4)) scoring.temperature = 0.25F + random.uniform() * 3.0F;
  if (scoring.normaliser != Normaliser::Softmax || !one_in(random, 4)) return;
  const std::size_t count = one_in(random, 2) ? 1 : problem.shape.heads;
  for (std::size_t i = 0; i < count; ++i) scoring.sinks.push_back(random.normal());
}

// Rotates some of the pairs of columns, with any scaling.
void set_rope(Position& position, std::size_t pairs, Random& random) {
  position.kind = PositionKind::Rope;
  position.rotary_dim = 2 * uniform(random, 1, pairs);
  position.scaling = any_of(all_rope_scalings(), random).scaling;
  position.factor = 1.0F + random.uniform() * 3.0F;
  const RopeScalingInfo& info = rope_scaling_info(position.scaling);
  if (info.has_original) position.original = uniform(random, 2, 200);
  if (info.high > 0.0F && one_in(random, 2)) {
    position.low = 0.5F + random.uniform();
    position.high = 2.0F + random.uniform() * 6.0F;
  }
  position.truncate = one_in(random, 2);
  for (std::size_t pair = 0; info.has_factors && pair < position.rotary_dim / 2; ++pair) {
    position.factors.push_back(1.0F + random.uniform() * 5.0F);
  }
  if (one_in(random, 4)) position.gain = 0.5F + random.uniform();
}

void set_position(AttentionProblem& problem, Random& random) {
  const AttentionShape& s = problem.shape;
  Position& position = problem.position;
  position.layout = one_in(random, 2) ? PositionLayout::Interleaved : PositionLayout::Halves;
  position.base = one_in(random, 2) ? 10000.0F : 100.0F;
  if (makes_projections(problem) && one_in(random, 3)) {
    position.kind = PositionKind::Sinusoidal;
    return;
  }
  const std::size_t pairs = std::min(query_columns(s), s.d_k) / 2;
  if (pairs == 0 || !one_in(random, 4)) return;
  set_rope(position, pairs, random);
}

// (in, out), scaled so that x·W is about as large as x.
Tensor random_projection(std::size_t in, std::size_t out, Random& random) {
  std::vector<float> values(in * out);
  for (float& value : values) value = random.normal() / std::sqrt(static_cast<float>(in));
  return Tensor({in, out}, std::move(values));
}

// Norms of queries and keys, of one head or of all.
void set_head_norms(Projections& by, const AttentionShape& s, bool queries, bool keys,
                    Random& random, bool together = false) {
  const auto weights = [&](std::size_t heads) {
    return random_tensor({(together ? heads : 1) * s.d_k}, random);
  };
  if (queries) by.q_norm = weights(s.heads);
  if (keys) by.k_norm = weights(s.kv_heads);
}

void set_embeddings(AttentionProblem& problem, Random& random) {
  AttentionShape& s = problem.shape;
  problem.kind = &kLayerProblems;
  s.d_model = uniform(random, 1, 12);
  const std::size_t key_width = uniform(random, 1, 12);
  const std::size_t value_width = uniform(random, 1, 12);
  problem.query_embeddings = random_tensor({s.samples, s.n_q, s.d_model}, random);
  problem.key_embeddings = random_tensor({s.samples, s.n_k, key_width}, random);
  problem.value_embeddings = random_tensor({s.samples, s.n_k, value_width}, random);
  s.key_width = key_width;
  s.value_width = value_width;
  Projections& by = problem.projections;
  by.w_q = random_projection(s.d_model, s.heads * s.d_k, random);
  by.w_k = random_projection(key_width, s.kv_heads * s.d_k, random);
  by.w_v = random_projection(value_width, s.kv_heads * s.d_v, random);
  if (one_in(random, 2)) by.b_q = random_tensor({s.heads * s.d_k}, random);
  if (one_in(random, 2)) by.b_k = random_tensor({s.kv_heads * s.d_k}, random);
  if (one_in(random, 2)) by.b_v = random_tensor({s.kv_heads * s.d_v}, random);
  set_head_norms(by, s, one_in(random, 4), one_in(random, 4), random);
  if (one_in(random, 3)) return;
  s.d_out = uniform(random, 1, 12);
  by.w_o = random_projection(s.heads * s.d_v, s.d_out, random);
  if (one_in(random, 2)) by.b_o = random_tensor({s.d_out}, random);
}

Norm random_norm(std::size_t width, Random& random) {
  Norm norm;
  norm.none = one_in(random, 8);
  if (norm.none) return norm;
  if (one_in(random, 2)) norm.weight = random_tensor({width}, random);
  if (one_in(random, 2)) norm.bias = random_tensor({width}, random);
  return norm;
}

constexpr NormOrder kOrders[] = {NormOrder::Post, NormOrder::Pre, NormOrder::Both,
                                 NormOrder::Branch};

// Rules of some blocks in place of those of all.
void set_block_rules(AttentionProblem& problem, Random& random) {
  const AttentionShape& s = problem.shape;
  const bool own_positions = !is_added(problem.position) && one_in(random, 2);
  for (TransformerBlock& block : problem.stack.blocks) {
    BlockRules& rules = block.rules;
    if (one_in(random, 3)) {
      Window& window = rules.window.emplace();
      if (!one_in(random, 3)) window.left = uniform(random, 0, 3);
      if (!one_in(random, 3)) window.right = uniform(random, 0, 3);
    }
    if (own_positions && one_in(random, 2)) rules.position.emplace();
    if (own_positions && s.d_k > 1 && one_in(random, 2)) {
      set_rope(rules.position.emplace(), s.d_k / 2, random);
    }
    if (one_in(random, 4)) rules.sinks.assign(one_in(random, 2) ? 1 : s.heads, random.normal());
  }
}

TransformerBlock random_block(const AttentionShape& s, Activation activation, Random& random) {
  TransformerBlock block;
  Projections& by = block.projections;
  by.w_q = random_projection(s.d_model, s.heads * s.d_k, random);
  by.w_k = random_projection(s.d_model, s.kv_heads * s.d_k, random);
  by.w_v = random_projection(s.d_model, s.kv_heads * s.d_v, random);
  by.w_o = random_projection(s.heads * s.d_v, s.d_model, random);
  if (one_in(random, 2)) by.b_o = random_tensor({s.d_model}, random);
  block.attention_norm = random_norm(s.d_model, random);
  block.feed_forward_norm = random_norm(s.d_model, random);
  block.attention_out_norm = random_norm(s.d_model, random);
  block.feed_forward_out_norm = random_norm(s.d_model, random);
  FeedForward& network = block.feed_forward;
  network.activation = activation;
  network.w_1 = random_projection(s.d_model, s.d_ff, random);
  if (activation_info(activation).gated) {
    network.w_gate = random_projection(s.d_model, s.d_ff, random);
    if (one_in(random, 2)) network.b_gate = random_tensor({s.d_ff}, random);
  }
  network.w_2 = random_projection(s.d_ff, s.d_model, random);
  if (one_in(random, 2)) network.b_1 = random_tensor({s.d_ff}, random);
  if (one_in(random, 2)) network.b_2 = random_tensor({s.d_model}, random);
  return block;
}

Tensor with_extremes(const Tensor& tensor, Random& random) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr std::array<float, 10> kExtremes{
      1e30F,    -1e30F,    1e-42F,     3.4e38F,
      -3.4e38F, kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN(),
      0.0F,     -0.0F};
  if (tensor.empty()) return tensor;
  std::vector<float> values(tensor.values().begin(), tensor.values().end());
  const std::size_t rarity = uniform(random, 5, 200);
  for (float& value : values) {
    if (one_in(random, rarity)) value = kExtremes[uniform(random, 0, kExtremes.size() - 1)];
  }
  return Tensor(tensor.shape(), std::move(values));
}

void set_extremes(Stack& stack, Random& random) {
  for (TransformerBlock& block : stack.blocks) {
    Projections& by = block.projections;
    FeedForward& network = block.feed_forward;
    Norm& norm = block.feed_forward_norm;
    std::vector<Tensor*> tensors{&by.w_q,      &by.w_k,         &by.w_v,
                                 &by.w_o,      &by.b_o,         &network.w_1,
                                 &network.b_1, &network.w_gate, &network.b_gate,
                                 &network.w_2, &network.b_2,    &block.attention_norm.weight,
                                 &norm.weight, &norm.bias,      &block.attention_out_norm.weight,
                                 &by.q_norm,   &by.k_norm};
    if (block.cross) {
      Projections& across = block.cross->projections;
      tensors.insert(tensors.end(), {&across.w_q, &across.w_k, &across.w_v, &across.w_o,
                                     &across.b_o, &block.cross->norm.weight});
    }
    for (Tensor* tensor : tensors) {
      if (one_in(random, 8)) *tensor = with_extremes(*tensor, random);
    }
  }
}

}  // namespace

Tensor random_tensor(const Shape& shape, Random& random) {
  std::vector<float> values(element_count(shape));
  for (float& value : values) value = random.normal();
  return Tensor(shape, std::move(values));
}

std::size_t uniform(Random& random, std::size_t low, std::size_t high) {
  return low + random.next() % (high - low + 1);
}

AttentionProblem qkv_problem(std::size_t samples, std::size_t heads, std::size_t n_q,
                             std::size_t n_k, std::size_t d, std::uint64_t seed,
                             std::size_t kv_heads) {
  if (kv_heads == 0) kv_heads = heads;
  Random random(seed);
  AttentionProblem problem;
  problem.shape = {1, samples, heads, kv_heads, n_q, n_k, d, d, 0, 0};
  problem.q = random_tensor({samples, heads, n_q, d}, random);
  problem.k = random_tensor({samples, kv_heads, n_k, d}, random);
  problem.v = random_tensor({samples, kv_heads, n_k, d}, random);
  return problem;
}

AttentionProblem random_problem(std::uint64_t seed) {
  Random random(seed);
  const std::size_t kv_heads = uniform(random, 1, 3);
  AttentionProblem problem =
      qkv_problem(uniform(random, 1, 3), kv_heads * uniform(random, 1, 3), uniform(random, 1, 20),
                  uniform(random, 1, 20), uniform(random, 1, 12), random.next(), kv_heads);
  AttentionShape& s = problem.shape;
  s.d_v = uniform(random, 1, 12);
  problem.v = random_tensor({s.samples, s.kv_heads, s.n_k, s.d_v}, random);
  if (one_in(random, 3)) problem.scoring.scale = random.normal();
  if (one_in(random, 3)) problem.scoring.softcap = 0.5F + random.uniform() * 4.0F;
  problem.mask = random_mask(s, random);
  if (one_in(random, 3)) {
    problem.q = problem.k = problem.v = Tensor();
    set_embeddings(problem, random);
  }
  if (one_in(random, 2)) set_function(problem, random);
  set_normaliser(problem, random);
  set_position(problem, random);
  return problem;
}

AttentionProblem layers_problem(std::uint64_t seed) {
  AttentionProblem problem = random_problem(seed);
  for (std::uint64_t other = seed; problem.kind != &kQkvProblems;) {
    other = mix(other, 6);
    problem = random_problem(other);
  }
  Random random(mix(seed, 7));
  problem.shape.layers = uniform(random, 2, 3);
  for (Tensor* tensor : {&problem.q, &problem.k, &problem.v}) {
    Shape shape = tensor->shape();
    shape.insert(shape.begin(), problem.shape.layers);
    *tensor = random_tensor(shape, random);
  }
  if (one_in(random, 4)) {
    problem.v = Tensor();
    problem.shape.d_v = 0;
  }
  return problem;
}

AttentionProblem stack_problem(std::uint64_t seed) {
  Random random(seed);
  const std::size_t kv_heads = uniform(random, 1, 2);
  const std::size_t n = uniform(random, 1, 9);
  AttentionProblem problem = qkv_problem(uniform(random, 1, 2), kv_heads * uniform(random, 1, 2), n,
                                         n, uniform(random, 1, 6), random.next(), kv_heads);
  problem.kind = &kBlockProblems;
  problem.q = problem.k = problem.v = Tensor();
  AttentionShape& s = problem.shape;
  s.layers = uniform(random, 1, 3);
  s.d_model = s.d_out = uniform(random, 1, 10);
  s.d_ff = uniform(random, 1, 12);
  problem.query_embeddings = random_tensor({s.samples, n, s.d_model}, random);
  problem.key_embeddings = problem.value_embeddings = problem.query_embeddings;
  Stack& stack = problem.stack;
  stack.order = kOrders[uniform(random, 0, 3)];
  stack.parallel = stack.order != NormOrder::Post && one_in(random, 3);
  if (one_in(random, 3)) stack.weight_offset = 1.0F;
  if (one_in(random, 3)) stack.embedding_norm = random_norm(s.d_model, random);
  stack.norm = one_in(random, 2) ? NormKind::Layer : NormKind::Rms;
  const Activation activation = any_of(all_activations(), random).activation;
  const bool queries = one_in(random, 3), keys = one_in(random, 3), together = one_in(random, 2);
  for (std::size_t layer = 0; layer < s.layers; ++layer) {
    stack.blocks.push_back(random_block(s, activation, random));
    set_head_norms(stack.blocks.back().projections, s, queries, keys, random, together);
  }
  if (one_in(random, 2)) stack.final_norm = random_norm(s.d_model, random);
  problem.mask.causal = one_in(random, 2);
  set_position(problem, random);
  set_block_rules(problem, random);
  return problem;
}

AttentionProblem decoder_problem(std::uint64_t seed) {
  AttentionProblem problem = stack_problem(seed);
  Random random(mix(seed, 3));
  AttentionShape& s = problem.shape;
  problem.self_mask = random_mask(s, random);
  s.n_k = uniform(random, 1, 9);
  s.key_width = uniform(random, 1, 10);
  problem.mask = random_mask(s, random);
  problem.key_embeddings = random_tensor({s.samples, s.n_k, s.key_width}, random);
  problem.value_embeddings = problem.key_embeddings;
  const bool queries = one_in(random, 3), keys = one_in(random, 3);
  for (TransformerBlock& block : problem.stack.blocks) {
    CrossAttention& cross = block.cross.emplace();
    set_head_norms(cross.projections, s, queries, keys, random);
    cross.out_norm = random_norm(s.d_model, random);
    Projections& by = cross.projections;
    by.w_q = random_projection(s.d_model, s.heads * s.d_k, random);
    by.w_k = random_projection(s.key_width, s.kv_heads * s.d_k, random);
    by.w_v = random_projection(s.key_width, s.kv_heads * s.d_v, random);
    by.w_o = random_projection(s.heads * s.d_v, s.d_model, random);
    if (one_in(random, 2)) by.b_k = random_tensor({s.kv_heads * s.d_k}, random);
    if (one_in(random, 2)) by.b_o = random_tensor({s.d_model}, random);
    cross.norm = random_norm(s.d_model, random);
  }
  return problem;
}

AttentionProblem recurrent_problem(std::uint64_t seed) {
  Random random(seed);
  AttentionProblem problem;
  problem.kind = &kRecurrentProblems;
  RecurrentWidths widths;
  widths.cell = one_in(random, 2) ? CellKind::Gru : CellKind::Lstm;
  widths.asks = one_in(random, 2) ? QueryState::Previous : QueryState::Current;
  widths.d_source = uniform(random, 1, 4);
  widths.d_target = uniform(random, 1, 4);
  widths.encoder = uniform(random, 1, 4);
  widths.backward = one_in(random, 2) ? uniform(random, 1, 3) : 0;
  widths.decoder = uniform(random, 1, 4);
  widths.d_out = one_in(random, 3) ? 0 : uniform(random, 1, 4);
  problem.recurrent.cell = widths.cell;
  problem.recurrent.asks = widths.asks;
  for (const RecurrentTensorInfo& info : all_recurrent_tensors()) {
    const Shape shape = recurrent_shape(info, widths);
    const bool left_out = may_be_absent(info, widths) && one_in(random, 2);
    if (shape.empty() || left_out) continue;
    info.write(problem.recurrent) = shape.size() == 2
                                        ? random_projection(shape[0], shape[1], random)
                                        : random_tensor(shape, random);
  }
  if (problem.recurrent.w_initial.empty()) problem.recurrent.b_initial = Tensor();
  AttentionShape& s = problem.shape;
  s.samples = uniform(random, 1, 2);
  s.n_q = uniform(random, 1, 4);
  s.n_k = uniform(random, 1, 5);
  s.d_model = widths.d_target;
  s.key_width = widths.d_source;
  s.d_k = s.d_v = widths.encoder_width();
  s.d_q = widths.decoder;
  s.d_out = widths.d_out;
  problem.query_embeddings = random_tensor({s.samples, s.n_q, widths.d_target}, random);
  problem.key_embeddings = random_tensor({s.samples, s.n_k, widths.d_source}, random);
  problem.value_embeddings = problem.key_embeddings;
  do {
    problem.scoring = {};
    set_function(problem, random);
  } while (s.d_q != s.d_k && !takes_other_widths(problem.scoring.function));
  set_normaliser(problem, random);
  if (one_in(random, 3)) problem.mask.key_padding = random_padding(s.samples, s.n_k, random);
  if (one_in(random, 3)) problem.mask.causal = true;
  return problem;
}

AttentionProblem float_problem(std::uint64_t seed) {
  Random random(seed);
  AttentionProblem problem = qkv_problem(uniform(random, 1, 2), 2, uniform(random, 70, 100),
                                         uniform(random, 100, 140), 40, seed);
  problem.mask = random_mask(problem.shape, random);
  set_normaliser(problem, random);
  if (one_in(random, 4)) problem.scoring.softcap = 2.0F;
  return problem;
}

AttentionProblem extreme_problem(std::uint64_t seed) {
  AttentionProblem problem = random_problem(seed);
  Random random(mix(seed, 1));
  for (Tensor* tensor : {&problem.q, &problem.k, &problem.v, &problem.query_embeddings,
                         &problem.value_embeddings, &problem.mask.bias}) {
    *tensor = with_extremes(*tensor, random);
  }
  return problem;
}

AttentionProblem extreme_stack_problem(std::uint64_t seed) {
  AttentionProblem problem = stack_problem(seed);
  Random random(mix(seed, 2));
  const AttentionShape& s = problem.shape;
  if (one_in(random, 2)) problem.mask.key_padding = random_padding(s.samples, s.n_k, random);
  if (one_in(random, 2)) problem.query_embeddings = with_extremes(problem.query_embeddings, random);
  problem.key_embeddings = problem.value_embeddings = problem.query_embeddings;
  set_extremes(problem.stack, random);
  return problem;
}

AttentionProblem extreme_decoder_problem(std::uint64_t seed) {
  AttentionProblem problem = decoder_problem(seed);
  Random random(mix(seed, 4));
  if (one_in(random, 2)) problem.query_embeddings = with_extremes(problem.query_embeddings, random);
  if (one_in(random, 2)) problem.key_embeddings = with_extremes(problem.key_embeddings, random);
  problem.value_embeddings = problem.key_embeddings;
  set_extremes(problem.stack, random);
  return problem;
}

AttentionProblem weights_problem(const Shape& shape, std::vector<float> values) {
  AttentionProblem problem;
  problem.kind = &kWeightsProblems;
  problem.shape = {shape[0], shape[1], shape[2], shape[2], shape[3], shape[4], 0, 0, 0, 0};
  problem.weights = Tensor(shape, std::move(values));
  return problem;
}

AttentionProblem several_weights_problem(std::uint64_t seed) {
  Random random(mix(seed, 5));
  const std::size_t layers = uniform(random, 1, 3), samples = uniform(random, 1, 2),
                    heads = uniform(random, 1, 3);
  const std::size_t n_q = uniform(random, 1, 6), n_k = uniform(random, 1, 6);
  const auto given = [&](std::size_t rows, std::size_t cols) {
    Shape shape{layers, samples, heads, rows, cols};
    std::vector<float> values(element_count(shape));
    for (float& value : values) value = random.normal();
    return Tensor(std::move(shape), std::move(values));
  };
  const Tensor across = given(n_q, n_k);
  AttentionProblem problem =
      weights_problem(across.shape(), {across.values().begin(), across.values().end()});
  problem.cross = true;
  if (seed % 3 != 0) problem.self_weights = given(n_q, n_q);
  if (seed % 3 != 1) problem.encoder_weights = given(n_k, n_k);
  problem.self_mask.causal = one_in(random, 2);
  problem.encoder_mask.key_padding = random_padding(samples, n_k, random);
  return problem;
}

ResultPtr computed(const AttentionProblem& problem, unsigned threads) {
  ComputeOptions options;
  options.threads = threads;
  const Result<ResultPtr> result = compute(problem, options);
  if (!result) {
    ADD_FAILURE() << describe(result.error());
    std::abort();
  }
  return *result;
}

std::vector<float> cells(const AttentionResult& result, Stage stage, const HeadAddress& head) {
  const StageShape shape = result.stage_shape(stage, head);
  std::vector<float> out(shape.rows * shape.cols);
  result.read(stage, head, {0, 0, shape.rows, shape.cols}, out.data());
  return out;
}

std::vector<HeadAddress> heads_of(const AttentionShape& shape, std::size_t attention) {
  std::vector<HeadAddress> heads;
  for (std::size_t layer = 0; layer < shape.layers; ++layer) {
    for (std::size_t sample = 0; sample < shape.samples; ++sample) {
      for (std::size_t head = 0; head < shape.heads; ++head) {
        heads.push_back({layer, sample, head, attention});
      }
    }
  }
  return heads;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    if (std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i])) return false;
  }
  return true;
}

void softmax_row(std::span<const float> masked, std::span<const HiddenRules> rules,
                 std::span<float> weights, float sink) {
  Scoring scoring;
  if (!std::isnan(sink)) scoring.sinks = {sink};
  normalise_row(scoring, 0, masked, rules, weights);
}

}  // namespace attn::test
