// Documents as text: which members there are and in which order.
#include <string>
#include <string_view>

#include "base/json_writer.h"
#include "base/number_text.h"
#include "document/axes.h"
#include "document/json.h"
#include "document/json_choices.h"
#include "view/fields.h"

namespace attn {
namespace {

void write_tokens(ObjectWriter& object, const Document& document) {
  object.lists(document.cross ? "query_tokens" : "tokens", document.query_tokens);
  if (document.cross) object.lists("key_tokens", document.key_tokens);
}

void write_input(ObjectWriter& object, const Document&, const QkvInput& input) {
  object.tensor("q", input.q);
  object.tensor("k", input.k);
  object.tensor("v", input.v);
}

void write_projections(std::string& out, const Projections& projections, std::size_t level) {
  ObjectWriter object(out, level);
  object.tensor("w_q", projections.w_q);
  object.tensor("w_k", projections.w_k);
  object.tensor("w_v", projections.w_v);
  if (projections.w_o.empty()) object.raw("w_o", "null");
  object.tensor("w_o", projections.w_o);
  object.tensor("b_q", projections.b_q);
  object.tensor("b_k", projections.b_k);
  object.tensor("b_v", projections.b_v);
  object.tensor("b_o", projections.b_o);
  object.end();
}

void write_norm(std::string& out, const Norm& norm, std::size_t level) {
  ObjectWriter object(out, level);
  object.tensor("weight", norm.weight);
  object.tensor("bias", norm.bias);
  object.end();
}

void write_network(std::string& out, const FeedForward& network) {
  ObjectWriter object(out, 3);
  object.text("activation", activation_info(network.activation).name);
  object.tensor("w_1", network.w_1);
  object.tensor("b_1", network.b_1);
  object.tensor("w_gate", network.w_gate);
  object.tensor("b_gate", network.b_gate);
  object.tensor("w_2", network.w_2);
  object.tensor("b_2", network.b_2);
  object.end();
}

void write_block(std::string& out, const TransformerBlock& block) {
  ObjectWriter object(out, 2);
  write_projections(object.member("projections"), block.projections, 3);
  if (block.attention_norm != Norm{}) {
    write_norm(object.member("attention_norm"), block.attention_norm, 3);
  }
  if (block.cross) {
    write_projections(object.member("cross_projections"), block.cross->projections, 3);
    if (block.cross->norm != Norm{}) {
      write_norm(object.member("cross_norm"), block.cross->norm, 3);
    }
  }
  write_network(object.member("feed_forward"), block.feed_forward);
  if (block.feed_forward_norm != Norm{}) {
    write_norm(object.member("feed_forward_norm"), block.feed_forward_norm, 3);
  }
  object.end();
}

void write_stack(ObjectWriter& object, const Stack& stack) {
  std::string& out = object.member("blocks");
  append_list(out, stack.blocks.size(), 1,
              [&](std::size_t i) { write_block(out, stack.blocks[i]); });
  ObjectWriter norms(object.member("norms"), 1);
  norms.text("order", name_of(kNormOrders, stack.order));
  norms.text("kind", name_of(kNormKinds, stack.norm));
  norms.raw("eps", shortest_text(stack.eps));
  if (stack.final_norm) write_norm(norms.member("final"), *stack.final_norm, 2);
  norms.end();
  if (stack.dropout > 0.0F) object.raw("dropout", shortest_text(stack.dropout));
}

void write_recurrent(ObjectWriter& document, const Recurrent& model) {
  ObjectWriter object(document.member("recurrent"), 1);
  object.text("cell", cell_info(model.cell).name);
  object.text("asks", asking_info(model.asks).name);
  for (const std::string_view place : {"encoder", "backward", "decoder", ""}) {
    if (place == "backward" && !is_bidirectional(model)) continue;
    std::optional<ObjectWriter> cell;
    if (!place.empty()) cell.emplace(object.member(place), 2);
    for (const RecurrentTensorInfo& info : all_recurrent_tensors()) {
      if (info.cell == place) (cell ? *cell : object).tensor(info.name, info.read(model));
    }
    if (cell) cell->end();
  }
  if (model.w_output.empty()) object.raw("w_output", "null");
  object.end();
}

void write_input(ObjectWriter& object, const Document& document, const EmbeddingInput& input) {
  const bool plain = !document.cross && input.key.empty();
  object.tensor(plain ? "embeddings" : "query_embeddings", input.query);
  object.tensor("key_embeddings", input.key);
  object.tensor("value_embeddings", input.value);
  if (!input.recurrent) object.number("heads", input.heads);
  if (!input.stack.blocks.empty()) return write_stack(object, input.stack);
  if (input.recurrent) return write_recurrent(object, *input.recurrent);
  write_projections(object.member("projections"), input.projections, 1);
}

void write_input(ObjectWriter& object, const Document&, const WeightsInput& input) {
  std::vector<std::string> names;
  for (const Axis axis : input.axes)
    names.emplace_back(kAttentionAxes[static_cast<std::size_t>(axis)]);
  append_row(object.member("axes"), names);
  object.tensor("attention", input.weights);
}

void write_finite(ObjectWriter& object, std::string_view key, const std::optional<float>& value) {
  if (value) object.raw(key, shortest_text(*value));
}

// One number for one, a list for several, nothing for none.
template <class T>
void write_one_or_list(ObjectWriter& object, std::string_view key, const std::vector<T>& values) {
  if (values.size() == 1) {
    append_json(object.member(key), values.front());
  } else if (!values.empty()) {
    append_row(object.member(key), values);
  }
}

// `always`: where the reader's default is another one.
void write_scoring(ObjectWriter& document, const Scoring& scoring, bool always) {
  if (!always && scoring == Scoring{}) return;
  ObjectWriter object(document.member("scoring"), 1);
  object.text("function", scoring_info(scoring.function).name);
  write_finite(object, "scale", scoring.scale);
  write_finite(object, "softcap", scoring.softcap);
  write_finite(object, "temperature", scoring.temperature);
  if (scoring.normaliser != Scoring{}.normaliser) {
    object.text("normaliser", normaliser_info(scoring.normaliser).name);
  }
  write_one_or_list(object, "sinks", scoring.sinks);
  for (const ScoringMatrixInfo& info : all_scoring_matrices()) {
    object.tensor(info.name, scoring.*info.tensor);
  }
  object.end();
}

void write_window(ObjectWriter& object, const Window& window) {
  const auto side = [](const std::optional<std::uint64_t>& reach) {
    return reach ? std::to_string(*reach) : std::string("null");
  };
  object.raw("window", "[" + side(window.left) + ", " + side(window.right) + "]");
  if (window.dilation != 1) object.number("dilation", window.dilation);
}

void write_relative(ObjectWriter& mask, const RelativeBias& bias) {
  ObjectWriter object(mask.member("relative_buckets"), 2);
  object.tensor("table", bias.table);
  object.raw("bidirectional", bias.bidirectional ? "true" : "false");
  object.number("max_distance", bias.max_distance);
  object.end();
}

void write_mask(ObjectWriter& document, std::string_view key, const Mask& mask) {
  if (mask == Mask{}) return;
  ObjectWriter object(document.member(key), 1);
  object.raw("causal", mask.causal ? "true" : "false");
  write_one_or_list(object, "causal_offset", mask.causal_offset);
  write_one_or_list(object, "prefix", mask.prefix);
  if (mask.window) write_window(object, *mask.window);
  if (mask.sink_tokens > 0) object.number("sink_tokens", mask.sink_tokens);
  object.lists(mask.key_segments.empty() ? "segments" : "query_segments", mask.query_segments);
  object.lists("key_segments", mask.key_segments);
  object.lists("key_padding", mask.key_padding);
  object.lists("query_padding", mask.query_padding);
  object.tensor("visible", mask.visible);
  object.tensor("bias", mask.bias);
  if (mask.alibi && mask.alibi->empty()) object.raw("alibi", "true");
  if (mask.alibi) write_one_or_list(object, "alibi", *mask.alibi);
  if (mask.relative) write_relative(object, *mask.relative);
  object.end();
}

void write_position(ObjectWriter& document, const Position& position) {
  if (!is_there(position)) return;
  ObjectWriter object(document.member("position"), 1);
  object.text("kind", position_info(position.kind).name);
  if (position_info(position.kind).has_table) {
    object.tensor("table", position.table);
    return object.end();
  }
  object.text("layout", name_of(kLayouts, position.layout));
  object.raw("base", shortest_text(position.base));
  if (position.rotary_dim != 0) object.number("rotary_dim", position.rotary_dim);
  if (position.scaling != RopeScaling::None) {
    object.text("scaling", name_of(kScalings, position.scaling));
    object.raw("factor", shortest_text(position.factor));
  }
  object.end();
}

void write_setting(ObjectWriter& object, const Field<ViewOptions>& field,
                   const std::string& value) {
  const bool as_text = field.kind == FieldKind::Text || field.kind == FieldKind::Choice ||
                       !(value.back() >= '0' && value.back() <= '9');
  const bool bare = !as_text || field.kind == FieldKind::Flag;
  bare ? object.raw(field.name, value) : object.text(field.name, value);
}

// The plot, and what is not as usual.
void write_view(ObjectWriter& document, const View& view) {
  ObjectWriter object(document.member("view"), 1);
  object.text("plot", view.plot);
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    const std::string value = field.get(view.options);
    if (value != field.get(ViewOptions{})) write_setting(object, field, value);
  }
  object.end();
}

}  // namespace

std::string write_document(const Document& document) {
  std::string out;
  ObjectWriter object(out, 0);
  object.text("$schema", "attnscope.schema.json");
  object.number("attnscope", 1);
  if (!document.title.empty()) object.text("title", document.title);
  if (!document.description.empty()) object.text("description", document.description);
  if (!document.source.empty()) object.text("source", document.source);
  write_tokens(object, document);
  std::visit([&](const auto& input) { write_input(object, document, input); }, document.input);
  write_scoring(object, document.scoring, recurrent_of(document) != nullptr);
  write_mask(object, "mask", document.mask);
  write_mask(object, "self_mask", document.self_mask);
  write_position(object, document.position);
  object.number("seed", document.seed);
  if (document.view) write_view(object, *document.view);
  object.end();
  return out + "\n";
}

}  // namespace attn
