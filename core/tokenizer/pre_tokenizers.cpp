// The list of pre-tokenizers, all of which but bytes as letters cut by a pattern.
#include <utility>

#include "text/scalar.h"
#include "tokenizer/byte_letters.h"
#include "tokenizer/members.h"
#include "tokenizer/steps.h"
#include "tokenizer/unicode.h"

namespace attn::tokenizing {
namespace {

constexpr std::string_view kWords = R"(\w+|[^\w\s]+)";
constexpr std::string_view kGpt2 =
    R"('(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

// Fate of the matches of a pattern.
enum class Behavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };
constexpr Choice<Behavior> kBehaviors[] = {
    {"Removed", Behavior::Removed},
    {"Isolated", Behavior::Isolated},
    {"MergedWithPrevious", Behavior::MergedWithPrevious},
    {"MergedWithNext", Behavior::MergedWithNext},
    {"Contiguous", Behavior::Contiguous},
};

Behavior read_behavior(JsonValue json) {
  static constexpr auto kForm = choice_form<kBehaviors>("behavior");
  Behavior behavior = Behavior::Isolated;
  if (const auto name = member(json, "behavior")) kForm.read(*name, kForm, &behavior);
  return behavior;
}

// Part of a piece: a match, or the text between two.
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

void add_parts(const Piece& piece, const std::vector<SplitPart>& parts, Behavior behavior,
               Pieces& pieces) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto [span, is_match] = parts[i];
    std::string text = piece.text.substr(span.begin, span.end - span.begin);
    if (i > 0 && is_joined(parts[i - 1], parts[i], behavior)) {
      pieces.back().text += text;
    } else if (!text.empty() && !(is_match && behavior == Behavior::Removed)) {
      pieces.push_back({std::move(text), piece.is_start && span.begin == 0});
    }
  }
}

TextStep split(const Pattern& pattern, Behavior behavior, bool invert = false) {
  return [=](Pieces& pieces) {
    Pieces cut;
    for (const Piece& piece : pieces) {
      const Result<std::vector<Span>> matches = pattern(piece.text);
      if (!matches) return Status(matches.error());
      add_parts(piece, parts_of(piece.text, *matches, invert), behavior, cut);
    }
    pieces = std::move(cut);
    return ok_status();
  };
}

TextStep split_at(bool (*is_match)(char32_t), Behavior behavior) {
  return split(pattern_of_characters(is_match), behavior);
}

TextStep read_split(JsonValue json) {
  return split(read_pattern(json), read_behavior(json), get<bool>(json, "invert"));
}

TextStep punctuation(JsonValue json) { return split_at(is_sign, read_behavior(json)); }

TextStep digits(JsonValue json) {
  const bool individual = get<bool>(json, "individual_digits");
  return split_at(is_number, individual ? Behavior::Isolated : Behavior::Contiguous);
}

TextStep whitespace(JsonValue) {
  return split(*pattern_of_expression(kWords), Behavior::Removed, true);
}

// Puts a sign in place of each blank, and one in front of all pieces, or of the text alone.
TextStep metaspace(JsonValue json) {
  const std::string sign = get<std::string>(json, "replacement", "▁");
  const std::string scheme = get<std::string>(json, "prepend_scheme");
  if (code_point_count(sign) != 1) {
    json.refuse("the sign for blanks is not one character", in_quotes(sign),
                "\"replacement\": \"▁\"");
  }
  const bool is_first = scheme == "first";
  const bool is_always = scheme.empty() ? get(json, "add_prefix_space", true) : scheme == "always";
  const TextStep cut = get(json, "split", true)
                           ? split(pattern_of_text(sign), Behavior::MergedWithNext)
                           : sequence_of({});
  const Pattern blank = pattern_of_text(" ");
  return [=](Pieces& pieces) {
    for (Piece& piece : pieces) {
      if (Status done = replace(blank, sign, piece.text); !done) return done;
      const bool is_wanted = is_always || (is_first && piece.is_start);
      if (is_wanted && !piece.text.starts_with(sign)) piece.text.insert(0, sign);
    }
    return cut(pieces);
  };
}

std::string as_letters(const std::string& bytes) {
  std::string letters;
  for (const char byte : bytes) append_utf8(letters, letter_of_byte(byte));
  return letters;
}

constexpr StepType kPreTokenizers[] = {
    {"Sequence", nullptr},
    {"Split", read_split},
    {"ByteLevel", [](JsonValue json) { return byte_level(json, true); }},
    {"Metaspace", metaspace},
    {"BertPreTokenizer", bert_pre_tokenizer},
    {"Whitespace", whitespace},
    {"WhitespaceSplit", [](JsonValue) { return split_at(is_blank, Behavior::Removed); }},
    {"Digits", digits},
    {"Punctuation", punctuation},
};

}  // namespace

TextStep byte_level(JsonValue json, bool add_prefix_space) {
  const bool has_blank = get(json, "add_prefix_space", add_prefix_space);
  const auto with_blank = [has_blank](const std::string& text) {
    return has_blank && !text.starts_with(' ') ? " " + text : text;
  };
  std::vector<TextStep> steps{rewriting(with_blank)};
  if (get(json, "use_regex", true)) {
    steps.push_back(split(*pattern_of_expression(kGpt2), Behavior::Isolated));
  }
  steps.push_back(rewriting(as_letters));
  return sequence_of(std::move(steps));
}

TextStep bert_pre_tokenizer(JsonValue) {
  return sequence_of(
      {split_at(is_blank, Behavior::Removed), split_at(is_sign, Behavior::Isolated)});
}

TextStep read_pre_tokenizer(JsonValue json) {
  return read_step(json, "pre-tokenizer", "pretokenizers", kPreTokenizers);
}

}  // namespace attn::tokenizing
