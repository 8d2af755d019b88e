// Scoring, masks and positions in a text. Internal to core/document.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "attention/mask.h"
#include "attention/position.h"
#include "attention/scoring.h"
#include "text/forms.h"

namespace attn {

// A mask of the text; values that depend on the number of tokens are not derived yet.
struct MaskText : Mask {
  std::vector<std::uint64_t> key_lengths,
      query_lengths;         // real tokens per sample; empty: not given
  bool says_causal = false;  // the text has the key, whatever its value
  friend bool operator==(const MaskText&, const MaskText&) = default;
};

struct ScoringText : Scoring {
  std::optional<std::uint64_t> d_a;  // hidden units to generate, if given
  friend bool operator==(const ScoringText&, const ScoringText&) = default;
};

struct PositionText : Position {
  std::optional<PositionLayout> said_layout;  // in place of `layout`: the usual one of the kind
  friend bool operator==(const PositionText&, const PositionText&) = default;
};

extern const ObjectOf<ScoringText> kScoringObject;
extern const ObjectOf<MaskText> kMaskObject;

// A kind alone, or an object.
extern const ObjectOf<PositionText> kPositionObject;
bool read_position(JsonValue json, PositionText& position);
void write_position(const TextWriter& to, const PositionText& position);
inline constexpr auto kPositionForm = form_of<PositionText, read_position, write_position>(
    {.one_of = "names|object",
     .names = Named<all_position_kinds, &PositionKindInfo::kind>::names,
     .object = &kPositionObject});

Position position_of(const PositionText& text);
// Settings without an effect on the kind are left out if they are the usual ones.
PositionText as_text(const Position& position);

}  // namespace attn
