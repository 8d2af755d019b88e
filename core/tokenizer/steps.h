// Steps that change a text and cut it into pieces before a model makes tokens of these.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "text/reader.h"
#include "tokenizer/pattern.h"

namespace attn::tokenizing {

struct Piece {
  std::string text = {};
  bool is_start = false;  // of the whole text
};
using Pieces = std::vector<Piece>;

// Thread-safe. Errors: BadInput for texts that a pattern cannot be matched with, or that become too
// long.
using TextStep = std::function<Status(Pieces& pieces)>;

// Fate of the matches of a pattern.
enum class Behavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

// Options of all types of steps; each type has some of them.
struct StepOptions {
  bool add_prefix_space = true, use_regex = true, split = true, invert = false,
       individual_digits = false;
  bool strip_left = true, strip_right = true;
  bool clean_text = true, handle_chinese_chars = true, lowercase = true;
  std::optional<bool> strip_accents = {};  // as `lowercase` if there is none
  std::string prepend = {}, content = {}, replacement = "▁", precompiled_charsmap = {};
  std::string prepend_scheme = {};  // as `add_prefix_space` says if there is none
  Pattern pattern = {};
  Behavior behavior = Behavior::Isolated;
};

// Steps that files without tokenizer.json imply: BERT's, and GPT-2's letters for bytes.
TextStep bert_normalizer(const StepOptions& options);
TextStep bert_pre_tokenizer(const StepOptions& options);
TextStep byte_level(const StepOptions& options);
// SentencePiece's table of characters, in base64; null if it is not sound.
TextStep precompiled(const StepOptions& options);

// Takes the steps in turn.
TextStep sequence_of(std::vector<TextStep> steps);

// False with an error for types that are not known.
bool read_normalizer(JsonValue json, TextStep& step);
bool read_pre_tokenizer(JsonValue json, TextStep& step);

// How the steps of a type are made; null for "Sequence", and from options that are not sound.
struct StepType {
  std::string_view name;
  TextStep (*make)(const StepOptions&);
};
bool read_step(JsonValue json, const std::string& noun, std::span<const StepType> types,
               TextStep& step);

}  // namespace attn::tokenizing
