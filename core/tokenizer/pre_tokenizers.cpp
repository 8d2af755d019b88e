// The list of pre-tokenizers, most of which cut by a pattern.
#include <utility>

#include "base/utf8.h"
#include "tokenizer/byte_letters.h"
#include "tokenizer/members.h"
#include "tokenizer/steps.h"

namespace attn::tokenizing {
namespace {

constexpr std::string_view kBlanks = R"(\s)", kNumbers = R"(\p{N})",
                           kSigns = R"([\p{P}!-/:-@\x{5B}-`{-~])", kWords = R"(\w+|[^\w\s]+)";
constexpr std::string_view kGpt2 =
    R"('(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

// SplitPart of a piece: a match, or the text between two.
struct SplitPart {
  Span span;
  bool is_match;
};

std::vector<SplitPart> parts_of(std::string_view text, const std::vector<Span>& matches,
                                bool invert) {
  std::vector<SplitPart> parts;
  std::size_t at = 0;
  for (const Span& match : matches) {
    if (match.begin > at) parts.push_back({{at, match.begin}, invert});
    parts.push_back({match, !invert});
    at = match.end;
  }
  if (at < text.size()) parts.push_back({{at, text.size()}, invert});
  return parts;
}

bool is_joined(const SplitPart& last, const SplitPart& next, Behavior behavior) {
  if (behavior == Behavior::MergedWithPrevious) return next.is_match && !last.is_match;
  if (behavior == Behavior::MergedWithNext) return last.is_match && !next.is_match;
  return behavior == Behavior::Contiguous && next.is_match == last.is_match;
}

// Adds the piece, cut.
Status add_cut(const Piece& piece, const StepOptions& options, Pieces& pieces) {
  const Result<std::vector<Span>> matches = options.pattern.matches(piece.text);
  if (!matches) return matches.error();
  const std::vector<SplitPart> parts = parts_of(piece.text, *matches, options.invert);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto [span, is_match] = parts[i];
    const std::string text = piece.text.substr(span.begin, span.end - span.begin);
    if (i > 0 && is_joined(parts[i - 1], parts[i], options.behavior)) {
      pieces.back().text += text;
    } else if (!text.empty() && !(is_match && options.behavior == Behavior::Removed)) {
      pieces.push_back({text, piece.is_start && span.begin == 0});
    }
  }
  return ok_status();
}

TextStep split(const StepOptions& options) {
  return [options](Pieces& pieces) {
    Pieces cut;
    for (const Piece& piece : pieces) {
      if (Status done = add_cut(piece, options, cut); !done) return done;
    }
    pieces = std::move(cut);
    return ok_status();
  };
}

// Precondition: the expression is sound.
TextStep split_by(std::string_view expression, StepOptions options) {
  options.pattern = *Pattern::of_expression(expression);
  return split(options);
}

TextStep punctuation(const StepOptions& options) { return split_by(kSigns, options); }

TextStep digits(const StepOptions& options) {
  return split_by(kNumbers, {.behavior = options.individual_digits ? Behavior::Isolated
                                                                   : Behavior::Contiguous});
}

TextStep whitespace(const StepOptions&) {
  return split_by(kWords, {.invert = true, .behavior = Behavior::Removed});
}

TextStep whitespace_split(const StepOptions&) {
  return split_by(kBlanks, {.behavior = Behavior::Removed});
}

// Puts a sign in place of each blank, and one in front of all pieces, or of the text alone.
TextStep metaspace(const StepOptions& options) {
  const std::string& sign = options.replacement;
  const bool is_always = options.prepend_scheme.empty() ? options.add_prefix_space
                                                        : options.prepend_scheme == "always";
  const bool is_first = options.prepend_scheme == "first";
  const TextStep cut =
      split({.pattern = *Pattern::of_text(sign), .behavior = Behavior::MergedWithNext});
  const Pattern blank = *Pattern::of_text(" ");
  return [=](Pieces& pieces) {
    for (Piece& piece : pieces) {
      if (Status done = blank.replace(piece.text, sign); !done) return done;
      const bool is_wanted = is_always || (is_first && piece.is_start);
      if (is_wanted && !piece.text.starts_with(sign)) piece.text.insert(0, sign);
    }
    return options.split ? cut(pieces) : ok_status();
  };
}

std::string as_letters(std::string_view bytes) {
  std::string letters;
  for (const char byte : bytes) append_utf8(letters, letter_of_byte(byte));
  return letters;
}

constexpr StepType kPreTokenizers[] = {
    {"Sequence", nullptr},
    {"Split", split},
    {"ByteLevel", byte_level},
    {"Metaspace", metaspace},
    {"BertPreTokenizer", bert_pre_tokenizer},
    {"Whitespace", whitespace},
    {"WhitespaceSplit", whitespace_split},
    {"Digits", digits},
    {"Punctuation", punctuation},
};

}  // namespace

TextStep byte_level(const StepOptions& options) {
  const TextStep cut = split_by(kGpt2, {});
  return [=](Pieces& pieces) {
    for (Piece& piece : pieces) {
      if (options.add_prefix_space && !piece.text.starts_with(' ')) piece.text.insert(0, " ");
    }
    if (Status done = options.use_regex ? cut(pieces) : ok_status(); !done) return done;
    std::size_t bytes = 0;
    for (Piece& piece : pieces) bytes += (piece.text = as_letters(piece.text)).size();
    return within_limit(bytes);
  };
}

TextStep bert_pre_tokenizer(const StepOptions& options) {
  return sequence_of({whitespace_split(options), split_by(kSigns, {})});
}

bool read_pre_tokenizer(JsonValue json, TextStep& step) {
  return read_step(json, "pre-tokenizer", kPreTokenizers, step);
}

}  // namespace attn::tokenizing
