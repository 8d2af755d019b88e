// Steps that change a text and cut it into pieces before a model makes tokens of these, and
// patterns by which they do.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "text/forms.h"

namespace attn::tokenizing {

// Texts are refused that have more bytes, or get them from a step.
inline constexpr std::size_t kLongestText = std::size_t{8} << 20U;
Status within_limit(std::size_t bytes);

struct Piece {
  std::string text = {};
  bool is_start = false;  // of the whole text
};
using Pieces = std::vector<Piece>;

// Thread-safe. Errors: BadInput for texts that a pattern cannot be matched with, or that become too
// long.
using TextStep = std::function<Status(Pieces& pieces)>;

// Read by their types. Steps with errors, which the reader has, may be empty.
TextStep read_normalizer(JsonValue json);
TextStep read_pre_tokenizer(JsonValue json);

// Steps that files without tokenizer.json imply, which tokenizer_config.json describes: BERT's, and
// GPT-2's letters for bytes.
TextStep bert_normalizer(JsonValue json);
TextStep bert_pre_tokenizer(JsonValue json);
TextStep byte_level(JsonValue json, bool add_prefix_space);

// Makes a step of a function of the text of a piece.
TextStep rewriting(std::function<std::string(const std::string&)> rewrite);
// Takes the steps in turn.
TextStep sequence_of(std::vector<TextStep> steps);

// SentencePiece's table of characters, in base64.
TextStep precompiled(JsonValue json);

// How the steps of a type are read; null for "Sequence", which has a list of them.
using StepType = Choice<TextStep (*)(JsonValue)>;
TextStep read_step(JsonValue json, const std::string& noun, const char* list,
                   std::span<const StepType> types);

// --- patterns

// Bytes of a text.
struct Span {
  std::size_t begin = 0, end = 0;
};

// Finds all matches in well-formed UTF-8, in order. Thread-safe. Errors: BadInput if one takes more
// steps than are allowed.
using Pattern = std::function<Result<std::vector<Span>>(std::string_view text)>;

// An empty text is found nowhere.
Pattern pattern_of_text(const std::string& wanted);
// An expression as Oniguruma understands it. Errors: BadInput if it is none, or of a kind that is
// not known.
Result<Pattern> pattern_of_expression(std::string_view expression);
// The "pattern" of a step: {"String": "…"} or {"Regex": "…"}.
Pattern read_pattern(JsonValue step);
// Single characters.
Pattern pattern_of_characters(bool (*is_match)(char32_t));

// Puts `content` in place of all matches. Errors: as those of the pattern, or if the text becomes
// too long.
Status replace(const Pattern& pattern, std::string_view content, std::string& text);

}  // namespace attn::tokenizing
