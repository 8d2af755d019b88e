// Makes documents of every form for tests.
#include "documents.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "document/edit.h"
#include "document/problem.h"
#include "support/other_options.h"

namespace attn::test {
namespace {

bool coin(Random& random) { return random.next() % 2 == 0; }

template <class Row>
const Row& any_of(std::span<const Row> rows, Random& random) {
  return rows[between(random, 0, rows.size() - 1)];
}

// Any options, with a head that the document has.
View random_view(Random& random, const Document& document) {
  View view;
  view.plot = "dimensions";
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    if (!coin(random)) continue;
    EXPECT_TRUE(field.set(view.options, another_value(field), Spelling::Field)) << field.name;
  }
  view.options.at = nearest_head(document, {between(random, 0, 2), between(random, 0, 2),
                                            between(random, 0, 3), between(random, 0, 2)});
  return view;
}

// Numbers panes and splits as a reader does.
Layout random_layout(Random& random, const Document& document, PaneId& last, int levels) {
  const PaneId id = ++last;
  if (levels == 0 || coin(random)) return Pane{id, random_view(random, document), coin(random)};
  Split split{id, coin(random) ? SplitDirection::Right : SplitDirection::Down, {}};
  for (const double share : {0.25, 0.75}) {
    split.parts.push_back({share, random_layout(random, document, last, levels - 1)});
  }
  return split;
}

Panes random_panes(Random& random, const Document& document) {
  PaneId last = 0;
  Panes panes{random_layout(random, document, last, 2)};
  const std::vector<const Pane*> all = panes_of(std::as_const(panes.layout));
  panes.focus = all[between(random, 0, all.size() - 1)]->id;
  panes.maximised = all.size() > 1 && coin(random);
  return panes;
}

float awkward(Random& random) {
  using Limits = std::numeric_limits<float>;
  switch (random.next() % 24) {
    case 0:
      return -0.0F;
    case 1:
      return Limits::denorm_min();
    case 2:
      return -Limits::min() / 3;
    case 3:
      return Limits::quiet_NaN();
    case 4:
      return Limits::infinity();
    case 5:
      return -Limits::infinity();
    case 6:
      return Limits::max();
    case 7:
      return static_cast<float>(random.next() % 5);
    default:
      return random.normal();
  }
}

Tensor tensor(Random& random, const Shape& shape) {
  std::vector<float> values(element_count(shape));
  for (float& value : values) value = awkward(random);
  return Tensor(shape, std::move(values));
}

BoolTensor flags(Random& random, const Shape& shape) {
  std::vector<std::uint8_t> values(element_count(shape));
  for (std::uint8_t& value : values) value = coin(random) ? 1 : 0;
  return BoolTensor(shape, std::move(values));
}

Shape with_leading(const Shape& leading, Shape matrix) {
  matrix.insert(matrix.begin(), leading.begin(), leading.end());
  return matrix;
}

Model qkv(Random& random, bool cross) {
  const std::size_t n_q = between(random, 1, 4);
  const std::size_t n_k = cross ? between(random, 1, 4) : n_q;
  const std::size_t d_k = between(random, 1, 3);
  const std::size_t d_v = between(random, 1, 3);
  const std::size_t kv_heads = between(random, 1, 2);
  const std::size_t heads = kv_heads * between(random, 1, 3);
  const std::size_t layers = between(random, 1, 3), samples = between(random, 1, 3);
  std::vector<Extent> outer;
  for (const Extent axis : kQkvOuterAxes) {
    if (coin(random)) outer.push_back(axis);
  }
  const auto leading = [&](std::size_t head_count) {
    Shape shape;
    for (const Extent axis : outer) {
      shape.push_back(axis == Extent::Layers    ? layers
                      : axis == Extent::Samples ? samples
                                                : head_count);
    }
    return shape;
  };
  GivenQkv made{tensor(random, with_leading(leading(heads), {n_q, d_k})),
                tensor(random, with_leading(leading(kv_heads), {n_k, d_k})),
                tensor(random, with_leading(leading(kv_heads), {n_k, d_v}))};
  if (random.next() % 4 == 0) made.v = Tensor();
  made.name_axes(outer);
  return made;
}

Norm norm(Random& random, std::size_t width) {
  Norm made;
  made.none = between(random, 0, 5) == 0;
  if (made.none) return made;
  if (coin(random)) made.weight = tensor(random, {width});
  if (coin(random)) made.bias = tensor(random, {width});
  return made;
}

// The single layer as two blocks of equal extents.
Stack stacked(Random& random, const AttentionLayer& layer, std::size_t concat_width) {
  const std::size_t width = layer.embeddings.query.shape().back();
  const std::size_t d_ff = between(random, 1, 3);
  Stack stack;
  constexpr NormOrder kOrders[] = {NormOrder::Post, NormOrder::Pre, NormOrder::Both,
                                   NormOrder::Branch};
  stack.order = kOrders[between(random, 0, 3)];
  stack.parallel = stack.order != NormOrder::Post && coin(random);
  if (coin(random)) stack.weight_offset = 1.0F;
  if (coin(random)) stack.embedding_norm = norm(random, width);
  if (stack.embedding_norm) stack.embedding_norm->none = false;
  stack.norm = coin(random) ? NormKind::Rms : NormKind::Layer;
  stack.eps = 0.001F;
  if (coin(random)) stack.dropout = 0.1F;
  if (coin(random)) stack.final_norm = norm(random, width);
  if (stack.final_norm) stack.final_norm->none = false;
  const Activation activation = any_of(all_activations(), random).activation;
  for (int block_count = 0; block_count < 2; ++block_count) {
    TransformerBlock block;
    block.projections = layer.projections;
    block.projections.w_o = tensor(random, {concat_width, width});
    if (stack.order != NormOrder::Branch) {
      block.attention_norm = norm(random, width);
      block.feed_forward_norm = norm(random, width);
    }
    if (norms_outputs(stack.order)) {
      block.attention_out_norm = norm(random, width);
      block.feed_forward_out_norm = norm(random, width);
    }
    FeedForward& network = block.feed_forward;
    network.activation = activation;
    network.w_1 = tensor(random, {width, d_ff});
    network.w_2 = tensor(random, {d_ff, width});
    if (coin(random)) network.b_1 = tensor(random, {d_ff});
    if (coin(random)) network.b_2 = tensor(random, {width});
    const bool gated = activation_info(activation).gated;
    if (gated) network.w_gate = tensor(random, {width, d_ff});
    if (gated && coin(random)) network.b_gate = tensor(random, {d_ff});
    if (coin(random)) block.rules.window = Window{between(random, 0, 3), std::nullopt, 1};
    stack.blocks.push_back(std::move(block));
  }
  return stack;
}

// Makes the blocks a decoder's.
void attend_across(Random& random, const Embeddings& embeddings, Stack& stack) {
  const std::size_t key_width = embeddings.key.shape().back();
  for (TransformerBlock& block : stack.blocks) {
    CrossAttention& cross = block.cross.emplace();
    cross.projections = block.projections;
    for (Tensor* matrix : {&cross.projections.w_k, &cross.projections.w_v}) {
      *matrix = tensor(random, {key_width, matrix->extent(1)});
    }
    if (coin(random)) cross.out_norm.none = true;
    if (coin(random)) cross.norm.bias = tensor(random, {embeddings.query.shape().back()});
  }
}

Model embeddings(Random& random, bool cross) {
  const std::size_t n_q = between(random, 1, 4);
  const std::size_t n_k = cross ? between(random, 1, 4) : n_q;
  const std::size_t kv_heads = between(random, 1, 2);
  const std::size_t d_k = between(random, 1, 2);
  const std::size_t d_v = between(random, 1, 2);
  const std::size_t width = between(random, 1, 4);
  const Shape leading = coin(random) ? Shape{between(random, 1, 3)} : Shape{};
  AttentionLayer input;
  Embeddings& x = input.embeddings;
  input.heads = kv_heads * between(random, 1, 3);
  x.query = tensor(random, with_leading(leading, {n_q, width}));
  if (cross || coin(random)) x.key = tensor(random, with_leading(leading, {n_k, width + 1}));
  if (random.next() % 4 == 0) x.value = tensor(random, with_leading(leading, {n_k, width + 2}));
  const std::size_t key_width = x.key.empty() ? width : width + 1;
  const std::size_t value_width = x.value.empty() ? key_width : width + 2;
  Projections& p = input.projections;
  p.w_q = tensor(random, {width, input.heads * d_k});
  p.w_k = tensor(random, {key_width, kv_heads * d_k});
  p.w_v = tensor(random, {value_width, kv_heads * d_v});
  if (coin(random)) p.b_q = tensor(random, {input.heads * d_k});
  if (coin(random)) p.b_k = tensor(random, {kv_heads * d_k});
  if (coin(random)) p.b_v = tensor(random, {kv_heads * d_v});
  if (coin(random)) p.q_norm = tensor(random, {coin(random) ? d_k : input.heads * d_k});
  if (coin(random)) p.k_norm = tensor(random, {coin(random) ? d_k : kv_heads * d_k});
  if (coin(random)) p.w_o = tensor(random, {input.heads * d_v, width});
  if (!p.w_o.empty() && coin(random)) p.b_o = tensor(random, {width});
  if (!cross && x.key.empty() && x.value.empty()) {
    return BlockModel{x, input.heads, stacked(random, input, input.heads * d_v)};
  }
  if (cross && x.value.empty() && coin(random)) {
    p.w_k = tensor(random, {width, kv_heads * d_k});
    p.w_v = tensor(random, {width, kv_heads * d_v});
    Stack stack = stacked(random, input, input.heads * d_v);
    attend_across(random, x, stack);
    return BlockModel{x, input.heads, std::move(stack)};
  }
  return input;
}

Model recurrent(Random& random, bool cross) {
  RecurrentModel made;
  RecurrentWidths widths;
  widths.cell = made.recurrent.cell = any_of(all_cells(), random).kind;
  widths.asks = made.recurrent.asks = any_of(all_query_states(), random).asks;
  widths.d_target = between(random, 1, 3);
  widths.d_source = cross ? between(random, 1, 3) : widths.d_target;
  widths.encoder = between(random, 1, 2);
  widths.backward = coin(random) ? 0 : between(random, 1, 2);
  widths.decoder = coin(random) ? widths.encoder_width() : between(random, 1, 3);
  widths.d_out = between(random, 0, 2);
  const Shape leading = coin(random) ? Shape{between(random, 1, 3)} : Shape{};
  const auto rows = [&](std::size_t width) {
    return tensor(random, with_leading(leading, {between(random, 1, 4), width}));
  };
  made.embeddings.query = rows(widths.d_target);
  if (cross) made.embeddings.key = rows(widths.d_source);
  for (const RecurrentTensorInfo& info : all_recurrent_tensors()) {
    const Shape shape = recurrent_shape(info, widths);
    const bool begins_alone = info.name == "b_initial" && made.recurrent.w_initial.empty();
    if (shape.empty() || begins_alone) continue;
    if (may_be_absent(info, widths) && coin(random)) continue;
    info.write(made.recurrent) = tensor(random, shape);
  }
  return made;
}

Model weights(Random& random, bool cross) {
  GivenWeights input;
  Shape shape;
  for (const Extent axis : {Extent::Layers, Extent::Samples, Extent::Heads}) {
    if (coin(random)) continue;
    input.axes.push_back(axis);
    shape.push_back(between(random, 1, 3));
  }
  input.axes.push_back(Extent::Queries);
  input.axes.push_back(Extent::Keys);
  shape.push_back(between(random, 1, 4));
  shape.push_back(cross ? between(random, 1, 4) : shape.back());
  input.weights = tensor(random, shape);
  const auto of_one_sequence = [&](std::size_t n) {
    std::fill(shape.end() - 2, shape.end(), n);
    return tensor(random, shape);
  };
  if (cross && coin(random)) input.self = of_one_sequence(input.weights.shape().rbegin()[1]);
  if (cross && coin(random)) input.encoder = of_one_sequence(input.weights.shape().back());
  return input;
}

TokenLists tokens(Random& random, std::size_t samples, std::size_t n) {
  const std::string pool[] = {"I", "love", " cats", "我", "爱", "", "\"", "\\", "\n", "😀", "\x01"};
  TokenLists lists(coin(random) ? samples : 1);
  const std::size_t unnamed = random.next() % 3;  // of four tokens
  for (TokenList& list : lists) {
    std::vector<TokenName> names;
    for (std::size_t i = 0; i < n; ++i) {
      if (random.next() % 4 >= unnamed) names.push_back({i, pool[random.next() % std::size(pool)]});
    }
    list = TokenList::counted(n, std::move(names));
  }
  return lists;
}

PaddingLists padding(Random& random, std::size_t samples, std::size_t n) {
  PaddingLists lists(coin(random) ? samples : 1);
  for (auto& list : lists) {
    for (std::size_t i = 0; i < n; ++i) list.push_back(coin(random) ? 1 : 0);
  }
  return lists;
}

std::vector<std::int64_t> segments(Random& random, std::size_t n) {
  std::vector<std::int64_t> list;
  for (std::size_t i = 0; i < n; ++i) list.push_back(static_cast<std::int64_t>(random.next() % 3));
  return list;
}

Shape broadcast_shape(Random& random, const AttentionShape& s) {
  Shape shape{s.samples, s.heads, s.n_q, s.n_k};
  for (std::size_t& extent : shape) extent = coin(random) ? 1 : extent;
  shape.erase(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(between(random, 0, 3)));
  return shape;
}

Mask mask(Random& random, const AttentionShape& s) {
  Mask made;
  made.causal = coin(random);
  if (coin(random)) made.causal_offset = {-3};
  if (coin(random)) made.causal_offset.assign(s.samples, 2);
  if (coin(random)) made.key_padding = padding(random, s.samples, s.n_k);
  if (coin(random)) made.query_padding = padding(random, s.samples, s.n_q);
  if (coin(random)) made.visible = flags(random, broadcast_shape(random, s));
  if (coin(random)) made.bias = tensor(random, broadcast_shape(random, s));
  if (coin(random)) made.window = Window{between(random, 0, 3), std::nullopt, 1};
  if (made.window && coin(random)) made.window->dilation = 3;
  if (coin(random)) made.prefix.assign(coin(random) ? 1 : s.samples, 2);
  if (coin(random)) made.sink_tokens = 1;
  if (coin(random)) made.alibi = std::vector<float>(coin(random) ? 0 : s.heads, 0.25F);
  if (coin(random)) made.query_segments = {segments(random, s.n_q)};
  if (!made.query_segments.empty() && (s.n_q != s.n_k || coin(random))) {
    made.key_segments = {segments(random, s.n_k)};
  }
  if (coin(random)) {
    made.relative = RelativeBias{tensor(random, {4, coin(random) ? 1 : s.heads}), coin(random), 9};
  }
  return made;
}

Scoring scoring(Random& random, const Document& document, const AttentionShape& s) {
  Scoring made;
  if (coin(random)) made.scale = random.normal();
  if (coin(random)) made.softcap = 30.5F;
  if (coin(random)) made.temperature = 0.1F;
  if (coin(random)) made.normaliser = any_of(all_normalisers(), random).normaliser;
  if (made.normaliser == Normaliser::Softmax && coin(random)) made.sinks = {0.5F};
  if (std::holds_alternative<GivenWeights>(document.model)) return made;
  do {
    made.function = any_of(all_scoring_functions(), random).function;
  } while (scoring_info(made.function).needs_equal_widths && query_columns(s) != s.d_k);
  AttentionShape widths = s;
  widths.d_a = between(random, 1, 3);
  for (const ScoringMatrixInfo& info : all_scoring_matrices()) {
    Shape shape = scoring_matrix_shape(made.function, info.tensor, widths);
    if (shape.empty() || (is_optional(info.tensor) && coin(random))) continue;
    if (coin(random)) shape.insert(shape.begin(), s.heads);
    made.*info.tensor = tensor(random, shape);
  }
  return made;
}

void set_rope(Random& random, Position& made, std::size_t d_k) {
  made.kind = PositionKind::Rope;
  if (coin(random)) made.rotary_dim = 2;
  const RopeScalingInfo& info = any_of(all_rope_scalings(), random);
  made.scaling = info.scaling;
  if (info.has_factor) made.factor = 2.5F;
  if (info.has_original) made.original = between(random, 2, 9);
  if (info.high > 0.0F && coin(random)) made.low = 0.5F;
  if (info.high > 0.0F && coin(random)) made.high = 9.5F;
  if (coin(random)) made.gain = 1.25F;
  made.truncate = made.scaling != RopeScaling::Yarn || coin(random);
  if (!info.has_factors) return;
  made.factors.assign(rotary_width(made, d_k) / 2, 1.5F);
  if (coin(random)) made.short_factors = made.factors;
}

// Positions and sinks of some blocks in place of those of the document.
void set_block_rules(Random& random, Document& document) {
  Stack* stack = stack_of(document.model);
  if (stack == nullptr) return;
  const AttentionShape shape = scored_shape(document);
  for (TransformerBlock& block : stack->blocks) {
    const bool takes_sinks = document.scoring.normaliser == Normaliser::Softmax;
    if (takes_sinks && coin(random)) block.rules.sinks.assign(shape.heads, 0.5F);
    if (is_added(document.position) || coin(random)) continue;
    Position& own = block.rules.position.emplace();
    if (shape.d_k % 2 == 0 && coin(random)) set_rope(random, own, shape.d_k);
  }
}

Position position(Random& random, const Document& document, const AttentionShape& s) {
  Position made;
  if (std::holds_alternative<GivenWeights>(document.model) || coin(random)) return made;
  if (!info_of(document.model).no_positions.empty()) return made;
  made.layout = coin(random) ? PositionLayout::Halves : PositionLayout::Interleaved;
  made.base = 500.0F;
  if (s.d_k % 2 == 0 && coin(random)) {
    made.kind = PositionKind::Rope;
    set_rope(random, made, s.d_k);
    return made;
  }
  if (embeddings_of(document.model) == nullptr) return Position{};
  made.kind = PositionKind::Sinusoidal;
  if (coin(random) || s.key_width != 0 || s.value_width != 0) return made;
  made = Position{};
  made.kind = PositionKind::Learned;
  made.table = tensor(random, {9, s.d_model});
  return made;
}

}  // namespace

Reading read_ok(const std::string& json) {
  Result<Reading> report = read_document(json, "test.json");
  if (report) return *std::move(report);
  ADD_FAILURE() << describe_in_full(report.error()) << json.substr(0, 400);
  return {};
}

Error read_error(const std::string& json) {
  const Result<Reading> report = read_document(json, "test.json");
  if (!report) return report.error();
  ADD_FAILURE() << "accepted: " << report->reading << "\n" << json.substr(0, 400);
  return {};
}

std::size_t between(Random& random, std::size_t low, std::size_t high) {
  return low + random.next() % (high - low + 1);
}

namespace {

std::vector<LessonStep> random_lesson(Random& random, const Document& document) {
  std::vector<LessonStep> steps(between(random, 1, 3));
  for (LessonStep& step : steps) {
    step.text = coin(random) ? "One line" : "Two lines,\n\nor {weights[1, 1]:%}";
    if (coin(random)) step.page_text = "On a page {weights[1, 2]:%}";
    if (coin(random)) step.edit = R"({"mask": {"causal": true}, "title": "a \"}]\" b"})";
    if (coin(random)) step.panes = random_panes(random, document);
    if (coin(random)) step.pins = {"weights[1, 1]", "scores[1, 2]"};
    if (coin(random)) step.input = "/q/0/1";
    if (coin(random)) step.ask = {"weights[\"a\", :]"};
    if (coin(random)) step.after = "So it is.";
  }
  return steps;
}

FeatureNames random_feature_names(Random& random, const AttentionShape& shape) {
  FeatureNames names;
  for (const FeatureAxisInfo& info : all_feature_axes()) {
    const std::size_t count = shape.*info.count;
    for (std::size_t i = 0; i < count; ++i) {
      if (coin(random)) names.rename(info.axis, i, coin(random) ? "Ġ\"\n猫" : std::to_string(i));
    }
  }
  return names;
}

// Sets the title and the other texts of a document about itself.
void describe_at_random(Random& random, Document& document) {
  const auto say = [&](const char* key, std::string& text, const char* words) {
    if (coin(random)) text = words;
    if (text.empty() && coin(random)) document.kept.empty.emplace_back(key);
  };
  say("title", document.title, "A \"title\"\twith\nodd characters \x7f 标题");
  say("description", document.description, "What to look at.\nAnd where.");
  say("source", document.source, "A paper");
  if (coin(random)) document.reference = coin(random) ? "example:four-heads" : "../other.attn.json";
  if (coin(random)) document.kept.schema = "../mine.schema.json";
}

// Settings that have no effect on such a document.
void keep_at_random(Random& random, Document& document) {
  if (stack_of(document.model) == nullptr && coin(random)) {
    document.kept.stack.order = NormOrder::Pre;
    document.kept.stack.dropout = coin(random) ? 0.5F : 0.0F;
  }
  const bool has_units = has_scores(document.model) && has_hidden_units(document.scoring.function);
  if (!has_units && coin(random)) document.kept.d_a = 5;
}

}  // namespace

Document random_document(std::uint64_t seed) {
  Random random(seed);
  Document document;
  document.cross = coin(random);
  switch (random.next() % 4) {
    case 0:
      document.model = qkv(random, document.cross);
      break;
    case 1:
      document.model = embeddings(random, document.cross);
      break;
    case 2:
      document.model = recurrent(random, document.cross);
      break;
    default:
      document.model = weights(random, document.cross);
  }
  const AttentionShape shape = shape_of(document);
  document.query_tokens = tokens(random, shape.samples, shape.n_q);
  if (document.cross) document.key_tokens = tokens(random, shape.samples, shape.n_k);
  document.mask = mask(random, shape);
  const AttentionShape own = shape_of(document, {.attention = kSelfAttention});
  for (const MaskPlace& place : masks_of(document).subspan(1)) {
    document.*place.mask = mask(random, shape_of(document, place.at));
  }
  document.position = position(random, document, own);
  document.scoring = scoring(random, document, scored_shape(document));
  set_block_rules(random, document);
  if (document.position.kind == PositionKind::Learned) {
    mask_of(document, {.attention = kSelfAttention}).causal_offset.clear();
  }
  if (coin(random)) document.features = random_feature_names(random, shape);
  const std::uint64_t first = between(random, 0, 40);
  for (std::size_t layer = 0; coin(random) && layer < shape.layers; ++layer) {
    document.layer_numbers.push_back(first + 4 * (shape.layers - layer));
  }
  if (document.layer_numbers.size() < shape.layers) document.layer_numbers.clear();
  describe_at_random(random, document);
  keep_at_random(random, document);
  if (coin(random)) document.panes = random_panes(random, document);
  if (coin(random)) document.lesson = random_lesson(random, document);
  document.seed = random.next();
  for (int i = 0; i < 2 && joins_heads(document) && coin(random); ++i) {
    const HeadAddress at = coin(random) ? attentions_of(document).front().at() : HeadAddress{};
    set_gate(
        document.what_if,
        at.moved_to(between(random, 0, shape.layers - 1), 0, between(random, 0, shape.heads - 1)),
        0.25F * static_cast<float>(between(random, 0, 8)));
  }
  if (coin(random) && why_no_patterns(make_problem(document)).empty()) {
    const HeadAddress any = attentions_of(document).front().at();
    const AttentionShape of = shape_of(document, any);
    const HeadAddress at =
        any.moved_to(between(random, 0, of.layers - 1), between(random, 0, of.samples - 1),
                     between(random, 0, of.heads - 1));
    std::vector<float> weights;
    for (std::size_t i = 0; i < of.n_q * of.n_k; ++i) weights.push_back(random.uniform());
    set_pattern(document.what_if, at, Tensor({of.n_q, of.n_k}, std::move(weights)));
  }
  if (shape.layers > 1 && coin(random) && why_no_edges(make_problem(document)).empty()) {
    const std::size_t layer = between(random, 1, shape.layers - 1);
    const bool shares_keys = shape.kv_heads != shape.heads;
    set_edge(
        document.what_if,
        {{.layer = layer, .head = between(random, 0, shape.heads - 1)},
         shares_keys || coin(random) ? Stage::Query : Stage::Value,
         {.layer = between(random, 0, layer - 1), .head = between(random, 0, shape.heads - 1)}},
        true);
  }
  return document;
}

Document with_files(Document document, Random& random) {
  const std::vector<std::string> names[] = {{}, {"a"}, {"a", "b"}};
  const std::vector<std::string> axes[] = {{}, {"token", "head", "feature"}};
  std::size_t files = 0;
  for (const TensorInfo& info : tensors_of(document)) {
    if (!info.is_there() || coin(random)) continue;
    auto origin = std::make_shared<TensorOrigin>();
    origin->file = std::to_string(files++) + ".npz";
    origin->arrays = names[between(random, 0, 2)];
    origin->axes = axes[between(random, 0, 1)];
    origin->heads = between(random, 0, 2);
    origin->shape = info.tensor->shape();
    writable(info) = info.tensor->with_origin(std::move(origin));
  }
  return document;
}

}  // namespace attn::test
