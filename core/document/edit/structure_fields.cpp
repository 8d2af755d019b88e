// Table of structure fields, and normalisation of structures.
#include <algorithm>
#include <array>
#include <initializer_list>

#include "document/edit/rebuilding.h"
#include "document/generate.h"

namespace attn {
namespace {

template <auto Member>
std::size_t get_member(const Structure& structure) {
  return static_cast<std::size_t>(structure.*Member);
}

template <auto Member>
void set_member(Structure& structure, std::size_t value) {
  structure.*Member = value;
}

void set_cross(Structure& structure, std::size_t value) { structure.cross = value != 0; }

void set_head_count(Structure& structure, std::size_t value) {
  if (structure.key_value_heads == structure.heads) structure.key_value_heads = value;
  structure.heads = value;
}

using Kind = StructureKind;

constexpr unsigned kinds_of(std::initializer_list<Kind> kinds) {
  unsigned bits = 0;
  for (const Kind kind : kinds) bits |= 1U << static_cast<unsigned>(kind);
  return bits;
}

constexpr unsigned kProjected = kinds_of({Kind::Layer, Kind::Blocks, Kind::Decoder});
constexpr unsigned kScored = kProjected | kinds_of({Kind::Qkv});

template <auto Member>
constexpr StructureField whole_field(std::string_view name, std::string_view label,
                                     std::string_view noun, std::string_view help, std::size_t most,
                                     std::string_view unit, unsigned kinds) {
  return {name, label, noun, help, 1, most, false, get_member<Member>, set_member<Member>,
          unit, kinds};
}

constexpr std::size_t kMostOfHeads = 4096, kWidest = std::size_t{1} << 20U;

constexpr std::array<StructureField, 8> kFields{{
    {"heads", "Heads", "heads", "How many times attention is computed side by side", 1,
     kMostOfHeads, false, get_member<&Structure::heads>, set_head_count, "heads",
     kScored | kinds_of({Kind::Weights})},
    whole_field<&Structure::key_value_heads>(
        "key_value_heads", "Key-value heads", "key-value heads",
        "Heads of K and V, each shared by as many heads of Q", kMostOfHeads, "heads", kScored),
    whole_field<&Structure::d_k>("d_k", "d_k", "d_k",
                                 "Columns of one head of Q and K; of cells: of a state", kWidest,
                                 "columns", kScored | kinds_of({Kind::Cells})),
    whole_field<&Structure::d_v>("d_v", "d_v", "d_v", "Columns of one head of V", kWidest,
                                 "columns", kScored),
    whole_field<&Structure::d_model>("d_model", "d_model", "d_model", "Columns of the embeddings",
                                     kWidest, "columns", kProjected | kinds_of({Kind::Cells})),
    whole_field<&Structure::layers>(
        "layers", "Layers", "layers", "Blocks one after another; layers of finished weights",
        10'000, "layers", kinds_of({Kind::Weights, Kind::Blocks, Kind::Decoder})),
    whole_field<&Structure::samples>("samples", "Samples", "samples",
                                     "Inputs of the same length side by side", 65'536, "samples",
                                     kScored | kinds_of({Kind::Weights, Kind::Cells})),
    {"cross", "Two sequences", "sequences", "The keys are tokens of their own: cross-attention", 0,
     1, true, get_member<&Structure::cross>, set_cross, "",
     kinds_of({Kind::Weights, Kind::Qkv, Kind::Layer, Kind::Cells})},
}};

bool chooses(Kind kind, std::string_view name) {
  return applies(*std::ranges::find(kFields, name, &StructureField::name), kind);
}

// Sets fields without a choice for the kind.
void set_the_rest(Structure& wanted) {
  const auto chosen = [&](std::string_view name) { return chooses(wanted.kind, name); };
  if (!chosen("heads")) wanted.heads = 1;
  if (!chosen("key_value_heads")) wanted.key_value_heads = wanted.heads;
  if (!chosen("layers")) wanted.layers = 1;
  if (!chosen("d_model")) wanted.d_model = 0;
  if (!chosen("d_k")) wanted.d_k = 0;
  if (!chosen("d_v")) wanted.d_v = wanted.d_k;
  if (!chosen("cross")) wanted.cross = wanted.kind == Kind::Decoder;
}

// Sets unchosen widths to the reader's defaults, or to those that others imply.
void set_widths(Structure& wanted) {
  const std::size_t heads = std::max<std::size_t>(1, wanted.heads);
  const std::size_t share = (kDefaultModelWidth + heads - 1) / heads;
  const bool embedded = chooses(wanted.kind, "d_model");
  if (embedded && wanted.d_model == 0) {
    wanted.d_model = heads * (wanted.d_k == 0 ? share : wanted.d_k);
  }
  if (!chooses(wanted.kind, "d_k")) return;
  const std::size_t width = embedded ? std::max<std::size_t>(1, wanted.d_model / heads) : share;
  if (wanted.d_k == 0) wanted.d_k = width;
  if (wanted.d_v == 0) wanted.d_v = wanted.d_k;
}

std::size_t nearest_divisor(std::size_t number, std::size_t wanted) {
  std::size_t best = 1;
  const auto off = [&](std::size_t n) { return n > wanted ? n - wanted : wanted - n; };
  for (std::size_t divisor = 1; divisor <= std::min(number, kMostOfHeads); ++divisor) {
    if (number % divisor == 0 && off(divisor) < off(best)) best = divisor;
  }
  return best;
}

void fit_key_value_heads(Structure& wanted, const Structure& before) {
  const bool asked = wanted.key_value_heads != before.key_value_heads;
  const std::size_t shared = wanted.key_value_heads;
  if (asked || shared == 0 || wanted.heads % shared == 0) return;
  const bool were_equal = before.key_value_heads == before.heads;
  wanted.key_value_heads = were_equal ? wanted.heads : nearest_divisor(wanted.heads, shared);
}

}  // namespace

StructureKind structure_kind_of(const Model& model) {
  constexpr std::array<Kind, std::variant_size_v<Model>> kOfModels{
      Kind::Qkv, Kind::Layer, Kind::Blocks, Kind::Decoder, Kind::Cells, Kind::Weights};
  return kOfModels[model.index()];
}

std::span<const StructureKindInfo> all_structure_kinds() {
  static const std::array<StructureKindInfo, 6> kKinds{{
      {Kind::Weights, "weights", "Finished weights", "Attention as it is given, of any model"},
      {Kind::Qkv, "qkv", "Q, K and V", "Queries, keys and values of every head as they are"},
      {Kind::Layer, "layer", "Layer", "Embeddings, projected into heads in one layer"},
      {Kind::Blocks, "blocks", "Encoder blocks",
       "Transformer blocks, whose rows attend to one another"},
      {Kind::Decoder, "decoder", "Decoder blocks",
       "Transformer blocks, whose rows attend to one another and then to a second sequence"},
      kCells,
  }};
  return kKinds;
}

const StructureKindInfo& structure_kind_info(StructureKind kind) {
  return all_structure_kinds()[static_cast<std::size_t>(kind)];
}

std::span<const StructureField> all_structure_fields() { return kFields; }

bool applies(const StructureField& field, StructureKind kind) {
  return (field.kinds & kinds_of({kind})) != 0;
}

Structure structure_of(const Document& document) {
  const AttentionShape shape = shape_of(document);
  return {structure_kind_of(document.model),
          shape.heads,
          shape.kv_heads,
          shape.d_k,
          shape.d_v,
          shape.d_model,
          shape.layers,
          shape.samples,
          document.cross};
}

Structure normalised(const Document& document, Structure wanted) {
  set_the_rest(wanted);
  if (chooses(wanted.kind, "key_value_heads")) {
    fit_key_value_heads(wanted, structure_of(document));
  }
  set_widths(wanted);
  set_the_rest(wanted);
  return wanted;
}

std::string label_of(const Structure& before, const Structure& after) {
  std::string_view changed;
  std::size_t count = 0;
  for (const StructureField& field : all_structure_fields()) {
    if (field.get(before) == field.get(after)) continue;
    changed = field.noun;
    ++count;
  }
  // Heads change key/value heads with them.
  const bool heads =
      before.heads != after.heads && count == 2 && before.key_value_heads != after.key_value_heads;
  if (before.kind != after.kind) {
    return "change to " + std::string(structure_kind_info(after.kind).label);
  }
  return "change " + std::string(heads ? "heads" : count == 1 ? changed : "structure");
}

}  // namespace attn
