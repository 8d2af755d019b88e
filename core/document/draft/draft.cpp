// Checks and generation of a document's rules.
#include "document/draft/draft.h"

#include <algorithm>

#include "attention/problem.h"
#include "base/number_text.h"
#include "document/generate.h"

namespace attn {
namespace {

bool set_lengths(Draft& draft, const std::vector<std::uint64_t>& lengths, const std::string& place,
                 const std::string& name, std::size_t n, PaddingLists& padding) {
  if (lengths.empty()) return true;
  const std::string pointer = place + "/" + name + "_lengths";
  if (!padding.empty()) {
    return draft.refuse(pointer, "two keys exclude each other",
                        name + "_padding and " + name + "_lengths", "one of them");
  }
  const std::size_t samples = shape_of(draft.document).samples;
  if (lengths.size() != 1 && lengths.size() != samples) {
    return draft.refuse(pointer, "expected one length, or one per sample",
                        counted(lengths.size(), "length"),
                        samples == 1 ? "1" : "1 or " + std::to_string(samples));
  }
  for (const std::uint64_t length : lengths) {
    if (length > n) {
      return draft.refuse(pointer, "a length is beyond the last token", std::to_string(length),
                          "at most " + counted(n, "token"));
    }
    padding.emplace_back(n, std::uint8_t{0});
    std::fill_n(padding.back().begin(), length, std::uint8_t{1});
  }
  return true;
}

// d_a sizes generated matrices; given ones must agree with it.
bool check_hidden_units(Draft& draft, std::size_t d_a) {
  const Scoring& scoring = draft.document.scoring;
  if (!has_hidden_units(scoring.function)) {
    draft.document.kept.d_a = d_a;
    draft.notes.push_back("d_a has no effect with " +
                          std::string(scoring_info(scoring.function).name) +
                          " scores, which have no hidden units");
    return true;
  }
  AttentionShape unknown;
  unknown.d_k = d_a;  // placeholder if no matrix has the extent
  const std::size_t given = hidden_units_for(scoring, unknown);
  return given == d_a || draft.refuse("/scoring/d_a", "d_a does not fit the matrices of the scores",
                                      std::to_string(d_a), std::to_string(given));
}

bool check_generated_positions(Draft& draft, const AttentionShape& shape) {
  const Mask& mask = draft.document.*positioned_mask(draft.document).mask;
  for (std::size_t sample = 0; sample < shape.samples; ++sample) {
    const std::int64_t offset = mask.offset_of(sample);
    if (offset > kMostExtendedPositions) {
      return draft.refuse(
          pointer_of(positioned_mask(draft.document)) + "/causal_offset",
          "positions are not generated up to this offset", std::to_string(offset),
          "at most " + std::to_string(kMostExtendedPositions) + ", or a table of positions");
    }
  }
  return fits_memory(draft, {float_bytes({position_rows(draft.document), shape.d_model})},
                     "/position", "generating the table of positions");
}

}  // namespace

MaskText given_mask(const DocumentText& text, const HeadAddress& at) {
  return mask_of(text, at).value_or(MaskText{});
}

std::uint64_t float_bytes(Shape shape) {
  shape.push_back(sizeof(float));
  return element_count(shape);
}

bool fits_memory(Draft& draft, std::initializer_list<std::uint64_t> parts,
                 const std::string& pointer, const std::string& what) {
  const std::uint64_t bytes = saturating_sum({draft.generated_bytes, saturating_sum(parts)});
  if (bytes <= draft.memory_limit_bytes) {
    draft.generated_bytes = bytes;
    return true;
  }
  draft.errors.push_back(over_memory(
      what + " would need more memory than is allowed", bytes, draft.memory_limit_bytes,
      "use shorter sequences, smaller widths or fewer heads, or raise the memory limit"));
  draft.errors.back().pointer = pointer;
  return false;
}

bool set_lengths(Draft& draft) {
  return std::ranges::all_of(masks_of(draft.document), [&](const MaskPlace& place) {
    const MaskText fields = given_mask(draft.text, place.at);
    const AttentionShape shape = shape_of(draft.document, place.at);
    Mask& mask = draft.document.*place.mask;
    const std::string at = pointer_of(place);
    return set_lengths(draft, fields.key_lengths, at, "key", shape.n_k, mask.key_padding) &&
           set_lengths(draft, fields.query_lengths, at, "query", shape.n_q, mask.query_padding);
  });
}

bool generate_rules(Draft& draft) {
  AttentionShape shape = scored_shape(draft.document);
  Scoring& scoring = draft.document.scoring;
  const auto requested = draft.text.scoring ? draft.text.scoring->d_a : std::nullopt;
  if (shape.d_k == 0) {
    draft.document.kept.d_a = requested;
    return true;
  }
  if (requested && !check_hidden_units(draft, *requested)) return false;
  shape.d_a = requested.value_or(hidden_units_for(scoring, shape));
  for (const ScoringMatrixInfo& info : all_scoring_matrices()) {
    const Shape shape_of_one = scoring_matrix_shape(scoring.function, info.tensor, shape);
    if (shape_of_one.empty() || !(scoring.*info.tensor).empty() || is_optional(info.tensor))
      continue;
    if (!fits_memory(draft, {float_bytes(shape_of_one)}, "/scoring/d_a",
                     "generating the scoring function")) {
      return false;
    }
  }
  std::vector<std::string> made = generate_scoring(scoring, shape, draft.document.seed);
  if (position_info(draft.document.position.kind).has_table &&
      draft.document.position.table.empty()) {
    if (!check_generated_positions(draft, shape)) return false;
    extend_to_positions(draft.document);
    made.emplace_back("position table");
  }
  if (!made.empty()) draft.notes.push_back("generated from the seed: " + joined(made));
  return true;
}

}  // namespace attn
