// The table of structure fields, and the normalisation of structures.
#include <algorithm>
#include <array>

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

bool of_any(const KindInfo& /*kind*/) { return true; }
bool of_heads(const KindInfo& kind) { return !kind.has_steps; }
bool of_scored(const KindInfo& kind) { return kind.has_scores; }
bool of_scored_heads(const KindInfo& kind) { return kind.has_scores && !kind.has_steps; }
bool of_embedded(const KindInfo& kind) { return kind.is_embedded(); }
bool of_layers(const KindInfo& kind) { return kind.has_layers; }
bool of_either_sequences(const KindInfo& kind) { return kind.sequences == 0; }

template <auto Member>
constexpr StructureField whole_field(std::string_view name, std::string_view label,
                                     std::string_view noun, std::string_view help, std::size_t most,
                                     std::string_view unit, bool (*applies)(const KindInfo&)) {
  return {name, label,  noun, help, 1, most, false, get_member<Member>, set_member<Member>,
          unit, applies};
}

constexpr std::size_t kMostOfHeads = 4096, kWidest = std::size_t{1} << 20U;

constexpr std::array<StructureField, 8> kFields{{
    {"heads", "Heads", "heads", "Number of attentions computed in parallel", 1, kMostOfHeads, false,
     get_member<&Structure::heads>, set_head_count, "heads", of_heads},
    whole_field<&Structure::key_value_heads>(
        "key_value_heads", "Key-value heads", "key-value heads",
        "Heads of K and V, each shared by equally many query heads (grouped-query attention)",
        kMostOfHeads, "heads", of_scored_heads),
    whole_field<&Structure::d_k>(
        "d_k", "d_k", "d_k", "Columns of one head of Q and K, or hidden units of a recurrent cell",
        kWidest, "columns", of_scored),
    whole_field<&Structure::d_v>("d_v", "d_v", "d_v", "Columns of one head of V", kWidest,
                                 "columns", of_scored_heads),
    whole_field<&Structure::d_model>("d_model", "d_model", "d_model", "Columns of the embeddings",
                                     kWidest, "columns", of_embedded),
    whole_field<&Structure::layers>("layers", "Layers", "layers",
                                    "Number of blocks, or of layers of given numbers", 10'000,
                                    "layers", of_layers),
    whole_field<&Structure::samples>("samples", "Samples", "samples",
                                     "Independent inputs of the same length", 65'536, "samples",
                                     of_any),
    {"cross", "Two sequences", "sequences", "Keys come from a second sequence (cross-attention)", 0,
     1, true, get_member<&Structure::cross>, set_cross, "", of_either_sequences},
}};

bool chooses(const KindInfo& kind, std::string_view name) {
  return std::ranges::find(kFields, name, &StructureField::name)->applies(kind);
}

// Sets fields without a choice for the kind.
void set_the_rest(Structure& wanted) {
  const auto chosen = [&](std::string_view name) { return chooses(*wanted.kind, name); };
  if (!chosen("heads")) wanted.heads = 1;
  if (!chosen("key_value_heads")) wanted.key_value_heads = wanted.heads;
  if (!chosen("layers")) wanted.layers = 1;
  if (!chosen("d_model")) wanted.d_model = 0;
  if (!chosen("d_k")) wanted.d_k = 0;
  if (!chosen("d_v")) wanted.d_v = wanted.d_k;
  if (!chosen("cross")) wanted.cross = wanted.kind->sequences == 2;
}

// Sets unchosen widths to the reader's defaults, or to those that others imply; without values they
// may have none.
void set_widths(Structure& wanted, bool keeps_no_values) {
  const std::size_t heads = std::max<std::size_t>(1, wanted.heads);
  const std::size_t share = (kDefaultModelWidth + heads - 1) / heads;
  const bool embedded = chooses(*wanted.kind, "d_model");
  if (embedded && wanted.d_model == 0) {
    wanted.d_model = heads * (wanted.d_k == 0 ? share : wanted.d_k);
  }
  if (!chooses(*wanted.kind, "d_k")) return;
  const std::size_t width = embedded ? std::max<std::size_t>(1, wanted.d_model / heads) : share;
  if (wanted.d_k == 0) wanted.d_k = width;
  if (wanted.d_v == 0 && !keeps_no_values) wanted.d_v = wanted.d_k;
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
  const bool is_changed = wanted.key_value_heads != before.key_value_heads;
  const std::size_t shared = wanted.key_value_heads;
  if (is_changed || shared == 0 || wanted.heads % shared == 0) return;
  const bool were_equal = before.key_value_heads == before.heads;
  wanted.key_value_heads = were_equal ? wanted.heads : nearest_divisor(wanted.heads, shared);
}

}  // namespace

std::span<const StructureField> all_structure_fields() { return kFields; }

Structure structure_of(const Document& document) {
  const AttentionShape shape = shape_of(document);
  return {&info_of(document.model),
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
  const Structure before = structure_of(document);
  set_the_rest(wanted);
  if (chooses(*wanted.kind, "key_value_heads")) fit_key_value_heads(wanted, before);
  set_widths(wanted, wanted.kind == before.kind && before.d_v == 0);
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
  if (before.kind != after.kind) return "change to " + std::string(after.kind->label);
  return "change " + std::string(heads ? "heads" : count == 1 ? changed : "structure");
}

}  // namespace attn
