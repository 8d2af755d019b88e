// Readers of scoring, masks and positions. Internal to core/document.
#pragma once

#include <cstdint>
#include <optional>

#include "attention/mask.h"
#include "attention/position.h"
#include "attention/scoring.h"
#include "text/reader.h"

namespace attn {

// A mask of the text; values that depend on the number of tokens are not derived yet.
struct MaskFields : Mask {
  std::vector<std::uint64_t> key_lengths,
      query_lengths;         // real tokens per sample; empty: not given
  bool says_causal = false;  // the text has the key, whatever its value
};

struct ScoringFields : Scoring {
  std::optional<std::uint64_t> d_a;  // hidden units to generate, if given
};

// Each reads one value; false with an error in json.reader().errors() on failure.
bool read_scoring(JsonValue json, ScoringFields& fields);
bool read_mask(JsonValue json, MaskFields& fields);
bool read_position(JsonValue json, Position& position);

}  // namespace attn
