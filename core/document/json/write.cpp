// Writing of documents: members and their order.
#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "base/json_writer.h"
#include "base/number_text.h"
#include "document/axes.h"
#include "document/embedding_kind.h"
#include "document/json.h"
#include "document/json/tokens.h"
#include "document/json/values.h"
#include "view/fields.h"

namespace attn {
namespace {

// The document being written, and progress.
struct ModelText {
  const Model& model;
  StepCount& count;
};

// Tensors next to each other whose paths begin with `place`: as many as nest in one object.
using Group = std::span<const TensorInfo>;

Group group_within(Group tensors, const std::string& place) {
  const auto outside = [&](const TensorInfo& info) { return !info.path.starts_with(place + "/"); };
  const auto end = std::ranges::find_if(tensors, outside);
  return tensors.first(static_cast<std::size_t>(end - tensors.begin()));
}

void write_members(ObjectWriter& object, const ModelText& text, Group tensors,
                   const std::string& place);

void write_object(std::string& out, const ModelText& text, Group tensors,
                  const std::string& place) {
  const auto level = static_cast<std::size_t>(std::ranges::count(place, '/'));
  ObjectWriter object(out, level);
  for (const EmbeddingKind& kind : all_embedding_kinds())
    kind.write_inside(object, text.model, place);
  write_members(object, text, tensors, place);
  object.end();
}

// Objects of a list, with their indices.
void write_list(std::string& out, const ModelText& text, Group tensors, const std::string& place) {
  append_list(out, *block_of_path(tensors.back().path) + 1, 1, [&](std::size_t block) {
    const std::string at = place + "/" + std::to_string(block);
    const Group inside = group_within(tensors, at);
    write_object(out, text, inside, at);
    tensors = tensors.subspan(inside.size());
  });
}

// Objects without any tensor are left out.
void write_members(ObjectWriter& object, const ModelText& text, Group tensors,
                   const std::string& place) {
  while (!tensors.empty()) {
    const TensorInfo& info = tensors.front();
    const std::size_t begin = place.size() + 1;
    const std::size_t end = info.path.find('/', begin);
    const std::string key = info.path.substr(begin, end - begin);
    const bool leaf = end == std::string::npos;
    const std::string below = std::string(place).append("/").append(key);
    const Group inside = leaf ? tensors.first(1) : group_within(tensors, below);
    tensors = tensors.subspan(inside.size());
    if (leaf) {
      if (!info.is_there() && info.null_when_absent) object.raw(key, "null");
      object.tensor(key, *info.tensor, &text.count);
    } else if (place.empty() && block_of_path(info.path)) {
      write_list(object.member(key), text, inside, below);
    } else if (std::ranges::any_of(inside, &TensorInfo::is_there)) {
      write_object(object.member(key), text, inside, below);
    }
  }
}

void write_axes(ObjectWriter& object, const GivenWeights& model) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kWeightAxes.size(); ++i) {
    if (std::ranges::count(model.axes, kWeightAxes[i]) > 0) names.emplace_back(kAttentionAxes[i]);
  }
  append_row(object.member("axes"), names);
}

// Tensors written in full.
std::uint64_t written_numbers(const TensorList& list) {
  std::uint64_t count = 0;
  for (const TensorInfo& info : list) {
    if (info.is_there() && info.tensor->origin() == nullptr) count += info.tensor->size();
  }
  return count;
}

// Tensors of the model in the order of their list, and the members between them.
void write_model(ObjectWriter& object, const Document& document, Progress* progress) {
  const Model& model = document.model;
  const TensorList list = tensors_of(model, shape_of(model));
  StepCount count(progress, written_numbers(list));
  const ModelText text{model, count};
  const auto of_norms = [](const TensorInfo& info) { return info.path.starts_with("/norms/"); };
  const auto given = [](const TensorInfo& info) { return info.use == TensorUse::Input; };
  const Group all(list.begin(), std::ranges::find_if(list, of_norms));
  const Group inputs(all.begin(), std::ranges::find_if_not(all, given));
  if (const auto* weights = std::get_if<GivenWeights>(&model)) write_axes(object, *weights);
  write_members(object, text, inputs, "");
  if (info_of(model).projects) object.number("heads", shape_of(model).heads);
  write_members(object, text, all.subspan(inputs.size()), "");
  for (const EmbeddingKind& kind : all_embedding_kinds()) kind.write_after(object, model);
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

// `usual`: default of the reader.
void write_scoring(ObjectWriter& document, const Scoring& scoring, ScoringFunction usual,
                   std::optional<std::uint64_t> idle_d_a) {
  if (has_hidden_units(scoring.function)) idle_d_a.reset();
  if (usual == Scoring{}.function && scoring == Scoring{} && !idle_d_a) return;
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
  if (idle_d_a) object.number("d_a", *idle_d_a);
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

// Settings without an effect on the kind are written if they differ from the defaults.
void write_position(ObjectWriter& document, const Position& position) {
  const Position usual;
  if (position == usual) return;
  const PositionKindInfo& info = position_info(position.kind);
  ObjectWriter object(document.member("position"), 1);
  object.text("kind", info.name);
  if (info.has_table) object.tensor("table", position.table);
  if (info.waves || position.layout != usual.layout) {
    object.text("layout", name_of(kLayouts, position.layout));
  }
  if (info.waves || position.base != usual.base) object.raw("base", shortest_text(position.base));
  if (position.rotary_dim != 0) object.number("rotary_dim", position.rotary_dim);
  const bool scaled = position.scaling != usual.scaling;
  if (scaled) object.text("scaling", name_of(kScalings, position.scaling));
  if (scaled || position.factor != usual.factor) {
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

// The plot, and options that differ from the defaults.
void write_view(std::string& out, const View& view, std::size_t level) {
  ObjectWriter object(out, level);
  object.text("plot", view.plot);
  for (const Field<ViewOptions>& field : plot_option_fields()) {
    if (field.alias) continue;
    const std::string value = field.get(view.options);
    if (value != field.get(ViewOptions{})) write_setting(object, field, value);
  }
  object.end();
}

void write_node(std::string& out, const Panes& panes, const Layout& layout, double share,
                std::size_t level) {
  ObjectWriter object(out, level);
  if (share < 1.0) object.raw("share", shortest_text(static_cast<float>(share)));
  if (const auto* pane = std::get_if<Pane>(&layout)) {
    write_view(object.member("view"), pane->view, level + 1);
    if (!pane->linked) object.raw("linked", "false");
    if (pane->id == panes.focus) object.raw("focused", "true");
    if (pane->id == panes.focus && panes.maximised) object.raw("alone", "true");
    return object.end();
  }
  const auto& split = std::get<Split>(layout);
  object.text("split", split.direction == SplitDirection::Right ? "right" : "down");
  std::string& parts = object.member("parts");
  for (std::size_t i = 0; i < split.parts.size(); ++i) {
    parts += i == 0 ? "[" : ", ";
    write_node(parts, panes, split.parts[i].layout, split.parts[i].share, level + 1);
  }
  parts += "]";
  object.end();
}

// One pane as a view, which every version reads.
void write_panes(ObjectWriter& document, const Panes& panes) {
  const auto* only = std::get_if<Pane>(&panes.layout);
  if (only != nullptr && only->linked) return write_view(document.member("view"), only->view, 1);
  write_node(document.member("layout"), panes, panes.layout, 1.0, 1);
}

}  // namespace

std::string panes_text(const Panes& panes) {
  std::string out;
  write_node(out, panes, panes.layout, 1.0, 0);
  return out;
}

namespace {

// True if a reader would assume a causal mask without the key. Weights in a file are not read here
// and may be causal.
bool may_look_causal(const Document& document) {
  const auto* given = std::get_if<GivenWeights>(&document.model);
  const bool is_in_file = given != nullptr && given->weights.origin() != nullptr;
  return is_in_file || looks_causal(document);
}

void write_told(ObjectWriter& object, const Document& document, const char* key,
                const std::string& text) {
  const std::vector<std::string>& empty = document.kept.empty;
  const bool there = !text.empty() || std::ranges::find(empty, key) != empty.end();
  if (there) object.text(key, text);
}

}  // namespace

std::string write_document(const Document& document, Progress* progress) {
  std::string out;
  ObjectWriter object(out, 0);
  object.text("$schema", document.kept.schema);
  object.number("attnscope", 1);
  write_told(object, document, "title", document.title);
  write_told(object, document, "description", document.description);
  write_told(object, document, "source", document.source);
  if (!document.reference.empty()) object.text("reference", document.reference);
  write_tokens(object, document);
  write_features(object, document.features);
  write_model(object, document, progress);
  for (const KeptMember& member : document.kept.members) object.raw(member.key, member.json);
  write_scoring(object, document.scoring, info_of(document.model).usual_scoring, document.kept.d_a);
  for (const MaskPlace& place : all_masks()) {
    const Mask& mask = document.*place.mask;
    if (mask != Mask{} || (place.prefix.empty() && may_look_causal(document))) {
      write_mask(object, place.key, mask);
    }
  }
  write_position(object, document.position);
  object.number("seed", document.seed);
  if (document.panes) write_panes(object, *document.panes);
  object.end();
  return out + "\n";
}

}  // namespace attn
