// How scores are made and hidden, read from a document's text. Internal to core/document.
#pragma once

#include <cstdint>
#include <optional>

#include "attention/mask.h"
#include "attention/position.h"
#include "attention/scoring.h"
#include "text/reader.h"

namespace attn {

// A mask in the terms of the text: what needs the number of tokens is not worked out yet.
struct MaskFields : Mask {
  std::vector<std::uint64_t> key_lengths,
      query_lengths;         // real tokens per sample; empty: none said
  bool says_causal = false;  // the text has the key, whatever it says
};

struct ScoringFields : Scoring {
  std::optional<std::uint64_t> d_a;  // hidden units to generate, where the text says it
};

// Each reads one value whole; false with an error in json.reader().errors() otherwise.
bool read_scoring(JsonValue json, ScoringFields& fields);
bool read_mask(JsonValue json, MaskFields& fields);
bool read_position(JsonValue json, Position& position);

}  // namespace attn
