// Completion of a document from the fields of its text.
#include <algorithm>
#include <initializer_list>
#include <utility>

#include "attention/problem.h"
#include "base/joined.h"
#include "base/number_text.h"
#include "base/row_sample.h"
#include "base/utf8.h"
#include "document/axes.h"
#include "document/cost.h"
#include "document/draft/draft.h"
#include "document/problem.h"
#include "text/nearest.h"

namespace attn {
namespace {

bool gives(const DocumentText& text, std::string_view keys) {
  return !first_given(text, keys).empty();
}

// Refuses keys that exclude each other, and no input at all.
bool check_form(Draft& draft) {
  const DocumentText& text = draft.text;
  const std::size_t known = draft.errors.size();
  for (const Exclusion& exclusion : all_exclusions()) {
    const std::string first(first_given(text, exclusion.these));
    const std::string second(first_given(text, exclusion.others));
    if (first.empty() || second.empty()) continue;
    const std::string both = std::string(first).append(" and ").append(second);
    draft.refuse("/" + second, "two inputs exclude each other", both, "one of them");
  }
  const bool may_have_axes = gives(text, kQkvKeys) || gives(text, kWeightKeys);
  if (text.axes && !may_have_axes) {
    draft.refuse("/axes", "axes name the axes of q, k, v or attention", "axes without them",
                 "no axes here");
  }
  const std::string side(first_given(text, "query_tokens key_tokens"));
  if (!may_have_axes && !gives(text, kEmbeddingKeys) && text.tokens.empty() &&
      (text.query_tokens.empty() || text.key_tokens.empty())) {
    draft.refuse(
        "", "there is nothing to attend to", side.empty() ? "no input" : side + " alone",
        side.empty() ? "tokens, q k v, embeddings or attention" : "query_tokens and key_tokens");
  }
  return draft.errors.size() == known;
}

// Pads names with kPadToken; counted tokens are counted on.
TokenList filled_up(const TokenList& list, std::size_t count) {
  std::vector<TokenName> names(list.names().begin(), list.names().end());
  for (std::size_t i = list.size(); list.all_named() && i < count; ++i) {
    names.push_back({i, std::string(kPadToken)});
  }
  return TokenList::counted(count, std::move(names));
}

// Flags of the tokens that are not padding.
PaddingLists padding_of(const TokenLists& lists, std::size_t longest) {
  PaddingLists padding;
  for (const TokenList& list : lists) {
    padding.emplace_back(longest, std::uint8_t{0});
    std::fill_n(padding.back().begin(), list.size(), std::uint8_t{1});
  }
  return padding;
}

void note_filling_up(Draft& draft, const TokenLists& lists, std::size_t longest, bool hides) {
  const std::string with =
      std::ranges::any_of(lists, &TokenList::all_named) ? " with " + std::string(kPadToken) : "";
  draft.notes.push_back("shorter token lists are padded" + with + " to " +
                        counted(longest, "token") +
                        (hides ? ", which the padding masks hide" : ""));
}

// Pads the lists to equal lengths; `paddings` (null: none) hide the padding.
TokenLists padded(Draft& draft, TokenLists lists, std::initializer_list<PaddingLists*> paddings) {
  const std::size_t longest = std::ranges::max_element(lists, {}, &TokenList::size)->size();
  const auto full = [&](const TokenList& list) { return list.size() == longest; };
  if (std::ranges::all_of(lists, full)) return lists;
  const bool named = std::ranges::any_of(lists, &TokenList::all_named);
  if (!fits_memory(draft, {element_count({lists.size(), longest, named ? sizeof(TokenName) : 1})},
                   "", "padding the shorter samples")) {
    return lists;
  }
  bool hides = false;
  for (PaddingLists* padding : paddings) {
    if (padding == nullptr) continue;
    *padding = padding_of(lists, longest);
    hides = draft.derived_padding = true;
  }
  note_filling_up(draft, lists, longest, hides);
  for (TokenList& list : lists) list = filled_up(list, longest);
  return lists;
}

// Sets the given token lists; missing ones are counted once lengths are known.
bool set_tokens(Draft& draft) {
  DocumentText& f = draft.text;
  Document& document = draft.document;
  using Paddings = std::pair<PaddingLists*, PaddingLists*>;  // of keys and queries; null: given
  const auto to_derive = [&](const MaskPlace& place) -> Paddings {
    Mask& mask = document.*place.mask;
    const MaskText given = given_mask(f, place.at);
    const bool keys = mask.key_padding.empty() && given.key_lengths.empty();
    const bool queries = mask.query_padding.empty() && given.query_lengths.empty();
    return {keys ? &mask.key_padding : nullptr, queries ? &mask.query_padding : nullptr};
  };
  const auto set = [&](TokenLists& lists, TokenLists& given, PaddingLists* side, Paddings own) {
    if (own.first == nullptr) own.second = nullptr;
    if (!given.empty()) lists = padded(draft, std::move(given), {side, own.first, own.second});
  };
  // No other kind has such a mask.
  const bool decoder = !f.blocks.empty() || !f.self_attention.empty();
  const bool encoder = !f.encoder_attention.empty();
  document.cross = !f.query_tokens.empty() || !f.key_tokens.empty();
  const Paddings last = to_derive(all_masks().front());
  set(document.query_tokens, f.tokens, nullptr, last);
  set(document.query_tokens, f.query_tokens, last.second,
      decoder ? to_derive(all_masks()[1]) : Paddings());
  set(document.key_tokens, f.key_tokens, last.first,
      encoder ? to_derive(all_masks()[2]) : Paddings());
  return draft.errors.empty();
}

// Numbers tokens that are missing; equal lengths then mean self-attention. Precondition: shapes are
// known.
void number_missing_tokens(Draft& draft) {
  Document& document = draft.document;
  const AttentionShape shape = shape_of(document);
  const Embeddings* embeddings = embeddings_of(document.model);
  const bool own_keys = embeddings != nullptr && !embeddings->key.empty();
  if (document.query_tokens.empty() && !document.cross) {
    document.cross = shape.n_q != shape.n_k || own_keys;
  }
  if (document.query_tokens.empty()) document.query_tokens = {TokenList::counted(shape.n_q)};
  if (document.cross && document.key_tokens.empty())
    document.key_tokens = {TokenList::counted(shape.n_k)};
}

// Positions of the named axes in `known`. The last two of `known` must be among them.
bool resolve_axes(Draft& draft, std::span<const std::string_view> known, std::size_t rank,
                  std::vector<std::size_t>& axes) {
  const std::vector<std::string>& names = *draft.text.axes;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto at = std::find(known.begin(), known.end(), names[i]);
    const std::string pointer = "/axes/" + std::to_string(i);
    if (at == known.end()) {
      const std::string meant(nearest(names[i], known));
      return draft.refuse(pointer, "unknown axis", "\"" + names[i] + "\"",
                          "one of " + joined(known),
                          meant.empty() ? "" : "did you mean \"" + meant + "\"?");
    }
    const auto axis = static_cast<std::size_t>(at - known.begin());
    if (std::find(axes.begin(), axes.end(), axis) != axes.end()) {
      return draft.refuse(pointer, "an axis is named twice", "\"" + names[i] + "\"",
                          "every axis once");
    }
    axes.push_back(axis);
  }
  if (axes.size() != rank) {
    return draft.refuse("/axes", "the axes do not match the depth of the lists",
                        counted(axes.size(), "name"),
                        std::to_string(rank) + ", the depth of the lists");
  }
  for (std::size_t axis = known.size() - 2; axis < known.size(); ++axis) {
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) {
      return draft.refuse("/axes", "an axis is missing", "no \"" + std::string(known[axis]) + "\"",
                          "\"" + std::string(known[axis]) + "\" among the axes");
    }
  }
  return true;
}

bool reorder_qkv(Draft& draft, GivenQkv& input) {
  const std::size_t rank = input.q.rank();
  const bool has_values = input.v.rank() > 0;
  if (input.k.rank() != rank || (has_values && input.v.rank() != rank)) {
    return true;  // refused with the shapes
  }
  std::vector<std::size_t> axes;
  if (!resolve_axes(draft, kQkvAxes, rank, axes)) return false;
  for (Tensor* tensor : {&input.q, &input.k, &input.v}) {
    if (!tensor->empty()) *tensor = with_sorted_axes(*tensor, axes, *draft.text.axes);
  }
  std::sort(axes.begin(), axes.end());
  std::vector<Extent> outer;
  for (const std::size_t axis : axes) {
    if (axis < kQkvOuterAxes.size()) outer.push_back(kQkvOuterAxes[axis]);
  }
  input.name_axes(std::move(outer));
  return true;
}

// The axes of a tensor in its file, else those that are given.
std::string axes_text(const Tensor& tensor, const std::vector<std::string>& given) {
  const TensorOrigin* const origin = tensor.origin();
  return joined(origin == nullptr || origin->axes.empty() ? given : origin->axes);
}

bool set_qkv(Draft& draft) {
  DocumentText& f = draft.text;
  std::vector<std::string> given, missing;
  for (const auto& [name, tensor] : {std::pair{"q", &f.q}, {"k", &f.k}, {"v", &f.v}}) {
    (tensor->empty() ? missing : given).emplace_back(name);
  }
  if (f.q.empty() || f.k.empty()) {
    return draft.refuse("/" + given.front(), "q and k are needed together",
                        listed(given) + " without " + listed(missing), "q, k and v, or q and k");
  }
  GivenQkv input{std::move(f.q), std::move(f.k), std::move(f.v)};
  draft.reading = (input.v.empty() ? "Q and K without V, of depth " : "Q, K, V of depth ") +
                  std::to_string(input.q.rank());
  if (f.axes && !reorder_qkv(draft, input)) return false;
  if (f.axes) draft.reading += " with axes " + axes_text(input.q, *f.axes);
  draft.document.model = std::move(input);
  return true;
}

// Adds a note if the levels may have another meaning than in documents.
void note_axes(Draft& draft, const Tensor& weights, const std::vector<std::string>& names) {
  const std::size_t rank = weights.rank();
  if (rank < 3 || element_count({weights.shape().begin(), weights.shape().end() - 2}) == 1) return;
  constexpr std::string_view kOthers[] = {"sample", "sample, head", "sample, layer, head"};
  draft.notes.push_back(
      "attention " + shape_text(weights.shape()) + " has the axes " + joined(names) +
      "; the axes " + std::string(kOthers[rank - 3]) +
      ", query, key fit as well: if these are meant, write them under the key \"axes\"");
}

// Takes one row of weights as one query over all the keys that the tokens name.
void take_one_row(Draft& draft) {
  DocumentText& f = draft.text;
  const std::size_t n = f.attention.size();
  if (f.attention.rank() == 1) f.attention = f.attention.reshaped({1, n});
  const bool is_row = n > 1 && f.attention.rank() == 2 && f.attention.extent(0) == 1;
  if (!is_row || f.tokens.size() != 1 || f.tokens.front().size() != n) return;
  f.key_tokens = std::exchange(f.tokens, {});
  f.query_tokens = {TokenList::counted(1)};
  draft.notes.push_back("attention is one row: a query over " + counted(n, "key"));
}

bool set_weights(Draft& draft) {
  DocumentText& f = draft.text;
  const std::string first(first_given(f, kWeightKeys));
  if (f.attention.empty()) {
    return draft.refuse("/" + first, first + " needs attention as well", first + " alone",
                        "attention of query_tokens to key_tokens",
                        "or rename " + first + " to attention");
  }
  GivenWeights input{
      std::move(f.attention), {}, std::move(f.self_attention), std::move(f.encoder_attention)};
  const bool several = !input.self.empty() || !input.encoder.empty();
  draft.document.cross = draft.document.cross || several;
  const std::size_t rank = input.weights.rank();
  std::vector<std::size_t> axes;
  if (f.axes) {
    if (!resolve_axes(draft, kAttentionAxes, rank, axes)) return false;
    for (Tensor* tensor : {&input.weights, &input.self, &input.encoder}) {
      if (tensor->rank() == rank)
        *tensor = with_sorted_axes(*tensor, axes, *f.axes);  // else refused later
    }
    std::sort(axes.begin(), axes.end());
  } else {
    constexpr std::size_t kByRank[][5] = {{3, 4}, {2, 3, 4}, {0, 2, 3, 4}, {0, 1, 2, 3, 4}};
    axes.assign(kByRank[rank - 2], kByRank[rank - 2] + rank);
  }
  std::vector<std::string> names;
  for (const std::size_t axis : axes) {
    names.emplace_back(kAttentionAxes[axis]);
    input.axes.push_back(kWeightAxes[axis]);
  }
  draft.reading = "Finished attention with axes " + axes_text(input.weights, names);
  if (!f.axes) note_axes(draft, input.weights, names);
  std::string_view joins = ", with the ";
  for (const auto& [tensor, whose] :
       {std::pair(&input.self, "decoder"), {&input.encoder, "encoder"}}) {
    if (tensor->empty()) continue;
    draft.reading += std::string(std::exchange(joins, " and the ")) + whose + "'s own";
  }
  draft.document.model = std::move(input);
  return true;
}

bool set_input(Draft& draft) {
  if (gives(draft.text, kQkvKeys)) return set_qkv(draft);
  if (gives(draft.text, kWeightKeys)) return set_weights(draft);
  return set_embedding_model(draft, !gives(draft.text, kEmbeddingKeys));
}

void copy_plain_fields(Draft& draft) {
  DocumentText& f = draft.text;
  Document& document = draft.document;
  const auto text_or_empty = [&](std::optional<std::string>& text, const char* key) {
    if (text && text->empty()) document.kept.empty.emplace_back(key);
    return std::move(text).value_or("");
  };
  document.title = text_or_empty(f.title, "title");
  if (const std::size_t length = code_point_count(document.title); length > kLongestTitle) {
    draft.notes.push_back("the title has " + grouped_text(length) +
                          " characters: figures and the window show its first " +
                          grouped_text(kLongestTitle));
  }
  document.description = text_or_empty(f.description, "description");
  document.source = text_or_empty(f.source, "source");
  document.reference = std::move(f.reference);
  document.layer_numbers = std::move(f.layer_numbers);
  document.kept.schema = std::move(f.schema);
  if (f.scoring) document.scoring = *f.scoring;
  for (const MaskPlace& place : all_masks()) document.*place.mask = given_mask(f, place.at);
  document.position = position_of(f.position);
  if (f.what_if) document.what_if = *f.what_if;
  document.seed = f.seed;
  document.panes = std::move(f.panes);
  document.lesson = std::move(f.lesson);
}

void clamp_view(Draft& draft, View& view) {
  for (const Error& missing : missing_in_view(draft.document, view.options)) {
    draft.notes.push_back("the view: " + missing.message);
  }
  const HeadAddress wanted =
      std::exchange(view.options.at, nearest_head(draft.document, view.options.at));
  if (!view.options.at.same_attention(wanted)) {
    draft.notes.push_back("the view's attention has no effect without a decoder's blocks");
  }
}

// The offset is the position of queries for every rule about distances.
bool uses_offset(const Mask& mask, bool has_positions) {
  return mask.causal || mask.window || mask.alibi || mask.relative || has_positions;
}

// `place`: prefix such as "self_mask: "; empty for `mask`.
void note_idle_rules(Draft& draft, const Mask& mask, bool has_positions, const std::string& place) {
  const auto note = [&](const std::string& text) { draft.notes.push_back(place + text); };
  if (!mask.causal_offset.empty() && !uses_offset(mask, has_positions)) {
    note(
        "causal_offset changes no weight without a causal mask, a window, positions or a bias by "
        "distance; measures and distances count from where it puts the queries");
  }
  if (!mask.prefix.empty() && !mask.causal) note("prefix has no effect without \"causal\": true");
  if (mask.sink_tokens > 0 && !mask.window) note("sink_tokens have no effect without a window");
}

// Settings without an effect on the kind of position.
std::vector<std::string> unused_settings(const Position& position) {
  const Position usual;
  const bool turns = position_info(position.kind).turns, waves = position_info(position.kind).waves;
  std::vector<std::string> names;
  if (!waves && position.layout != usual.layout) names.emplace_back("layout");
  if (!waves && position.base != usual.base) names.emplace_back("base");
  if (!turns && position.scaling != usual.scaling) names.emplace_back("scaling");
  if (!turns && position.factor != usual.factor) names.emplace_back("factor");
  if (!turns && position.rotary_dim != usual.rotary_dim) names.emplace_back("rotary_dim");
  return names;
}

// Settings without an effect on the scaling.
std::vector<std::string> unused_by_scaling(const Position& position) {
  const RopeScalingInfo& info = rope_scaling_info(position.scaling);
  std::vector<std::string> names;
  const auto add = [&](bool unused, const char* key) {
    if (unused) names.emplace_back(key);
  };
  add(!info.has_factor && position.factor != 1.0F, "factor");
  add(!info.has_original && position.original > 0, "original");
  add(info.high == 0.0F && position.low, "low");
  add(info.high == 0.0F && position.high, "high");
  add(position.scaling != RopeScaling::Yarn && !position.truncate, "truncate");
  add(!info.has_factors && !position.factors.empty(), "factors");
  add(!info.has_factors && !position.short_factors.empty(), "short_factors");
  return names;
}

std::string have_no_effect(const std::vector<std::string>& names) {
  return joined(names) + (names.size() == 1 ? " has no effect " : " have no effect ");
}

void note_unused_settings(Draft& draft) {
  const Position& position = draft.document.position;
  const std::vector<std::string> unused = unused_settings(position);
  if (!unused.empty()) {
    draft.notes.push_back(have_no_effect(unused) + "where the kind of position is " +
                          std::string(position_info(position.kind).name));
  }
  const std::vector<std::string> of_others = unused_by_scaling(position);
  const RopeScalingInfo& scaling = rope_scaling_info(position.scaling);
  const bool none = position.scaling == RopeScaling::None;
  if (is_turned(position) && !of_others.empty()) {
    draft.notes.push_back(
        have_no_effect(of_others) +
        (none ? "without a scaling" : "with the scaling " + std::string(scaling.name)));
  }
  if (is_turned(position) && scaling.has_factor && !scaling.has_factors &&
      position.factor == 1.0F) {
    draft.notes.push_back("scaling has no effect without a factor other than 1");
  }
}

// Given weights have no scores, so rules about scores have no effect.
void note_what_has_no_effect(Draft& draft) {
  const Document& document = draft.document;
  for (const MaskPlace& place : masks_of(document)) {
    const bool positioned = &place == &positioned_mask(document);
    Mask mask = document.*place.mask;
    bool positions = positioned && is_there(document.position);
    if (const Stack* stack = positioned ? stack_of(document.model) : nullptr) {
      for (const TransformerBlock& block : stack->blocks) {
        if (block.rules.window) mask.window = block.rules.window;
        positions = positions || (block.rules.position && is_there(*block.rules.position));
      }
    }
    const bool usual = place.prefix.empty();
    note_idle_rules(draft, mask, positions, usual ? "" : std::string(place.key) + ": ");
  }
  note_idle_norms(draft);
  note_unused_settings(draft);
  if (has_scores(document.model)) return;
  if (document.scoring != Scoring{} || document.kept.d_a) {
    draft.notes.push_back("given weights are shown as they are: scoring has no effect");
  }
  if (std::ranges::any_of(all_masks(),
                          [&](auto& place) { return document.*place.mask != Mask{}; })) {
    draft.notes.emplace_back(kMaskOfWeightsNote);
  }
}

std::string shape_sentence(const Document& document, const AttentionShape& s) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (s.d_ff > 0) {
    add(counted(s.layers, attentions_of(document).size() > 1 ? "decoder block" : "block"));
  } else if (s.layers > 1) {
    add(counted(s.layers, "layer"));
  }
  if (s.samples > 1) add(counted(s.samples, "sample"));
  add(s.heads == s.kv_heads
          ? counted(s.heads, "head")
          : counted(s.heads, "query head") + " on " + counted(s.kv_heads, "key-value head"));
  add(document.cross ? grouped_text(s.n_q) + " query and " + counted(s.n_k, "key token")
                     : counted(s.n_q, "token"));
  if (s.d_model > 0) add("d_model " + std::to_string(s.d_model));
  if (s.d_k > 0) add("d_k " + std::to_string(s.d_k));
  if (s.d_v > 0) add("d_v " + std::to_string(s.d_v));
  if (s.d_ff > 0) add("d_ff " + std::to_string(s.d_ff));
  const std::string more = words_of(document.model);
  if (!more.empty()) add(more);
  return text;
}

// Refuses a requested number of heads that the numbers do not have.
bool check_heads(Draft& draft, const std::string& key,
                 const std::optional<std::uint64_t>& requested, std::size_t found,
                 const std::string& as) {
  return !requested || *requested == found ||
         draft.refuse("/" + key, key + " does not fit the numbers", std::to_string(*requested),
                      std::to_string(found) + as);
}

// Errors of padding derived from token lists would repeat those of the lists.
void drop_errors_of_derived_padding(Draft& draft) {
  const bool tokens = std::ranges::any_of(draft.errors, [](const Error& error) {
    return error.pointer.find("tokens") != std::string::npos;
  });
  if (!tokens || !draft.derived_padding) return;
  std::erase_if(draft.errors,
                [](const Error& error) { return error.pointer.ends_with("_padding"); });
}

// A bare list names columns of the embeddings, or, without them, of queries and keys.
void set_features(Draft& draft) {
  FeaturesText& features = draft.text.features;
  const bool embedded = shape_of(draft.document).d_model > 0;
  if (!features.only.empty()) (embedded ? features.d_model : features.d_k) = features.only;
  draft.document.features = names_of(std::move(features));
}

// Refuses masks of attentions that the document lacks.
bool check_masks(Draft& draft) {
  for (const MaskPlace& place : all_masks()) {
    if (has(attentions_of(draft.document), place.at) || !mask_of(draft.text, place.at)) continue;
    const bool of_encoder = place.at.attention == kEncoderAttention;
    return draft.refuse(
        pointer_of(place),
        of_encoder ? "encoder_mask needs encoder_attention" : "self_mask needs a decoder",
        std::string(place.key) + " and " +
            (attentions_of(draft.document).size() == 1 ? "one attention" : "no such attention"),
        of_encoder ? "mask; or encoder_attention together with attention"
                   : "mask; or blocks with query_tokens and key_tokens");
  }
  return true;
}

// True if the text has rules on which keys a query sees; padding concerns tokens, not pairs.
bool has_visibility_rules(MaskText fields) {
  fields.key_padding.clear();
  fields.query_padding.clear();
  fields.query_segments.clear();
  return fields.says_causal || static_cast<const Mask&>(fields) != Mask{};
}

// Given weights come without the mask that they were computed with.
void assume_causal(Draft& draft) {
  for (const MaskPlace& place : masks_of(draft.document)) {
    if (has_visibility_rules(given_mask(draft.text, place.at))) continue;
    if (!looks_causal(draft.document, place.at, draft.progress)) continue;
    (draft.document.*place.mask).causal = true;
    draft.assumed_causal = draft.assumed_causal || place.prefix.empty();
    const RowSample sample = sample_of_rows(*given_weights(draft.document, place.at));
    std::string end(kReadAsCausalNote);
    end.replace(end.find("mask\""), 4, place.key);
    std::string note = place.prefix.empty() ? "" : std::string(place.prefix) + "attention: ";
    note.append("the weights above the diagonal are all 0").append(sample.where()).append(end);
    draft.notes.push_back(std::move(note));
  }
}

// Precondition: the input is set.
bool complete(Draft& draft) {
  draft.errors = input_inconsistencies(draft.document, draft.generated);
  if (!draft.errors.empty()) return false;
  if (!check_masks(draft)) return false;
  number_missing_tokens(draft);
  set_features(draft);
  if (!set_lengths(draft) || !generate_rules(draft)) return false;
  draft.errors = inconsistencies(draft.document);
  drop_errors_of_derived_padding(draft);
  if (!draft.errors.empty()) return false;
  const AttentionShape shape = shape_of(draft.document);
  const DocumentText& text = draft.text;
  if (!check_heads(draft, "heads", text.heads, shape.heads, ", as the lists are nested") ||
      !check_heads(draft, "kv_heads", text.kv_heads, shape.kv_heads, ", as k and v have")) {
    return false;
  }
  if (draft.document.panes) {
    for (Pane* pane : panes_of(draft.document.panes->layout)) clamp_view(draft, pane->view);
  }
  note_what_has_no_effect(draft);
  assume_causal(draft);
  const AttentionProblem problem = make_problem(draft.document);
  draft.generated_bytes = 0;  // counted in the document now
  return fits_memory(
      draft, {entered_bytes(draft.document), materialised_bytes(problem), laid_out_bytes(problem)},
      "", "computing every stage");
}

}  // namespace

Reading completed(DocumentText text, std::uint64_t memory_limit_bytes, Progress* progress) {
  Draft draft;
  draft.text = std::move(text);
  draft.memory_limit_bytes = memory_limit_bytes;
  draft.progress = progress;
  copy_plain_fields(draft);
  take_one_row(draft);
  const bool is_complete =
      check_form(draft) && set_tokens(draft) && set_input(draft) && complete(draft);
  if (!is_complete) return {.errors = std::move(draft.errors)};
  draft.reading += ": " + shape_sentence(draft.document, shape_of(draft.document));
  return draft;
}

}  // namespace attn
